"""A new site: `create` copies the starter into a new folder and writes over nothing."""

import os
import shutil

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
        raise OutputError(
            f"cannot be written: {error.strerror}",
            source=str(error.filename or folder),
            hint="check the permissions of the folder above it",
        ) from None
    return tuple(sorted(written))
