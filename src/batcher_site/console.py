"""
What the person at the terminal reads: lines with colour where they are seen, plain in a pipe.

Colour follows no-color.org and the habit of dumb terminals. A name that comes from a file cannot
steer the terminal, and a sign that the stream's encoding lacks does not end the program.
"""

import os
import sys
from collections.abc import Iterable
from time import perf_counter

from batcher_site.errors import SiteError

TYPE_CHECKING = False  # as typing's own, which costs a tenth of a build without a change
if TYPE_CHECKING:
    from typing import TextIO

Part = str | tuple[str, str]
"""A piece of a line: text, or text with the name of its colour."""

_CONTROL = {code: f"\\x{code:02x}" for code in (*range(9), *range(0x0B, 0x20), *range(0x7F, 0xA0))}
_BAR_AFTER_SECONDS = 1.0
_BAR_EVERY_SECONDS = 0.1
_BAR_WIDTH = 30
_COLOURS = {"red": "31", "green": "32", "yellow": "33", "cyan": "36", "bold": "1"}


def say(stream: "TextIO | None", *parts: Part) -> None:
    """Write one line; nothing where the caller has closed the stream."""
    if stream is None:
        return
    pairs = [(part, "") if isinstance(part, str) else part for part in parts]
    line = "".join(_painted(stream, text, colour) for text, colour in pairs) + "\n"
    encoding = stream.encoding or "utf-8"
    try:
        line.encode(encoding)
    except UnicodeEncodeError:
        line = line.replace("→", "->").encode(encoding, "backslashreplace").decode(encoding)
    stream.write(line)


def say_built(
    pages: int,
    changes: tuple[int, int],
    notes: Iterable[tuple[str, str]],
    folder: str,
    start: float,
) -> None:
    """
    Write the end of a build: its notes, and one line with what there is and what was done.

    `changes` are the files written and removed, `start` is when it began by the performance clock.
    """
    for note in notes:
        say(sys.stderr, note)
    written, removed = changes
    seconds = perf_counter() - start
    shown = os.path.join(os.path.relpath(folder), "")
    told = (
        f"{count(pages, 'page')}, {count(written, 'file')} written, {removed} removed"
        f" in {seconds:.2f} s → {shown}"
    )
    say(sys.stdout, (told, "green"))


class Bar:
    """
    Shows on a terminal how far a stage is, if the whole takes longer than a second.

    `start` is when it began by the performance clock. Nothing is left of it after `clear`.
    """

    def __init__(self, stream: "TextIO | None", start: float) -> None:
        is_seen = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
        self._stream = stream if is_seen else None
        self._next = start + _BAR_AFTER_SECONDS
        self._is_shown = False

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show a stage, at most ten times a second."""
        now = perf_counter()
        if self._stream is None or now < self._next:
            return
        self._next = now + _BAR_EVERY_SECONDS
        self._is_shown = True
        full = _BAR_WIDTH * done // total
        bar = "#" * full + "." * (_BAR_WIDTH - full)
        self._stream.write(f"\r{stage:<8}[{bar}] {done}/{total}\x1b[K")
        self._stream.flush()

    def clear(self) -> None:
        """Take the bar away, so that the next line begins where it stood."""
        if self._stream is not None and self._is_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._is_shown = False


def count(number: int, noun: str) -> str:
    """Give a number with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def say_errors(stream: "TextIO | None", errors: Iterable[SiteError]) -> None:
    """Write every fault as `path:line:column: message` with its hint below it."""
    listed = list(errors)
    for error in listed:
        place: tuple[Part, ...] = ((error.place, "bold"), ": ") if error.place else ()
        say(stream, *(place or [("error: ", "red")]), error.message)
        if error.hint:
            say(stream, "  ", ("hint:", "cyan"), f" {error.hint}")
    if len(listed) > 1:
        say(stream, (f"{len(listed)} problems", "red"))


def _painted(stream: "TextIO", text: str, colour: str) -> str:
    shown = text.translate(_CONTROL)
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty()
    return shown if plain or not colour else f"\x1b[{_COLOURS[colour]}m{shown}\x1b[0m"
