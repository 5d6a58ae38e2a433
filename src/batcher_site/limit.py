"""A limit on the time that one piece of work may take, where the system can interrupt it."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TimeIsUpError(Exception):
    """The work took longer than its limit."""


@contextmanager
def seconds(limit: float) -> Iterator[None]:
    """
    Raise TimeIsUpError out of the body once it has run for `limit` seconds.

    It needs an alarm, which only the main thread gets, and which Windows does not have: elsewhere
    the body runs as long as it does. Regular expressions are interrupted too.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise TimeIsUpError
