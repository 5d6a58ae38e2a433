"""The contrast of the tokens against the paper."""

from pathlib import Path

import pytest

from batcher_site.contrast import LEAST, contrast, faint, tokens

THEME = Path(__file__).parents[2] / "static/css/tokens.css"
SHEET = """\
:root {
  /* --ink: light-dark(#fff, #000);
  */
  --paper: light-dark(#ffffff, #000);
  --ink: light-dark(#767676, #FFF);
  --decode: light-dark(#777777, #fff);
  --padding: light-dark(#949494, #585858);
}
"""


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000", "#ffffff", 21.0),
        ("#ffffff", "#000000", 21.0),
        ("#abc", "#aabbcc", 1.0),
        ("#767676", "#fff", 4.54),  # the lightest grey that may be text on white
        ("#777777", "#fff", 4.48),
        ("#010101", "#000", 1.006),
    ],
)
def test_the_contrast_is_that_of_wcag(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.005)


def test_a_colour_too_near_to_the_paper_is_told_with_its_line_and_scheme() -> None:
    found = [
        (item.token.name, item.token.line, item.scheme, round(item.contrast, 2), item.least)
        for item in faint(tokens({"tokens.css": SHEET}))
    ]
    assert found == [("decode", 6, "light", 4.48, 4.5), ("padding", 7, "dark", 2.95, 3.0)]


def test_the_last_sheet_that_sets_a_token_counts() -> None:
    black_or_white = "light-dark(#000, #fff)"
    own = f".x {{}}\n:root {{ --decode: {black_or_white}; --padding: {black_or_white} }}"
    set_by = tokens({"tokens.css": SHEET, "custom.css": own})
    assert list(faint(set_by)) == []
    assert (set_by["decode"].path, set_by["decode"].line) == ("custom.css", 2)


@pytest.mark.parametrize("value", ["oklch(50% 0.1 20)", "#123", "light-dark(red, #fff)"])
def test_a_colour_that_cannot_be_measured_is_known_as_such(value: str) -> None:
    found = tokens({"tokens.css": SHEET, "custom.css": f":root {{ --decode: {value}; }}"})
    assert found["decode"].pair is None
    assert [item.token.name for item in faint(found)] == ["padding"]


@pytest.mark.parametrize("value", ["var(--ink)", "CanvasText"])
def test_a_token_that_names_another_colour_sets_nothing(value: str) -> None:
    sheets = {"tokens.css": SHEET, "custom.css": f"@media print {{ :root {{ --ink: {value} }} }}"}
    assert tokens(sheets)["ink"].pair == ("#767676", "#FFF")


def test_without_a_paper_nothing_is_measured() -> None:
    assert list(faint(tokens({"own.css": ":root { --ink: light-dark(#fff, #000) }"}))) == []


def test_the_theme_sets_every_token_and_all_can_be_read() -> None:
    found = tokens({"tokens.css": THEME.read_text(encoding="utf-8")})
    assert found.keys() == {"paper", "line", *LEAST}
    assert all(token.pair for token in found.values())
    assert list(faint(found)) == []
