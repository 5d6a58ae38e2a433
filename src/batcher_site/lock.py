"""One process at a time in a folder: a lock of the operating system, freed even by a kill."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NAME = "lock"
_ATTEMPTS = 1000


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """
    Hold `folder` for this process; wait while another one has it.

    The holder may delete the folder with the lock in it: whoever waits then begins anew. Raises
    OSError where the folder cannot be made.
    """
    descriptor = _acquire(folder / _NAME)
    try:
        yield
    finally:
        os.close(descriptor)


def _acquire(file: Path) -> int:
    for attempt in range(_ATTEMPTS):
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
        except (FileExistsError, FileNotFoundError):
            # The holder may be deleting the folder at this moment; what lasts is another's fault.
            if attempt == _ATTEMPTS - 1:
                raise
            continue
        _wait(descriptor)
        try:
            if os.path.samestat(os.fstat(descriptor), file.stat()):
                return descriptor
        except FileNotFoundError:
            pass  # the lock that was waited for is gone with its folder
        os.close(descriptor)
    raise BlockingIOError(errno.EAGAIN, "others take the folder again and again", str(file))


if sys.platform == "win32":
    import msvcrt
    import time

    _PAUSE = 0.05

    def _wait(descriptor: int) -> None:
        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            except OSError:
                time.sleep(_PAUSE)
            else:
                return
else:
    import fcntl

    def _wait(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
