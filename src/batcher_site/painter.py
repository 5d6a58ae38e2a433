"""
Pictures for other sites, 1200 by 630 pixels: the title, and the page's request in the run.

The only module that draws. Text is laid out by the library's own simple engine, so the same fonts
give the same bytes everywhere.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property
from io import BytesIO
from itertools import accumulate, chain

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

from batcher_site.model import Stay
from batcher_site.previews import Preview

WIDTH, HEIGHT = 1200, 630

_MARGIN = 72
_ROOM = WIDTH - 2 * _MARGIN
_TITLE_TOP = 148
# A title is set as large as it fits: a size, and the lines that it may take. What does not fit the
# last of them, about 250 letters, ends in an ellipsis.
_TITLE_SIZES = ((92, 1), (80, 2), (60, 3), (46, 4), (36, 5))
_LEADING = 1.12
_SMALL, _SMALL_LINES = 28, 2
_LANES_BOTTOM = HEIGHT - _MARGIN
_LANE, _BAR = 26, 18
# The drawing is one byte a pixel. Text blends from paper (0) to ink; the rest are flat colours.
_INK, _SOFT = 200, 140
_COLOURS = ("line", "prefill", "decode")
# For what a style leaves out: an owner's tokens may be written in a way that cannot be read here.
_PLAIN = {
    "paper": "#ffffff",
    "ink": "#000000",
    "line": "#cccccc",
    "prefill": "#555555",
    "decode": "#000000",
}
_FIRST_COLOUR = _INK + 1
_KINDS = {"prefill": "prefill", "recompute": "prefill", "decode": "decode"}


class Style(Struct, frozen=True):
    """
    Fonts as files, and the colours `paper`, `ink`, `line`, `prefill`, `decode` as #rrggbb.

    A colour that is not given is black, white or grey.
    """

    title_font: bytes
    mono_font: bytes
    colours: Mapping[str, str]


def paint(previews: Mapping[str, Preview], style: Style) -> dict[str, bytes]:
    """Give each picture as PNG under its name."""
    painter = _Painter(style)
    return {name: painter.paint(preview) for name, preview in previews.items()}


class _Painter:
    """Paints in one style. A text with a letter that its font lacks is left out: no empty boxes."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._faces: dict[tuple[str, int], _Face] = {}

    def paint(self, preview: Preview) -> bytes:
        image = Image.new("L", (WIDTH, HEIGHT), 0)
        draw = ImageDraw.Draw(image)
        small, base = self._face("mono", _SMALL), _MARGIN + _SMALL
        draw.text((_MARGIN, base), small.shown(preview.wordmark), _SOFT, small.font, "ls")
        draw.text((WIDTH - _MARGIN, base), small.shown(preview.place), _SOFT, small.font, "rs")
        bottom = self._title(draw, preview.title)
        for number, line in enumerate(small.fit(small.shown(preview.line), _SMALL_LINES)):
            place = (_MARGIN, bottom + _SMALL + number * round(_SMALL * 1.4))
            draw.text(place, line, _INK, small.font, "lt")
        _draw_run(draw, preview)
        image.putpalette(self._palette)
        file = BytesIO()
        image.save(file, "PNG", compress_level=6)
        return file.getvalue()

    def _title(self, draw: ImageDraw.ImageDraw, title: str) -> int:
        """Draw the title as large as it fits, and give where its last line ends."""
        faces = [(self._face("title", size), most) for size, most in _TITLE_SIZES]
        text = faces[0][0].shown(title)
        fitting = ((face, most) for face, most in faces if len(face.wrap(text)) <= most)
        face, most = next(fitting, faces[-1])
        lines, leading = face.fit(text, most), round(face.font.size * _LEADING)
        for number, line in enumerate(lines):
            draw.text((_MARGIN, _TITLE_TOP + number * leading), line, _INK, face.font, "lt")
        return _TITLE_TOP + len(lines) * leading

    def _face(self, name: str, size: int) -> "_Face":
        if (name, size) not in self._faces:
            data = self._style.title_font if name == "title" else self._style.mono_font
            self._faces[name, size] = _Face(data, size)
        return self._faces[name, size]

    @cached_property
    def _palette(self) -> bytes:
        known = _PLAIN | dict(self._style.colours)
        colours = {name: _rgb(colour) for name, colour in known.items()}
        paper, ink = colours["paper"], colours["ink"]
        ramp = (
            round(paper[channel] + (ink[channel] - paper[channel]) * level / _INK)
            for level in range(_INK + 1)
            for channel in range(3)
        )
        flat = (channel for name in _COLOURS for channel in colours[name])
        return bytes([*ramp, *flat])


class _Face:
    """A font in one size: what it can show, and how wide that is."""

    def __init__(self, data: bytes, size: int) -> None:
        self.font = ImageFont.truetype(BytesIO(data), size, layout_engine=ImageFont.Layout.BASIC)
        self._widths: dict[str, float] = {}
        self._known: dict[str, bool] = {}
        # A noncharacter is in no font: what is missing is drawn as the same box.
        self._box = bytes(self.font.getmask("\uffff"))

    def shown(self, text: str) -> str:
        """Give a text all of whose letters can be shown; of any other, nothing."""
        return text if all(letter.isspace() or self._has(letter) for letter in text) else ""

    def _has(self, letter: str) -> bool:
        if letter not in self._known:
            self._known[letter] = bytes(self.font.getmask(letter)) != self._box
        return self._known[letter]

    def width(self, text: str) -> float:
        """Give the pixels that a text takes."""
        return sum(map(self._width, text))

    def _width(self, letter: str) -> float:
        if letter not in self._widths:
            self._widths[letter] = self.font.getlength(letter)
        return self._widths[letter]

    def wrap(self, text: str) -> list[str]:
        """Break a text between words, and within a word that is longer than a line."""
        lines = [""]
        for piece in chain.from_iterable(map(self._pieces, text.split())):
            longer = f"{lines[-1]} {piece}".lstrip()
            if self.width(longer) <= _ROOM:
                lines[-1] = longer
            else:
                lines.append(piece)
        return lines

    def _pieces(self, word: str) -> Iterator[str]:
        rest = word
        while self.width(rest) > _ROOM:
            widths = list(accumulate(map(self._width, rest)))
            count = max(1, bisect_right(widths, _ROOM))
            yield rest[:count]
            rest = rest[count:]
        yield rest

    def fit(self, text: str, most: int) -> list[str]:
        """Give the first lines of a text; where there are more, the last ends in an ellipsis."""
        lines = self.wrap(text)
        if len(lines) > most:
            last = lines[most - 1]
            while self.width(f"{last}…") > _ROOM:
                last = last[:-1]
            lines[most - 1 :] = [f"{last.rstrip()}…"]
        return lines


def _draw_run(draw: ImageDraw.ImageDraw, preview: Preview) -> None:
    """Draw the slots as lanes over the iterations; what is not highlighted is a pale bar."""
    if not preview.iterations:
        return
    scale = _ROOM / preview.iterations
    top = _LANES_BOTTOM - preview.slots * _LANE
    for slot in range(preview.slots):
        y = top + slot * _LANE + _BAR
        draw.rectangle((_MARGIN, y, WIDTH - _MARGIN, y), _colour("line"))
    for stay in preview.stays:
        y = top + stay.slot * _LANE
        if preview.highlighted in {None, stay.id}:
            _draw_marks(draw, stay, y, scale)
        else:
            length = sum(mark.length for mark in stay.marks)
            draw.rectangle((*_span(stay.start, length, scale, y), y + _BAR - 1), _colour("line"))


def _draw_marks(draw: ImageDraw.ImageDraw, stay: Stay, y: int, scale: float) -> None:
    """Draw a prefill as a block, and a decode as one tick for each token."""
    t = stay.start
    for mark in stay.marks:
        colour = _colour(_KINDS[mark.kind])
        if mark.kind == "decode":
            for tick in range(t, t + mark.length):
                left = _MARGIN + round((tick + 0.35) * scale)
                draw.rectangle((left, y, left + max(1, round(scale * 0.3)), y + _BAR - 1), colour)
        else:
            draw.rectangle((*_span(t, mark.length, scale, y), y + _BAR - 1), colour)
        t += mark.length


def _span(start: int, length: int, scale: float, y: int) -> tuple[int, int, int]:
    """Give left, top and right of a bar, with a gap before the next one."""
    left = _MARGIN + round(start * scale)
    return left, y, max(left, _MARGIN + round((start + length) * scale) - 3)


def _colour(name: str) -> int:
    return _FIRST_COLOUR + _COLOURS.index(name)


def _rgb(colour: str) -> tuple[int, int, int]:
    digits = colour[1:]
    if len(digits) == len("rgb"):
        digits = "".join(2 * digit for digit in digits)
    red, green, blue = bytes.fromhex(digits)
    return red, green, blue
