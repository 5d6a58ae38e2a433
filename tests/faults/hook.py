"""
Faults at the N-th write of a process, by an audit hook: nearly every change to a file passes it.

Not seen are the bytes themselves and what SQLite does; torn files come from a limit on their size,
and the rest from kills at random moments.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

_CHANGES = {
    *("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"),
    *("os.chmod", "shutil.rmtree"),
}
_WRITING = os.O_WRONLY | os.O_RDWR


class Writes:
    """
    Counts the writes of this process, and makes the one with the number `at` fail.

    Where `lasting`, all that come after it fail too.
    """

    def __init__(self, at: int, fault: Callable[[str], None], *, lasting: bool = False) -> None:
        self.seen = 0
        self._at = at
        self._lasting = lasting
        self._fault = fault

    def __call__(self, event: str, args: tuple[object, ...]) -> None:
        """Look at an event of the interpreter."""
        if event == "open":
            path, mode, flags = args
            is_text_mode = isinstance(mode, str) and set(mode) & set("wax+")
            if not is_text_mode and not (isinstance(flags, int) and flags & _WRITING):
                return
        elif event in _CHANGES:
            path = args[0]
        else:
            return
        self.seen += 1
        if self.seen == self._at or (self._lasting and self.seen > self._at):
            self._fault(str(path))


class Reads:
    """Calls `change` when this process opens a file below `folder` for the N-th time."""

    def __init__(self, at: int, folder: Path, change: Callable[[], object]) -> None:
        self._seen = 0
        self._at = at
        self._folder = f"{folder}{os.sep}"
        self._change = change

    def __call__(self, event: str, args: tuple[object, ...]) -> None:
        """Look at an event of the interpreter."""
        if event != "open" or not str(args[0]).startswith(self._folder):
            return
        self._seen += 1
        if self._seen == self._at:
            self._change()


def kill(_path: str) -> None:
    """End this process as a power switch would."""
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(number: int) -> Callable[[str], None]:
    """Give what raises the system's error with this number."""

    def fault(path: str) -> None:
        raise OSError(number, os.strerror(number), path)

    return fault


def install(hook: Writes | Reads) -> None:
    """Install a hook; it stays as long as the process."""
    sys.addaudithook(hook)
