"""What is remembered between builds, and that nothing that happens to the file can do harm."""

import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from markupsafe import Markup
from msgspec import Struct

from batcher_site import memo as memo_module
from batcher_site.memo import Memo
from batcher_site.model import PartialDate, Present, Project, ProjectMeta, Source


class Pair(Struct, frozen=True):
    """A result as the stages have them."""

    text: Markup
    number: int


PAIR = Pair(Markup("<b>"), 7)


def database(folder: Path) -> Path:
    return folder / "memo.sqlite3"


def kept(folder: Path, name: str = "x") -> Memo:
    """Remember a small and a large result under one key, in a file."""
    memo = Memo(str(folder))
    key = memo.key("f", name)
    memo.put(key, PAIR)
    memo.put_large(key, b"large")
    memo.save()
    return memo


def found(folder: Path, name: str = "x") -> tuple[Pair | None, bytes | None]:
    memo = Memo(str(folder))
    key = memo.key("f", name)
    return memo.get(key, Pair), memo.get_large(key, bytes)


def test_a_result_is_found_by_the_next_build(tmp_path: Path) -> None:
    kept(tmp_path)
    assert found(tmp_path) == (PAIR, b"large")
    assert found(tmp_path, "y") == (None, None)


def test_markup_is_markup_again(tmp_path: Path) -> None:
    kept(tmp_path)
    small, _ = found(tmp_path)
    assert small
    assert isinstance(small.text, Markup)


def test_a_memo_without_a_folder_remembers_for_itself_alone(tmp_path: Path) -> None:
    memo = Memo()
    memo.put(memo.key("f", 1), PAIR)
    memo.save()
    assert memo.get(memo.key("f", 1), Pair) == PAIR
    assert list(tmp_path.iterdir()) == []


def test_a_key_tells_every_input_apart() -> None:
    memo = Memo()
    dates = (PartialDate(2026, 1), PartialDate(2026, 10), PartialDate(2026), Present(), None)
    inputs = [(), ("a",), ("b",), ("a", ""), (["a"],), (1,), ("1",), *((day,) for day in dates)]
    keys = {memo.key(function, *values) for function in ("f", "g") for values in inputs}
    assert len(keys) == 2 * len(inputs)


def test_equal_inputs_give_the_same_key_in_another_memo() -> None:
    meta = ProjectMeta(title="T", summary="s", date=PartialDate(2026, 1))
    projects = [Project(slug="p", meta=meta, source=Source("p.md", "x")) for _ in range(2)]
    assert Memo().key("f", projects[0]) == Memo().key("f", projects[1])


def test_another_version_of_the_program_finds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(tmp_path)
    monkeypatch.setattr(memo_module, "installed", lambda: ["another-1.0.dist-info"])
    memo_module._program.cache_clear()
    assert found(tmp_path) == (None, None)
    memo_module._program.cache_clear()


def test_a_result_of_another_kind_is_not_remembered(tmp_path: Path) -> None:
    memo = kept(tmp_path)
    assert Memo(str(tmp_path)).get(memo.key("f", "x"), int) is None


DAMAGES: dict[str, Callable[[Path], object]] = {
    "deleted": os.unlink,
    "empty": lambda file: os.truncate(file, 0),
    "cut short": lambda file: os.truncate(file, file.stat().st_size // 2),
    "no database": lambda file: file.write_bytes(b"not a database" * 1000),
    "a flipped bit in every page": lambda file: file.write_bytes(
        bytes(byte ^ (number % 512 == 300) for number, byte in enumerate(file.read_bytes()))
    ),
    "other columns": lambda file: alter(
        file, "ALTER TABLE small RENAME value TO v; ALTER TABLE large RENAME key TO k"
    ),
    "other values": lambda file: alter(file, "UPDATE small SET value = 'text'"),
    "another's value": lambda file: alter(
        file, "UPDATE large SET value = (SELECT value FROM small)"
    ),
}


def alter(file: Path, statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(f"BEGIN; {statements}; COMMIT;")


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_was_not_remembered_and_is_mended(tmp_path: Path, damage: str) -> None:
    kept(tmp_path)
    DAMAGES[damage](database(tmp_path))
    small, large = found(tmp_path)
    assert small in {None, PAIR}
    assert large in {None, b"large"}
    assert (small, large) != (PAIR, b"large")
    kept(tmp_path)
    assert found(tmp_path) == (PAIR, b"large")


def test_many_builds_may_save_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: kept(tmp_path, name), map(str, range(40))))
    assert [found(tmp_path, str(name)) for name in range(40)] == [(PAIR, b"large")] * 40


def test_a_database_that_is_held_for_long_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memo_module, "_PATIENCE_SECONDS", 0.01)
    kept(tmp_path)
    with closing(sqlite3.connect(database(tmp_path), isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        kept(tmp_path, "y")
        assert found(tmp_path) == (None, None)
    assert found(tmp_path) == (PAIR, b"large")
    assert found(tmp_path, "y") == (None, None)


def test_a_folder_that_cannot_be_made_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match="file"):
        kept(tmp_path / "file")


def test_a_database_that_cannot_be_opened_is_an_error_of_the_system(tmp_path: Path) -> None:
    database(tmp_path).mkdir()
    with pytest.raises(OSError, match=r"memo\.sqlite3"):
        kept(tmp_path)


def test_what_no_build_uses_is_thrown_away_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memo_module, "_UNUSED_ROWS", 5)
    for name in map(str, range(12)):
        kept(tmp_path, name)
    memo = Memo(str(tmp_path))
    assert memo.get(memo.key("f", "3"), Pair) == PAIR
    memo.put(memo.key("f", "new"), PAIR)
    memo.save()
    assert found(tmp_path, "3") == (PAIR, b"large")
    assert found(tmp_path, "new")[0] == PAIR
    assert found(tmp_path, "4") == (None, None)


def test_a_process_that_goes_on_after_it_has_saved_still_knows_all(tmp_path: Path) -> None:
    memo = Memo(str(tmp_path))
    before = memo.key("f", "before")
    assert memo.get(before, Pair) is None  # the empty database has been read
    memo.put(before, PAIR)
    memo.put_large(before, b"large")
    memo.save()
    assert memo.get(before, Pair) == PAIR
    assert memo.get_large(before, bytes) == b"large"


@pytest.mark.parametrize("folder", [True, False])
def test_what_no_build_needs_any_more_is_not_held_in_memory(
    tmp_path: Path, *, folder: bool
) -> None:
    memo = Memo(str(tmp_path) if folder else None)
    old, still = memo.key("f", "old"), memo.key("f", "still")
    for key in (old, still):
        memo.put(key, PAIR)
        memo.put_large(key, b"large")
    memo.forget_unused()
    assert memo.get(still, Pair) == PAIR
    memo.forget_unused()
    assert memo.get(still, Pair) == PAIR
    assert memo.get_large(still, bytes) == b"large"
    assert memo.get(old, Pair) is None
    assert memo.get_large(old, bytes) is None


def test_a_result_that_is_put_anew_is_found_as_it_is_now() -> None:
    memo = Memo()
    key = memo.key("f")
    memo.put(key, PAIR)
    assert memo.get(key, Pair) == PAIR
    memo.put(key, Pair(Markup("<i>"), 8))
    assert memo.get(key, Pair) == Pair(Markup("<i>"), 8)
