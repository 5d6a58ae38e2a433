"""A limit on time: it interrupts work, regular expressions too, and nothing that comes after."""

import re
import signal
import threading
import time
from contextlib import suppress

import pytest

from batcher_site import limit

needs_an_alarm = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="this system has no alarm"
)


@needs_an_alarm
def test_work_that_takes_too_long_is_broken_off() -> None:
    begin = time.monotonic()
    with pytest.raises(limit.TimeIsUpError), limit.seconds(0.05):
        time.sleep(5)
    assert time.monotonic() - begin < 2


@needs_an_alarm
def test_a_regular_expression_that_runs_away_is_broken_off() -> None:
    with pytest.raises(limit.TimeIsUpError), limit.seconds(0.05):
        re.match(r"(a+)+b", "a" * 40)


@needs_an_alarm
def test_nothing_rings_after_the_work() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with limit.seconds(0.05):
        pass
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert signal.getsignal(signal.SIGALRM) is before


def nested(outer: float, inner: float, *, inside: float, after: float) -> None:
    """Sleep within two limits, and then within the outer one."""
    with limit.seconds(outer):
        with suppress(limit.TimeIsUpError), limit.seconds(inner):
            time.sleep(inside)
        time.sleep(after)


@needs_an_alarm
@pytest.mark.parametrize(("outer", "inner"), [(0.1, 5), (0.3, 0.05)])
def test_a_limit_inside_of_another_leaves_that_one_as_it_was(outer: float, inner: float) -> None:
    begin = time.monotonic()
    with pytest.raises(limit.TimeIsUpError):
        nested(outer, inner, inside=0.08, after=5)
    assert outer <= time.monotonic() - begin < 2
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


@needs_an_alarm
def test_an_outer_limit_holds_inside_of_a_longer_one_too() -> None:
    begin = time.monotonic()
    with pytest.raises(limit.TimeIsUpError):
        nested(0.05, 60, inside=5, after=5)
    assert time.monotonic() - begin < 2


def test_another_thread_works_without_a_limit() -> None:
    done: list[bool] = []

    def work() -> None:
        with limit.seconds(0.01):
            time.sleep(0.05)
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
