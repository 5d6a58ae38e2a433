"""A build after which nothing has changed ends early; one after which anything has does not."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from batcher_site import unchanged
from batcher_site.unchanged import Finished, look, parse, remember, signatures

FINISHED = Finished(3, [("left out 1: café (draft)", "yellow"), ("note", "")])
ALWAYS = (float("-inf"), float("inf"))
PAST_A_TICK = 0.06


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("BATCHER_CACHE_DIR", raising=False)
    for name in ("content/a.md", "content/deep/b.md", "templates/t.html", "dist/index.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text")
    (tmp_path / "static").mkdir()
    unchanged.make_cache_folder(str(tmp_path / ".batcher-cache"))
    time.sleep(PAST_A_TICK)
    return tmp_path


def arguments(source: Path, *more: str) -> list[str]:
    return ["build", "--source", str(source), *more]


def build(source: Path, *more: str, between: tuple[float, float] = ALWAYS) -> None:
    """Leave the record of a build that wrote `index.html`."""
    request = parse(arguments(source, *more))
    assert request
    remember(request, FINISHED, between, signatures(str(source / "dist"), ["index.html"]))


def is_unchanged(source: Path, *more: str) -> bool:
    request = parse(arguments(source, *more))
    return request is not None and look(request) is not None


def test_without_a_change_the_last_build_is_told_again(source: Path) -> None:
    build(source)
    request = parse(arguments(source))
    assert request
    found = look(request)
    assert found
    assert (found.pages, found.notes) == (FINISHED.pages, FINISHED.notes)


def rewrite_with_the_same_size_and_time(path: Path) -> None:
    status = path.stat()
    path.write_text("TEXT")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


CHANGES: dict[str, Callable[[Path], object]] = {
    "a text": lambda folder: (folder / "content/a.md").write_text("other"),
    "a text deep down": lambda folder: (folder / "content/deep/b.md").write_text("other"),
    "a text with its size and time set back": lambda folder: rewrite_with_the_same_size_and_time(
        folder / "content/a.md"
    ),
    "a new text": lambda folder: (folder / "content/c.md").write_text("x"),
    "a renamed text": lambda folder: (folder / "content/a.md").rename(folder / "content/z.md"),
    "a deleted text": lambda folder: (folder / "content/a.md").unlink(),
    "a text replaced by an equal one": lambda folder: (folder / "content/a.md").replace(
        folder / "content/deep/b.md"
    ),
    "a template": lambda folder: (folder / "templates/t.html").write_text("other"),
    "a static file": lambda folder: (folder / "static/x.css").write_text("x"),
    "a page altered by hand": lambda folder: rewrite_with_the_same_size_and_time(
        folder / "dist/index.html"
    ),
    "a page deleted by hand": lambda folder: (folder / "dist/index.html").unlink(),
    "the rest of a killed build": lambda folder: (folder / "dist/.batcher-tmp").mkdir(),
    "a damaged record": lambda folder: (folder / ".batcher-cache/unchanged").write_bytes(b"\xff\0"),
    "a record cut short": lambda folder: os.truncate(folder / ".batcher-cache/unchanged", 200),
    "a record without its end": lambda folder: os.truncate(
        folder / ".batcher-cache/unchanged",
        (folder / ".batcher-cache/unchanged").stat().st_size - 1,
    ),
    "no record": lambda folder: (folder / ".batcher-cache/unchanged").unlink(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen(source: Path, change: str) -> None:
    build(source)
    assert is_unchanged(source)
    CHANGES[change](source)
    assert not is_unchanged(source)


def test_a_foreign_file_in_the_output_is_no_change(source: Path) -> None:
    build(source)
    (source / "dist/theirs").write_text("x")
    assert is_unchanged(source)


@pytest.mark.parametrize(
    "more",
    [["--drafts"], ["--future"], ["--date", "2026-12-01"], ["--base-url=https://x.example/"]],
    ids=lambda more: more[0],
)
def test_another_option_is_a_change(source: Path, more: list[str]) -> None:
    build(source)
    assert not is_unchanged(source, *more)
    build(source, *more)
    assert is_unchanged(source, *more)


def test_the_number_of_processes_is_no_change(source: Path) -> None:
    build(source, "--jobs", "2")
    assert is_unchanged(source, "--jobs=1")


def test_what_a_killed_build_left_of_its_record_goes_away(source: Path) -> None:
    (source / ".batcher-cache").mkdir(exist_ok=True)
    (source / ".batcher-cache/unchanged.new").write_text("half a rec")
    build(source)
    assert is_unchanged(source)
    assert not (source / ".batcher-cache/unchanged.new").exists()


def test_another_output_folder_is_a_change(source: Path) -> None:
    build(source)
    assert not is_unchanged(source, "--output", str(source / "other"))


def test_the_epoch_for_printed_dates_is_an_input(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(source)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert not is_unchanged(source)


def test_a_record_ends_with_the_day_that_it_was_made_for(source: Path) -> None:
    now = time.time()
    build(source, between=(now - 10, now + 10))
    assert is_unchanged(source)
    build(source, between=(now + 10, now + 20))
    assert not is_unchanged(source)
    build(source, between=(now - 20, now - 10))
    assert not is_unchanged(source)


def test_a_source_that_changed_a_moment_ago_leaves_no_record(source: Path) -> None:
    """Another change within the same tick of the clock would have the same times."""
    (source / "content/a.md").write_text("other")
    build(source)
    assert not is_unchanged(source)


def test_a_clock_of_whole_seconds_is_given_more_time() -> None:
    """Times without a fraction come from a file system that counts in seconds, or in two."""
    second = 1_000_000_000
    now = 100 * second
    assert unchanged.is_settled(now - second - 1, now)
    assert not unchanged.is_settled(now - second, now)
    assert unchanged.is_settled(now - 3 * second, now)
    assert not unchanged.is_settled(now - 1, now)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["check"],
        ["build", "--timings"],
        ["build", "--no-cache"],
        ["build", "--help"],
        ["build", "--source"],
        ["build", "--source", "--drafts"],
        ["build", "--source="],
        ["build", "--jobs", "0"],
        ["build", "--jobs", "two"],
        ["build", "stray"],
    ],
    ids=" ".join,
)
def test_what_is_not_a_plain_build_is_left_to_the_command_line(words: list[str]) -> None:
    assert parse(words) is None


def test_the_cache_lies_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATCHER_CACHE_DIR", "from-environment")
    assert unchanged.cache_folder("site", "asked") == "asked"
    assert unchanged.cache_folder("site", None) == "from-environment"
    monkeypatch.delenv("BATCHER_CACHE_DIR")
    assert unchanged.cache_folder("site", None) == str(Path("site", ".batcher-cache"))


def test_a_name_that_is_not_unicode_is_listed(source: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(source / "content") + b"/\xff.pdf")).write_bytes(b"x")
    except OSError:
        pytest.skip("this file system takes Unicode names only")
    time.sleep(PAST_A_TICK)
    build(source)
    assert is_unchanged(source)


def test_a_link_to_nowhere_is_listed(source: Path) -> None:
    (source / "content/link.pdf").symlink_to("nowhere")
    build(source)
    assert is_unchanged(source)
    (source / "content/link.pdf").unlink()
    assert not is_unchanged(source)
