"""
Work shared out over several processes, by a pool of the standard library.

Where the system can copy this process with all that it has loaded, it does; where it cannot (macOS,
Windows) or should not (other threads run), each process loads what it needs anew.
"""

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

_FEWEST_PROCESSES = 2
# Below this, a second process costs more than it brings (`make bench`).
_FEWEST_FOR_A_COPY = 40
_FEWEST_FOR_A_NEW_ONE = 400
_LARGEST_CHUNK = 50

# What every item of a process is worked with: set once in each, by `_begin`.
_shared: list[Any] = []


def run(
    work: Callable[[S, Iterable[T]], Iterator[R]],
    shared: S,
    items: Sequence[T],
    jobs: int | None = None,
    *,
    needs_copy: bool = False,
) -> Iterator[R]:
    """
    Give the results of `work(shared, items)` in the order of the items.

    `jobs` is how many processes may work, by default one for each core; few items stay in this one.
    Where `needs_copy`, `shared` cannot be sent to a new process, only be there in a copy.
    """
    processes = min(jobs or os.cpu_count() or 1, len(items))
    can_share = _can_copy() or not needs_copy
    if processes < _FEWEST_PROCESSES or len(items) < fewest_items() or not can_share:
        return work(shared, items)
    return _share_out(work, shared, items, processes)


def fewest_items() -> int:
    """Give from how many items on a second process pays; measured with texts of 350 words."""
    return _FEWEST_FOR_A_COPY if _can_copy() else _FEWEST_FOR_A_NEW_ONE


def _share_out(
    work: Callable[[S, Iterable[T]], Iterator[R]], shared: S, items: Sequence[T], processes: int
) -> Iterator[R]:
    context = multiprocessing.get_context("fork" if _can_copy() else None)
    size = max(1, min(_LARGEST_CHUNK, len(items) // (4 * processes)))
    chunks = [items[start : start + size] for start in range(0, len(items), size)]
    with context.Pool(processes, _begin, (work, shared)) as pool:
        for results in pool.imap(_chunk, chunks):
            yield from results


def _can_copy() -> bool:
    return sys.platform == "linux" and threading.active_count() == 1


def _begin(*shared: object) -> None:
    _shared[:] = shared


def _chunk(items: Sequence[Any]) -> list[Any]:
    work, shared = _shared
    return list(work(shared, items))
