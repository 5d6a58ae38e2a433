"""
Formulas in LaTeX, as MathML that browsers draw without a script.

MathML Core (W3C); the LaTeX stays with it as an annotation, for those who copy or read it aloud.
"""

import re

from math_core import LatexError, LatexToMathML

_ERROR = re.compile(r"(\d+): (.*)", re.DOTALL)
# The library aligns by styles, for which the page's policy has no hole.
_STYLE = re.compile(r' style="([^"]*)"')
_ALIGNED = re.compile(r"text-align: (left|right|center)")


class FormulaError(Exception):
    """A formula that cannot be read: `offset` is the place in it, from 0."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def mathml(latex: str, *, display: bool) -> str:
    """Give a formula as MathML, on a line of its own or in a text; raise FormulaError."""
    converter = LatexToMathML(annotation=True, fancy_error=False)
    formula = latex.strip()
    try:
        made = str(converter.convert_with_local_state(formula, displaystyle=display))
    except LatexError as error:
        found = _ERROR.fullmatch(str(error))
        message, offset = (found[2], int(found[1])) if found else (str(error), 0)
        raise FormulaError(message.rstrip("."), latex.index(formula) + offset) from None
    return _STYLE.sub(_class, made)


def _class(style: re.Match[str]) -> str:
    aligned = _ALIGNED.search(style[1])
    return f' class="align-{aligned[1]}"' if aligned else ""
