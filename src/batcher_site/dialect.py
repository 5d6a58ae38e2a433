"""
Lists as code hosts read them, brought to the form that the Markdown library reads.

CommonMark (0.31, section 5.2) measures what belongs to an item by where its text begins, two blanks
for `- `, three for `1. `; the library by multiples of four. And there a list may follow a paragraph
without an empty line. `regular` writes lines anew so that both mean the same; nothing else changes.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

_TAB = 4
_STEP = 4
# From here on, blanks before a text make code of it.
_CODE_INDENT = 4
_MARKER = re.compile(r"(?P<sign>[-+*]|(?P<number>\d{1,9})[.)])(?P<blanks>[ \t]+|$)(?P<text>.*)")
_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_RULE = re.compile(r"(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
# What ends a paragraph without an empty line: a heading, a quote, HTML.
_OTHER_BLOCK = re.compile(r"#{1,6}(?:[ \t]|$)|>|<[/!a-zA-Z]")
# What may stand right before a list of the library's own: definitions and notes indent by four.
_OWN_FORM = re.compile(r":[ \t]|\[\^[^\]]+\]:")


class _Item(Struct, frozen=True):
    """An open item: where its marker stands, and where its text begins."""

    marker: int
    text: int


def regular(lines: Iterable[str]) -> list[str]:
    """Give the lines with lists indented by four blanks a level, and set off by an empty line."""
    return list(_Lines().written(lines))


class _Lines:
    def __init__(self) -> None:
        self.items: list[_Item] = []
        self.fence = ""
        self.shift = 0
        # Whether the next line is set off from the block of code before it, which was set off too.
        self.parts = False
        self.is_apart = False
        self.before = ""
        self.is_paragraph = False

    def written(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            indent, text = _split(line)
            if self.fence:
                yield self._code(line, indent, text)
            elif not text:
                self.is_paragraph = self.parts = False
                yield ""
            else:
                if self.parts:
                    yield ""
                self.parts = False
                yield from self._line(indent, text)
            self.before = text

    def _code(self, line: str, indent: int, text: str) -> str:
        """A line of a fenced block, moved as its fence was."""
        if text.startswith(self.fence) and not text.strip(self.fence[0] + " "):
            self.fence = ""
            self.parts = self.is_apart
        if not self.shift:
            return line
        return f"{' ' * max(0, indent + self.shift)}{text}" if text else ""

    def _line(self, indent: int, text: str) -> Iterator[str]:
        marker = None if _RULE.match(text) else _MARKER.match(text)
        is_in_list = bool(self.items)
        is_lazy = self.is_paragraph and not marker and not _starts_block(text)
        if not is_lazy:
            while self.items and indent < self.items[-1].text:
                closed = self.items.pop()
                if marker and indent >= closed.marker:
                    break  # the next item of the same list
        within = indent - (self.items[-1].text if self.items else 0)
        if marker and (within < _CODE_INDENT or self.items):
            if is_in_list or not self.is_paragraph or _OWN_FORM.match(self.before):
                yield self._item(indent, marker)
                return
            if marker["number"] in {None, "1"} and marker["text"]:
                yield ""
                yield self._item(indent, marker)
                return
            # Only a list that begins with 1 may break into a paragraph.
        base = _STEP * len(self.items)
        extra = max(0, within)
        if is_lazy and self.items:
            extra = min(extra, _CODE_INDENT - 1)
        fence = _FENCE.match(text) if within < _CODE_INDENT else None
        if fence and not (fence["fence"][0] == "`" and "`" in fence["info"]):
            self.fence, extra = fence["fence"], 0 if self.items else extra
            self.shift = base + extra - indent
            self.is_apart = bool(self.items) and not self.before
        self.is_paragraph = not (fence or _starts_block(text) or within >= _CODE_INDENT)
        yield f"{' ' * (base + extra)}{text}"

    def _item(self, indent: int, marker: re.Match[str]) -> str:
        level = len(self.items)
        blanks = len(marker["blanks"].expandtabs(_TAB))
        # More than four blanks are code in the item: its text begins after the first.
        width = blanks if 1 <= blanks <= _CODE_INDENT else 1
        code = " " * (blanks - width) if blanks > _CODE_INDENT else ""
        self.items.append(_Item(indent, indent + len(marker["sign"]) + width))
        text = f"{code}{marker['text']}"
        self.is_paragraph = bool(text) and not _starts_block(text)
        nested = _FENCE.match(text)
        if nested:
            self.fence = nested["fence"]
            self.shift = _STEP * len(self.items) - self.items[-1].text
        # The library knows no `1)`.
        sign = marker["sign"].replace(")", ".")
        return f"{' ' * (_STEP * level)}{sign} {text}"


def _starts_block(text: str) -> bool:
    return bool(_OTHER_BLOCK.match(text) or _FENCE.match(text) or _RULE.match(text))


def _split(line: str) -> tuple[int, str]:
    """Give the blanks before a line's text, tabs among them, and the text."""
    text = line.lstrip(" \t")
    return len(line[: len(line) - len(text)].expandtabs(_TAB)), text
