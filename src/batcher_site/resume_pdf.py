"""
The résumé on paper: a Typst template, JSON and fonts to the bytes of a PDF.

The only module that knows Typst. The file follows PDF/UA-1 (ISO 14289-1): it is tagged, and a
letter that no font has is refused instead of printed as a box. Its bytes depend on the arguments
alone: no system font is seen, no date is set, and the template reads only its own folder.
"""

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from batcher_site.errors import RenderError, SiteErrors

if TYPE_CHECKING:
    import typst

_TEMPLATE_FOLDER = "templates"
_PLACE = re.compile(r"┌─ (.+):(\d+):(\d+)$", re.MULTILINE)
_NO_LETTER = re.compile(r'the text `"(.+?)"` could not be displayed')


class Paper(Struct, frozen=True):
    """A PDF, or why there is none."""

    data: bytes | None = None
    missing: str = ""


def print_paper(template: str, given: bytes, font_folders: Sequence[str]) -> Paper:
    """
    Print the file `template`, which sees the JSON text `given` as `sys.inputs.given`.

    There is no PDF where Typst cannot be imported, and where no font has a letter of the text.
    Raises SiteErrors with the place in the template that failed.
    """
    try:
        import typst  # noqa: PLC0415 -- a site is built without it, too
    except ImportError as error:
        return Paper(missing=f"typst cannot be imported: {error}")
    fonts = typst.Fonts(include_system_fonts=False, font_paths=list(font_folders))
    try:
        data = typst.compile(
            template,
            root=os.path.dirname(template),
            format="pdf",
            font_paths=fonts,
            sys_inputs={"given": given.decode()},
            pdf_standards=["ua-1"],
            timestamp=0,
        )
    except typst.TypstError as error:
        letter = _NO_LETTER.search(error.message)
        if letter is None:
            raise SiteErrors([_fault(error, template)]) from None
        return Paper(missing=f'no font has "{letter[1]}"; put one that has it into static/fonts/')
    if not isinstance(data, bytes):
        raise TypeError(type(data))
    return Paper(data)


def _fault(error: "typst.TypstError", template: str) -> RenderError:
    found = _PLACE.search(error.diagnostic)
    file, line, column = found.groups() if found else (template, None, None)
    name = os.path.relpath(file, os.path.dirname(template)).replace(os.sep, "/")
    return RenderError(
        error.message,
        source=f"{_TEMPLATE_FOLDER}/{name}",
        line=int(line) if line else None,
        # Typst counts columns from 0.
        column=int(column) + 1 if column else None,
        hint="; ".join(error.hints) or "found while printing /resume.pdf",
    )
