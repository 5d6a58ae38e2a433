"""Work that is done in a copy of this process, and what comes back of it."""

import os
import sys

import pytest

from batcher_site import parallel
from batcher_site.errors import ContentError, SiteErrors

MANY = 1000


def refuse() -> int:
    raise SiteErrors([ContentError("no", source="a.md", line=3, hint="mend it")])


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process is not copied")
def test_work_is_done_apart_where_later_work_needs_copies() -> None:
    assert parallel.apart(os.getpid, MANY) != os.getpid()


def test_work_is_done_here_where_few_items_need_no_copies() -> None:
    assert parallel.apart(os.getpid, 1) == os.getpid()


@pytest.mark.parametrize("items", [1, MANY])
def test_what_is_made_and_what_is_refused_come_back_whole(items: int) -> None:
    large = "x" * 1_000_000
    assert parallel.apart(lambda: {"a": large}, items) == {"a": large}
    with pytest.raises(SiteErrors) as caught:
        parallel.apart(refuse, items)
    (error,) = caught.value.errors
    assert (str(error), error.hint) == ("a.md:3: no", "mend it")
