"""The same input gives the same bytes, whatever the machine, its zone, hash seed and folder."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.site.console import Batcher

ROOT = Path(__file__).parents[2]
DAY = "2026-12-01"


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a built site, the manifest too."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def build(output: Path, cwd: Path, environment: Mapping[str, str]) -> dict[str, bytes]:
    """Build the shipped site in a new process."""
    program = [sys.executable, "-c", "import sys; from batcher_site.__main__ import main; main()"]
    source = os.path.relpath(ROOT, cwd)
    subprocess.run(
        [*program, "build", "--source", source, "--output", output, "--date", DAY],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment},
        check=True,
        capture_output=True,
    )
    return tree(output)


def test_two_builds_give_the_same_bytes_on_any_machine(tmp_path: Path) -> None:
    """Hash seed, time zone, locale, working folder and the moment of the build leave no trace."""
    one = build(
        tmp_path / "one",
        ROOT,
        {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C", "PYTHONUTF8": "0"},
    )
    other = build(
        tmp_path / "deep" / "other",
        tmp_path,
        {
            "PYTHONHASHSEED": "4242",
            "TZ": "Pacific/Kiritimati",
            "LC_ALL": "C.UTF-8",
            "SOURCE_DATE_EPOCH": "0",
        },
    )
    assert one.keys() == other.keys()
    assert [path for path in one if one[path] != other[path]] == []
    assert len(one) > 10


def test_a_second_build_writes_nothing(site: Callable[..., Path], batcher: Batcher) -> None:
    folder = site({"content/writing/w.md": "---\ntitle: T\ndate: 2026-11-30\n---\n"})
    batcher("build", "--source", folder)
    times = {path: path.stat().st_mtime_ns for path in (folder / "dist").rglob("*")}
    answer = batcher("build", "--source", folder)
    assert " 0 files written, 0 removed in " in answer.out
    assert {path: path.stat().st_mtime_ns for path in (folder / "dist").rglob("*")} == times


@pytest.mark.parametrize("command", ["build", "check"])
def test_a_command_leaves_nothing_behind_in_the_sources(
    site: Callable[..., Path], batcher: Batcher, tmp_path: Path, command: str
) -> None:
    folder = site({"content/projects/p.md": "---\ntitle: T\nsummary: x\n---\n"})
    before = tree(folder)
    output = ("--output", tmp_path / "out") if command == "build" else ()
    assert batcher(command, "--source", folder, *output).code == 0
    kept = {path for path in tree(folder) if path.startswith(".batcher-cache/")}
    assert {path: data for path, data in tree(folder).items() if path not in kept} == before
    assert bool(kept) == (command == "build")


def test_line_ends_and_a_byte_order_mark_leave_no_trace(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    """A file saved on another system gives the same page."""
    text = "---\ntitle: Größe\nsummary: x\n---\n## A\n\n- one\n- two\n\n```python\nx = 1\n```\n"
    folder = site({"content/projects/p.md": text})
    page = folder / "dist/projects/p/index.html"
    batcher("build", "--source", folder)
    plain = page.read_bytes()
    site({"content/projects/p.md": b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()})
    batcher("build", "--source", folder)
    assert page.read_bytes() == plain


def test_what_is_no_longer_made_goes_and_what_is_not_ours_stays(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    folder = site({"content/projects/p.md": "---\ntitle: T\nsummary: x\ntags: [t]\n---\n"})
    batcher("build", "--source", folder)
    dist = folder / "dist"
    (dist / "theirs.txt").write_text("x")
    (dist / "projects/p/theirs.txt").write_text("x")
    (folder / "content/projects/p.md").rename(folder / "content/projects/q.md")
    answer = batcher("build", "--source", folder)
    assert " 2 removed in " in answer.out  # the page, and its picture
    assert not (dist / "projects/p/index.html").exists()
    assert (dist / "projects/q/index.html").exists()
    assert (dist / "theirs.txt").exists()
    assert (dist / "projects/p/theirs.txt").exists()
    assert not (dist / ".batcher-tmp").exists()
