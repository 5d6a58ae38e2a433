"""Output: "a commit touches only what differs, and gives the fresh tree whatever was before"."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from batcher_site.output import MANIFEST, commit
from tests.property.strategies import trees
from tests.property.trees import files_below


@contextmanager
def new_folder() -> Iterator[Path]:
    # A fixture's folder would be shared by all examples.
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder, "dist")


@given(st.lists(trees, min_size=1, max_size=3))
@settings(max_examples=40)
def test_a_commit_after_any_others_gives_exactly_its_outputs(
    history: list[dict[str, bytes]],
) -> None:
    with new_folder() as folder, new_folder() as fresh:
        foreign = folder / "foreign/mine"
        foreign.parent.mkdir(parents=True)
        foreign.write_bytes(b"mine")
        for outputs in history:
            commit(outputs, str(folder))
        commit(history[-1], str(fresh))
        assert files_below(folder) == {**files_below(fresh), "foreign/mine": b"mine"}


@given(trees)
@settings(max_examples=30)
def test_a_second_commit_writes_nothing(outputs: dict[str, bytes]) -> None:
    with new_folder() as folder:
        first = commit(outputs, str(folder))
        assert set(first.written) == set(outputs)
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        second = commit(outputs, str(folder))
        assert (second.written, second.removed, second.kept) == ((), (), len(outputs))
        assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


@given(trees, trees)
@settings(max_examples=40)
def test_a_commit_says_what_it_did(old: dict[str, bytes], new: dict[str, bytes]) -> None:
    with new_folder() as folder:
        commit(old, str(folder))
        changes = commit(new, str(folder))
        assert set(changes.written) == {path for path in new if old.get(path) != new[path]}
        assert set(changes.removed) == old.keys() - new.keys()
        assert changes.kept == len(new) - len(changes.written)
        assert files_below(folder).keys() == {*new, MANIFEST}
