"""Work that is done in a copy of this process, and what comes back of it."""

import os
import subprocess
import sys
import threading
from functools import partial

import pytest

from batcher_site import parallel
from batcher_site.errors import ContentError, SiteErrors


def refuse() -> int:
    raise SiteErrors([ContentError("no", source="a.md", line=3, hint="mend it")])


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process is not copied")
def test_work_that_is_done_apart_leaves_nothing_here() -> None:
    """In a process of one thread, which that of the tests may not be."""
    program = (
        "import os; from batcher_site.parallel import apart; print(apart(os.getpid), os.getpid())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    there, here = done.stdout.split()
    assert there != here


def test_where_other_threads_run_work_is_done_here() -> None:
    """A copy has no other threads, but the locks that they hold."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert parallel.apart(os.getpid) == os.getpid()
    finally:
        done.set()
        thread.join()


def test_what_is_made_and_what_is_refused_come_back_whole() -> None:
    large = "x" * 1_000_000
    assert parallel.apart(lambda: {"a": large}) == {"a": large}
    with pytest.raises(SiteErrors) as caught:
        parallel.apart(refuse)
    (error,) = caught.value.errors
    assert (str(error), error.hint) == ("a.md:3: no", "mend it")


def test_work_goes_on_beside_until_it_is_waited_for() -> None:
    waits = [parallel.beside(partial(pow, number, 2)) for number in range(3)]
    assert [wait() for wait in waits] == [0, 1, 4]
