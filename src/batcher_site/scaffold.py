"""
What is written into a site's own folder: the starter of a new one, and files for an editor.

`create` writes over nothing; `write_anew` over the files that it is given, and over no other.
"""

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress

from batcher_site.errors import OutputError, UsageError

# A file that begins with a dot would be left out by packaging tools.
_RENAMED = {"gitignore": ".gitignore"}


def create(folder: str) -> tuple[str, ...]:
    """
    Write the starter site into `folder` and give the names of its files.

    Raises UsageError unless the folder is new or empty.
    """
    if os.path.lexists(folder) and not (os.path.isdir(folder) and not os.listdir(folder)):
        raise UsageError(f"{folder} is there already and not empty", hint="name a new folder")
    starter = os.path.join(os.path.dirname(os.path.abspath(__file__)), "starter")
    written = []
    try:
        for path, names, files in os.walk(starter):
            names.sort()
            for name in sorted(files):
                target = os.path.relpath(os.path.join(path, _RENAMED.get(name, name)), starter)
                os.makedirs(os.path.join(folder, os.path.dirname(target)), exist_ok=True)
                shutil.copyfile(os.path.join(path, name), os.path.join(folder, target))
                written.append(target)
    except OSError as error:
        raise _refused(error, folder) from None
    return tuple(sorted(written))


def write_anew(folder: str, files: Mapping[str, str]) -> tuple[str, ...]:
    """
    Bring files below `folder` to the given texts, each as a whole; give the names of the changed.

    Raises OutputError where a file cannot be written.
    """
    written = []
    for name, text in sorted(files.items()):
        target, data = os.path.join(folder, name), text.encode()
        try:
            if _holds(target, data):
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            beside = f"{target}.{os.getpid()}.tmp"
            try:
                with open(beside, "wb") as file:
                    file.write(data)
                os.replace(beside, target)
            finally:
                with suppress(FileNotFoundError):
                    os.remove(beside)
        except OSError as error:
            raise _refused(error, target) from None
        written.append(name)
    return tuple(written)


def _holds(path: str, data: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read() == data
    except FileNotFoundError:
        return False


def _refused(error: OSError, path: str) -> OutputError:
    return OutputError(
        f"cannot be written: {error.strerror}",
        source=str(error.filename or path),
        hint="check the permissions of the folder above it",
    )
