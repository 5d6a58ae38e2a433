"""Style sheets, parsed and shrunk for the element of the page that they stand in."""

import re

from lightningcss import process_stylesheet

from batcher_site.errors import RenderError

_BRACKETS = re.compile(r"[(){}\[\]]")
_DEEPEST_SHEET = 50


def shrink(name: str, text: str) -> str:
    """Shrink a style sheet; raise RenderError where it does not parse."""
    if _depth(text) > _DEEPEST_SHEET:
        message = f"rules are nested more than {_DEEPEST_SHEET} deep"
        raise RenderError(message, source=name, hint="flatten the rules")
    try:
        shrunk = str(process_stylesheet(text, filename=name))
        return inline(name, shrunk, "</style")
    except ValueError as error:
        message, _, place = str(error).rpartition(f" at {name}:")
        line, _, column = place.partition(":")
        raise RenderError(
            message.replace("Parsing stylesheet failed", "not valid CSS"),
            source=name,
            line=int(line) + 1 if line.isdigit() else None,
            column=int(column) if column.isdigit() else None,
            hint="mend the rule, or the one before it",
        ) from None


def _depth(text: str) -> int:
    """Give how deep brackets lie in each other; the parser has no limit of its own and crashes."""
    deepest = depth = 0
    for bracket in _BRACKETS.findall(text):
        depth += 1 if bracket in "([{" else -1
        deepest = max(deepest, depth)
    return deepest


def inline(name: str, text: str, closing_tag: str) -> str:
    """Give the text of an inline element, which may not hold its own closing tag."""
    if closing_tag in text.lower():
        raise RenderError(
            f'"{closing_tag}" in this file would end the element that it stands in',
            source=name,
            hint="write it in two pieces",
        )
    return text
