"""
The end of a build before it begins: where nothing has changed since the last one, nothing is read.

A finished build leaves a record in the cache folder: how it was asked, the listing of everything
that it read, the files that it wrote, what it said, and until when the clock changes nothing. If
all of this still holds, the next build says the same and ends. Listings are compared as text, so no
digest stands between; a size and a time of modification that were set back are seen by the time of
change and the number of the file. This module is loaded before the command line is: it imports
nothing that Python has not loaded for its own start.
"""

import os
import sys
import time

_FORMAT = "batcher-unchanged 1"
_NAME = "unchanged"
_CACHE = ".batcher-cache"
_CACHE_VARIABLE = "BATCHER_CACHE_DIR"
_THEME = ("templates", "static")
_UNFINISHED = ".batcher-tmp"
_VALUES = ("--source", "--output", "--base-url", "--date", "--cache-dir", "--jobs")
_FLAGS = ("--drafts", "--future")
_END = "\0"  # no name of a file has it
_NAMES = "surrogateescape"  # how Python gives a name that is not UTF-8
# How old a file must be for its times to tell it from a later state: some systems count in ticks of
# 10 ms, and some file systems in whole seconds, or two of them.
_TICK = 50_000_000
_COARSE = 2_100_000_000
_SECOND = 1_000_000_000

Note = tuple[str, str]
"""A line of what a build says on the standard error stream, and its colour."""


class Request:
    """
    How a build was asked for, as far as its result depends on it, and where its record lies.

    `inputs` is the listing of what it reads, taken here: what changes later was not seen.
    `is_settled` tells whether every file is old enough that a later change shows in its times.
    """

    def __init__(
        self, values: dict[str, str], *, drafts: bool = False, future: bool = False
    ) -> None:
        self.source = values.get("--source", ".")
        self.output = values.get("--output") or os.path.join(self.source, "dist")
        self.cache = cache_folder(self.source, values.get("--cache-dir"))
        asked = (values.get("--base-url", ""), values.get("--date", ""), str(drafts), str(future))
        machine = (os.environ.get("SOURCE_DATE_EPOCH", ""), sys.version, *installed())
        self.key = "\n".join((_FORMAT, *asked, *machine))
        now = time.time_ns()
        lines, changed = _inputs(self.source)
        self.inputs = "\n".join(lines)
        self.is_settled = all(is_settled(moment, now) for moment in changed)


class Finished:
    """What the last build said: the number of its pages, and its notes."""

    def __init__(self, pages: int, notes: list[Note]) -> None:
        self.pages = pages
        self.notes = notes


def parse(arguments: list[str]) -> Request | None:
    """Read a command line; None for all but a plain build, which the command line reads better."""
    if not arguments or arguments[0] != "build":
        return None
    values: dict[str, str] = {}
    flags: set[str] = set()
    rest = iter(arguments[1:])
    for argument in rest:
        name, mark, value = argument.partition("=")
        if argument in _FLAGS:
            flags.add(argument)
        elif name not in _VALUES:
            return None
        else:
            values[name] = value if mark else next(rest, "")
            if not values[name] or values[name].startswith("-"):
                return None
    if not values.get("--jobs", "1").isdecimal() or values.get("--jobs") == "0":
        return None
    return Request(values, drafts="--drafts" in flags, future="--future" in flags)


def cache_folder(source: str, asked: str | None) -> str:
    """Give the folder of the cache: the one asked for, the environment's, or one in the source."""
    return asked or os.environ.get(_CACHE_VARIABLE) or os.path.join(source, _CACHE)


def is_settled(changed: int, now: int) -> bool:
    """Tell whether a later change must show in a file's times; both in nanoseconds."""
    return now - changed >= (_TICK if changed % _SECOND else _COARSE)


def make_cache_folder(folder: str) -> None:
    """Make the folder of the cache; nobody means to commit it."""
    os.makedirs(folder, exist_ok=True)
    mark = os.path.join(folder, ".gitignore")
    if not os.path.exists(mark):
        with open(mark, "w", encoding="utf-8") as file:
            file.write("*\n")


def look(request: Request) -> Finished | None:
    """Give what the last build said if a new one would give the same; None if it may not."""
    try:
        key, inputs, first, last, pages, count, *rest = _read(request)
        notes, outputs = rest[: 2 * int(count)], rest[2 * int(count) :]
        is_now = float(first) <= time.time() < float(last)
        finished = Finished(int(pages), list(zip(notes[::2], notes[1::2], strict=True)))
    except (OSError, ValueError):
        return None  # there is none, or it is damaged: a build is made
    if not is_now or key != request.key or inputs != request.inputs:
        return None
    if os.path.lexists(os.path.join(request.output, _UNFINISHED)):
        return None
    return finished if outputs == signatures(request.output, outputs[::2]) else None


def left_outputs(request: Request) -> list[str]:
    """Give the signatures of the files that the last build left, whatever has changed since."""
    try:
        _, _, _, _, _, count, *rest = _read(request)
        outputs = rest[2 * int(count) :]
    except (OSError, ValueError):
        return []  # there is none, or it is damaged: files are read instead
    return outputs if len(outputs) % 2 == 0 else []


def _read(request: Request) -> list[str]:
    with open(_record(request), encoding="utf-8", errors=_NAMES, newline="") as file:
        parts = file.read().split(_END)
    if parts.pop() != _FORMAT:
        raise ValueError("the record is cut off")
    return parts


def remember(
    request: Request, finished: Finished, between: tuple[float, float], outputs: list[str]
) -> None:
    """
    Leave the record of a finished build; raise OSError where it cannot be written.

    `between` are the moments between which the clock changes nothing, `outputs` the `signatures`
    of the files that the build left.
    """
    if not request.is_settled:
        return
    make_cache_folder(request.cache)
    notes = [part for note in finished.notes for part in note]
    numbers = (*map(repr, between), str(finished.pages), str(len(finished.notes)))
    record = _END.join([request.key, request.inputs, *numbers, *notes, *outputs, _FORMAT])
    path = _record(request)
    temporary = f"{path}.new"
    # What lies there was left by a build that was killed, or belongs to one at the same time: no
    # two write into one file, and one that is moved before its end is seen by its missing mark.
    if os.path.lexists(temporary):
        _remove(temporary)
    try:
        with open(temporary, "x", encoding="utf-8", errors=_NAMES, newline="") as file:
            file.write(record)
        os.replace(temporary, path)
    except (FileExistsError, FileNotFoundError):
        return  # another build is leaving its own


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return  # the other build has just moved it


def _record(request: Request) -> str:
    return os.path.join(request.cache, _NAME)


def signatures(folder: str, paths: list[str]) -> list[str]:
    """Give each path with what tells the state of its file below `folder` from any other."""
    found: list[str] = []
    for path in paths:
        found.append(path)
        try:
            found.append(_signature(os.lstat(os.path.join(folder, path))))
        except OSError:
            found.append("")  # no file: never what a build left
    return found


def _signature(status: os.stat_result) -> str:
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def _inputs(source: str) -> tuple[list[str], list[int]]:
    """List everything that a build reads, and when each changed: site, theme, this program."""
    package = os.path.dirname(os.path.abspath(__file__))
    checkout = os.path.dirname(os.path.dirname(package))
    folders = [os.path.join(source, name) for name in ("content", *_THEME)]
    for root in (os.path.join(package, "theme"), checkout):
        folders += [os.path.join(root, name) for name in _THEME]
    return listing([*folders, package])


def listing(folders: list[str] | tuple[str, ...]) -> tuple[list[str], list[int]]:
    """Give the signatures of all files below folders, and when each changed, in nanoseconds."""
    lines: list[str] = []
    changed: list[int] = []
    for folder in dict.fromkeys(map(os.path.abspath, folders)):
        lines.append("")
        _walk(folder, "", lines, changed)
    return lines, changed


def _walk(folder: str, name: str, lines: list[str], changed: list[int]) -> None:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return  # no such folder, or one that the build will complain about
    for entry in entries:
        path = f"{name}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            if entry.name != "__pycache__":
                _walk(entry.path, path, lines, changed)
            continue
        try:
            status = entry.stat()
        except OSError:
            lines.append(path)  # a link to nowhere
            continue
        lines.append(f"{path} {_signature(status)}")
        changed.append(status.st_ctime_ns)


def installed() -> list[str]:
    """Give the names of the installed packages, which have their versions in them."""
    names: list[str] = []
    for folder in sys.path:
        try:
            found = os.listdir(folder or ".")
        except OSError:
            continue  # the zip of the standard library, which few have
        names += sorted(name for name in found if name.endswith((".dist-info", ".egg-info")))
    return names
