"""What the pictures for other sites show, and how they are painted."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from batcher_site import painter
from batcher_site.model import Mark, Stay
from batcher_site.painter import HEIGHT, WIDTH, Style, paint
from batcher_site.previews import Preview

FONTS = Path(__file__).parents[2] / "static" / "fonts"
COLOURS = {
    "paper": "#fff",
    "ink": "#000000",
    "line": "#00ff00",
    "prefill": "#0000ff",
    "decode": "#ff0000",
}
BLUE, RED, PALE = (0, 0, 255), (255, 0, 0), (0, 255, 0)
STAYS = (
    Stay("a", 0, 0, (Mark("prefill", 2), Mark("decode", 8))),
    Stay("b", 1, 5, (Mark("recompute", 3),)),
)


def style() -> Style:
    title, mono = (FONTS / name for name in ("Inter-SemiBold.ttf", "JetBrainsMono-Regular.ttf"))
    return Style(title.read_bytes(), mono.read_bytes(), COLOURS)


def painted(title: str = "Title", line: str = "line", **more: object) -> Image.Image:
    given = {"wordmark": "Mark", "place": "02 / Work", "title": title, "line": line, **more}
    preview = Preview(**given)  # type: ignore[arg-type]
    data = paint({"x": preview}, style())["x"]
    return Image.open(BytesIO(data)).convert("RGB")


def colours(image: Image.Image) -> dict[tuple[int, ...], int]:
    counted = image.getcolors(WIDTH * HEIGHT)
    assert counted is not None
    return {tuple(colour): count for count, colour in counted if isinstance(colour, tuple)}


def inked(image: Image.Image, top: int, bottom: int) -> tuple[int, int, int, int] | None:
    """Give the box of everything that is not paper between two heights."""
    part = image.crop((0, top, WIDTH, bottom)).convert("L").point(lambda value: 255 - value)
    return part.getbbox()


def test_a_picture_has_the_size_that_sites_ask_for_and_few_bytes() -> None:
    image = painted()
    assert image.size == (WIDTH, HEIGHT)
    preview = Preview(wordmark="M", place="", title="T", line="", slots=4, iterations=60)
    assert len(paint({"x": preview}, style())["x"]) < 30_000


def test_the_same_preview_gives_the_same_bytes() -> None:
    preview = Preview(wordmark="M", place="p", title="A title", line="a line")
    assert paint({"a": preview}, style()) == paint({"a": preview}, style())


@pytest.mark.parametrize(
    "title",
    ["T", "A title of some words", "word " * 60, "x" * 300, "W" * 250, "Größe → Ελλάδα, Москва"],
)
def test_no_text_leaves_the_margins_or_meets_the_lanes(title: str) -> None:
    image = painted(title, "y" * 400, slots=4, iterations=10)
    box = inked(image, 0, HEIGHT)
    assert box is not None
    assert box[0] >= painter._MARGIN - 4
    assert box[2] <= WIDTH - painter._MARGIN + 4
    lanes = painter._LANES_BOTTOM - 4 * painter._LANE
    assert inked(image, lanes - 6, lanes) is None


def test_a_longer_title_is_smaller_and_whole_until_five_lines_are_full() -> None:
    face = painter._Face(style().title_font, 36)
    title = "Two hundred letters " * 10
    assert " ".join(face.fit(title, 5)) == title.strip()
    assert face.fit("x" * 1000, 5)[-1].endswith("…")


@pytest.mark.parametrize("title", ["推論", "مرحبا", "🎉", "T\u0001"])
def test_a_title_that_the_font_cannot_show_is_left_out_not_drawn_as_boxes(title: str) -> None:
    assert painted(title).tobytes() == painted("").tobytes()


def test_the_highlighted_request_has_its_colours_and_the_others_are_pale() -> None:
    everyone = colours(painted(slots=2, iterations=10, stays=STAYS))
    assert everyone[BLUE] > 0
    assert everyone[RED] > 0
    one = colours(painted(slots=2, iterations=10, stays=STAYS, highlighted="b"))
    assert RED not in one
    assert 0 < one[BLUE] < everyone[BLUE]
    assert one[PALE] > everyone[PALE]


def test_a_style_without_colours_is_black_on_white() -> None:
    plain = Style(style().title_font, style().mono_font, {})
    preview = Preview(
        wordmark="M", place="", title="T", line="", slots=2, iterations=9, stays=STAYS
    )
    image = Image.open(BytesIO(paint({"x": preview}, plain)["x"])).convert("RGB")
    assert {(255, 255, 255), (0, 0, 0)} <= colours(image).keys()


def test_without_a_run_there_are_no_lanes() -> None:
    assert PALE not in colours(painted())
