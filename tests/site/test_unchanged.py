"""A build without a change, from the outside: quick, the same words, and never a wrong one."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from batcher_site.build import RenderedSite
from tests.site.console import Batcher

ROOT = Path(__file__).parents[2]
TEXT = "---\ntitle: T\nsummary: x\n---\n"
PAST_A_TICK = 0.06
# What Python itself loads is free; each of these costs as much as the whole look.
HEAVY = {"argparse", "hashlib", "jinja2", "json", "msgspec", "pathlib", "re", "typing", "yaml"}


def test_an_unchanged_site_is_told_without_a_heavy_import(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    folder = site({"content/projects/p.md": TEXT, "content/projects/d.md": TEXT + "draft: true\n"})
    time.sleep(PAST_A_TICK)
    first = batcher("build", "--source", folder)
    program = (
        "import sys; from batcher_site.__main__ import main\n"
        "main(); print(*sorted(sys.modules), file=sys.stderr)"
    )
    second = subprocess.run(
        [sys.executable, "-S", "-c", program, "build", "--source", folder],
        env={"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *sys.path])},
        capture_output=True,
        text=True,
        check=True,
    )
    *notes, modules = second.stderr.splitlines()
    assert notes == first.err.splitlines()
    assert " 0 files written, 0 removed in " in second.stdout
    assert second.stdout.split()[:2] == first.out.split()[:2]
    assert HEAVY & set(modules.split()) == set()
    assert "batcher_site.unchanged" in modules


def test_a_page_that_was_altered_by_hand_is_put_back(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    folder = site({"content/projects/p.md": TEXT})
    time.sleep(PAST_A_TICK)
    batcher("build", "--source", folder)
    page, other = folder / "dist/projects/p/index.html", folder / "dist/resume/index.html"
    right = page.read_bytes()
    page.write_bytes(right.replace(b"T", b"F"))
    other.unlink()
    assert " 2 files written," in batcher("build", "--source", folder).out
    assert page.read_bytes() == right
    assert other.exists()


def test_a_fault_is_told_again_until_it_is_mended(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    folder = site({"content/projects/p.md": TEXT})
    time.sleep(PAST_A_TICK)
    batcher("build", "--source", folder)
    site({"content/projects/p.md": TEXT + "[x](nowhere.md)\n"})
    time.sleep(PAST_A_TICK)
    assert [batcher("build", "--source", folder).code for _ in range(2)] == [1, 1]
    site({"content/projects/p.md": TEXT})
    assert batcher("build", "--source", folder).code == 0


def test_nothing_is_kept_without_a_cache(site: Callable[..., Path], batcher: Batcher) -> None:
    folder = site({"content/projects/p.md": TEXT})
    assert batcher("build", "--source", folder, "--no-cache").code == 0
    assert not (folder / ".batcher-cache").exists()


def test_a_cache_folder_that_cannot_be_written_is_a_warning(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    folder = site({"content/projects/p.md": TEXT, "taken": "a file"})
    answer = batcher("build", "--source", folder, "--cache-dir", folder / "taken")
    assert answer.code == 0
    assert f"warning: the cache folder {folder / 'taken'} cannot be written: " in answer.err
    assert (folder / "dist/index.html").exists()


def test_a_cache_folder_hides_itself_from_version_control(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    folder = site({"content/projects/p.md": TEXT})
    batcher("build", "--source", folder, "--cache-dir", folder / "kept")
    assert (folder / "kept/.gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    ("dates", "selection", "begin", "end"),
    [
        ([], {}, None, None),
        (["2026-11-30"], {}, "2026-11-30", None),
        (["2026-11"], {}, "2026-11-01", None),
        (["2026-11-30", "2026-12-03"], {}, "2026-12-01", "2026-12-02"),
        (["2026-11-30", "2026-12-03"], {"future": True}, None, None),
        (
            ["2026-11-30", "2026-12-03"],
            {"day": datetime(2026, 12, 1, tzinfo=UTC).date()},
            None,
            None,
        ),
    ],
    ids=["no date", "past", "a month", "ahead", "all taken in", "a day that is given"],
)
def test_the_days_on_which_the_same_is_published_are_known(
    render: Callable[..., RenderedSite],
    dates: list[str],
    selection: dict[str, object],
    begin: str | None,
    end: str | None,
) -> None:
    """Days begin in the zone of the site."""
    settings = "title: T\nowner: {name: A, role: R, pitch: P.}\ntimezone: Asia/Tokyo\n"
    texts = {
        f"content/writing/w{number}.md": f"---\ntitle: T\ndate: {day}\n---\n"
        for number, day in enumerate(dates)
    }
    offset = timedelta(hours=9)

    def moment(day: str | None, default: float) -> float:
        if day is None:
            return default
        return (datetime.fromisoformat(day).replace(tzinfo=UTC) - offset).timestamp()

    made = render({"content/site.yaml": settings, **texts}, **selection)
    assert made.same_between == (moment(begin, float("-inf")), moment(end, float("inf")))
