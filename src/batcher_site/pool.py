"""A pool of processes of the standard library, each of which keeps what all its items share."""

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from batcher_site.errors import SiteErrors

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

_LARGEST_CHUNK = 50
_CHUNKS_PER_PROCESS = 4

# What the items of this process are worked with: set once, by `_begin`.
_shared: list[Any] = []


def share_out(
    work: Callable[[S, Iterable[T]], Iterator[R]],
    shared: S,
    items: Sequence[T],
    processes: int,
    method: str | None,
) -> Iterator[R]:
    """
    Give the results of `work(shared, items)` in the order of the items.

    `method` is how a process is started, None for the system's own.
    """
    size = max(1, min(_LARGEST_CHUNK, len(items) // (_CHUNKS_PER_PROCESS * processes)))
    chunks = [items[start : start + size] for start in range(0, len(items), size)]
    context = multiprocessing.get_context(method)
    with context.Pool(processes, _begin, (work, shared)) as pool:
        for results in pool.imap(_chunk, chunks):
            yield from results


def begin(work: Callable[[], R]) -> Callable[[], R]:
    """
    Begin `work` in a copy of this process.

    What is given waits for its end, and gives what it gives or raises what it raises.
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(work, sender), daemon=True)
    process.start()
    sender.close()

    def wait() -> R:
        try:
            answer: tuple[R, SiteErrors | None] = receiver.recv()
        finally:
            process.join()
            receiver.close()
        result, error = answer
        if error:
            raise error
        return result

    return wait


def _send(work: Callable[[], Any], sender: Connection) -> None:
    """Send the result and the faults of `work`, one of them None."""
    try:
        sender.send((work(), None))
    except SiteErrors as error:
        sender.send((None, error))


def _begin(*shared: object) -> None:
    _shared[:] = shared


def _chunk(items: Sequence[Any]) -> list[Any]:
    work, shared = _shared
    return list(work(shared, items))
