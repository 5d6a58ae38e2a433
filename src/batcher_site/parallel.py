"""
Work shared out over several processes where that pays, and done here where it does not.

Where the system can copy this process with all that it has loaded, it does; where it cannot (macOS,
Windows) or should not (other threads run), each process loads what it needs anew.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from batcher_site import pool

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

_FEWEST_PROCESSES = 2
# Below this, a second process costs more than it brings; measured with texts of 350 words.
_FEWEST_FOR_A_COPY = 40
_FEWEST_FOR_A_NEW_ONE = 400


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
    can_copy = _can_copy()
    if processes < _FEWEST_PROCESSES or len(items) < _fewest_items(can_copy=can_copy):
        return work(shared, items)
    if needs_copy and not can_copy:
        return work(shared, items)
    return pool.share_out(work, shared, items, processes, "fork" if can_copy else None)


def apart(work: Callable[[], R]) -> R:
    """
    Give what `work` gives, done in a copy of this process that ends with it.

    For work that starts threads, after which this process should not be copied any more.
    """
    return beside(work)()


def beside(work: Callable[[], R]) -> Callable[[], R]:
    """
    Begin `work` in a copy of this process, and give what waits for its result.

    Where no copy can be made, it is done when the result is asked for.
    """
    try:
        return pool.begin(work) if _can_copy() else work
    except OSError:
        # The system has no process or pipe left: here it is slower, and works.
        return work


def _fewest_items(*, can_copy: bool) -> int:
    return _FEWEST_FOR_A_COPY if can_copy else _FEWEST_FOR_A_NEW_ONE


def _can_copy() -> bool:
    """Tell whether this is the only thread: a copy has no others, but the locks that they hold."""
    if sys.platform != "linux":
        return False
    # Libraries start threads that Python does not know.
    return len(os.listdir("/proc/self/task")) == 1
