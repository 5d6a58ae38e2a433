"""
Whether the colours of the tokens can be read on the paper, in light and in dark.

The measure is that of WCAG 2.2 (1.4.3 for text, 1.4.11 for what is drawn). Only colours written as
`light-dark(#…, #…)` can be measured; any other is told, not guessed.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

PAPER, LINE = "paper", "line"
LEAST = {"ink": 4.5, "ink-soft": 4.5, "prefill": 4.5, "decode": 4.5, "padding": 3.0}
"""The least contrast of each token against the paper: the padding is drawn, the others are text."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(rf"--({PAPER}|{LINE}|{'|'.join(LEAST)})\s*:\s*([^;{{}}]+)")
_HEX = r"#(?:[0-9a-f]{6}|[0-9a-f]{3})"
_PAIR = re.compile(rf"light-dark\(\s*({_HEX})\s*,\s*({_HEX})\s*\)", re.IGNORECASE)
# One token in the place of another, or a colour of the system's in forced colours.
_ELSEWHERE = re.compile(r"var\(--[\w-]+\)|[A-Z]\w+")


class Token(Struct, frozen=True):
    """A colour where it is set; `pair` is for light and dark, None where it cannot be measured."""

    name: str
    path: str
    line: int
    pair: tuple[str, str] | None


class Faint(Struct, frozen=True):
    """A token that is too near to the paper: the least of its two contrasts."""

    token: Token
    scheme: str
    contrast: float
    least: float


def tokens(sheets: Mapping[str, str]) -> dict[str, Token]:
    """Give the tokens that style sheets set; where two set the same, the last one counts."""
    found: dict[str, Token] = {}
    for path, sheet in sheets.items():
        # Comments give way to blanks, so that lines keep their numbers.
        text = _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), sheet)
        for match in _TOKEN.finditer(text):
            name, value = match[1], match[2].strip()
            if _ELSEWHERE.fullmatch(value):
                continue
            pair = _PAIR.fullmatch(value)
            line = text.count("\n", 0, match.start()) + 1
            found[name] = Token(name, path, line, (pair[1], pair[2]) if pair else None)
    return found


def light_colours(sheets: Mapping[str, str]) -> dict[str, str]:
    """Give the colours in light as #rgb or #rrggbb; of each token the last that can be measured."""
    measured = (token for path, sheet in sheets.items() for token in tokens({path: sheet}).values())
    return {token.name: token.pair[0] for token in measured if token.pair}


def faint(found: Mapping[str, Token]) -> Iterator[Faint]:
    """Give the tokens whose contrast against the paper is too small in light or in dark."""
    paper = found.get(PAPER)
    if paper is None or paper.pair is None:
        return
    for name, least in LEAST.items():
        token = found.get(name)
        if token is None or token.pair is None:
            continue
        for scheme, colour, ground in zip(("light", "dark"), token.pair, paper.pair, strict=True):
            reached = contrast(colour, ground)
            if reached < least:
                yield Faint(token, scheme, reached, least)


def contrast(one: str, other: str) -> float:
    """Give the contrast of two colours as `#rgb` or `#rrggbb`: 1 for equal ones, at most 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == len("#rrggbb") else "".join(2 * x for x in colour[1:])
    red, green, blue = (_linear(int(digits[n : n + 2], 16) / 255) for n in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    """Undo the curve of sRGB (IEC 61966-2-1)."""
    is_dark = channel <= 0.04045  # noqa: PLR2004 -- where the standard's line meets its curve
    return channel / 12.92 if is_dark else ((channel + 0.055) / 1.055) ** 2.4
