"""Formulas: what becomes of LaTeX, and where one that cannot be read is told."""

from contextlib import suppress

import pytest

from batcher_site import limit
from batcher_site.errors import SiteErrors
from batcher_site.maths import FormulaError, mathml
from batcher_site.model import Source
from batcher_site.prose import Writer
from batcher_site.urls import Base

WRITER = Writer({}, {}, Base.parse("https://me.example/"))


def faults(text: str) -> list[str]:
    with pytest.raises(SiteErrors) as caught:
        WRITER.render(Source("content/a.md", text))
    return [str(error) for error in caught.value.errors]


def test_the_latex_stays_with_the_formula() -> None:
    made = mathml(r"a < \frac{1}{2}", display=False)
    assert made.startswith("<math><semantics>")
    assert r'<annotation encoding="application/x-tex">a &lt; \frac{1}{2}</annotation>' in made


def test_a_formula_of_its_own_is_displayed() -> None:
    assert mathml("x", display=True).startswith('<math display="block">')


@pytest.mark.parametrize(
    "latex",
    [
        r"\begin{align} a &= b \\ c &= d \end{align}",
        r"\color{red}x",
        r"\begin{equation}a\end{equation}",
    ],
)
def test_no_style_attribute_is_emitted(latex: str) -> None:
    assert " style=" not in mathml(latex, display=True)


@pytest.mark.parametrize(
    ("latex", "said", "offset"),
    [
        (r"a + \nope", r'Unknown command "\nope"', 4),
        ("  a_b_c", "Duplicate", 5),
        (r"\frac{a", "Expected", 7),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(latex: str, said: str, offset: int) -> None:
    with pytest.raises(FormulaError) as caught:
        mathml(latex, display=False)
    assert said in str(caught.value)
    assert caught.value.offset == offset


@pytest.mark.parametrize(
    "latex", [r"\href{javascript:1}{a}", r"\htmlClass{x}{a}", r"\includegraphics{a}"]
)
def test_a_formula_leads_nowhere_and_loads_nothing(latex: str) -> None:
    with pytest.raises(FormulaError):
        mathml(latex, display=False)


def test_markup_in_a_formula_is_text() -> None:
    made = mathml(r"\text{<script>alert(1)</script>} < b", display=False)
    assert "<script" not in made


def test_every_fault_of_a_text_has_its_line_and_column() -> None:
    text = "One $\\foo$ here.\n\n$$\na +\n\\bar b \\baz\n$$\n"
    assert faults(text) == [
        'content/a.md:1:6: in a formula: Unknown command "\\foo"',
        'content/a.md:5:8: in a formula: Unknown command "\\baz"',
    ]


def test_what_an_author_wrote_like_our_mark_stays() -> None:
    made = WRITER.render(Source("content/a.md", '<span class="math" id="math-7"></span>\n')).html
    assert 'id="math-7"' in made


@pytest.mark.parametrize("text", ["$" * 5000, "$a " * 3000, "$$a" * 3000, "\\$" * 5000])
def test_many_signs_end_soon(text: str) -> None:
    with limit.seconds(10), suppress(SiteErrors):
        WRITER.render(Source("content/a.md", text))
