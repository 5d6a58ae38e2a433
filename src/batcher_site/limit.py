"""A limit on the time that one piece of work may take, where the system can interrupt it."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType


class TimeIsUpError(BaseException):
    """The work took longer than its limit; no `Exception`, as libraries catch those and go on."""


@contextmanager
def seconds(limit: float) -> Iterator[None]:
    """
    Raise TimeIsUpError out of the body once it has run for `limit` seconds.

    It needs an alarm, which only the main thread gets, and which Windows does not have: elsewhere
    the body runs as long as it does. Regular expressions are interrupted too. A limit inside of
    another one leaves that one as it was.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    begin = monotonic()
    before = signal.signal(signal.SIGALRM, _ring)
    left = signal.getitimer(signal.ITIMER_REAL)[0]
    signal.setitimer(signal.ITIMER_REAL, min(limit, left or limit))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            # The outer limit: at once, if it has run out meanwhile.
            signal.setitimer(signal.ITIMER_REAL, max(left - (monotonic() - begin), 1e-3))


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise TimeIsUpError
