"""
What a check found, in the forms that machines read: one JSON object, or GitHub's annotations.

People read the same through `console`. Pure: findings go in, text comes out.
"""

import posixpath
from collections.abc import Iterable, Iterator

from msgspec import Struct, json

from batcher_site.errors import SiteError
from batcher_site.model import LeftOut, Notice


class Place(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One finding; its path is one of the site's folder, line and column count from 1."""

    message: str
    path: str | None = None
    line: int | None = None
    column: int | None = None
    hint: str | None = None


class Findings(Struct, frozen=True, kw_only=True):
    """
    All that a check found. `pages` is None where the site could not be made.

    Its field names are those of the JSON: a contract.
    """

    pages: int | None
    problems: tuple[Place, ...]
    notices: tuple[Place, ...]
    left_out: tuple[LeftOut, ...]


def collect(
    pages: int | None,
    problems: Iterable[SiteError],
    notices: Iterable[Notice] = (),
    left_out: Iterable[LeftOut] = (),
) -> Findings:
    """Put errors and notices into one form."""
    return Findings(
        pages=pages,
        problems=tuple(
            Place(
                message=error.message,
                path=error.source,
                line=error.line,
                column=error.column,
                hint=error.hint,
            )
            for error in problems
        ),
        notices=tuple(
            Place(message=notice.message, path=notice.source, line=notice.line)
            for notice in notices
        ),
        left_out=tuple(left_out),
    )


def as_json(found: Findings) -> str:
    """Give all findings as one JSON object, without an end of line."""
    return json.format(json.encode(found), indent=2).decode()


def as_github(found: Findings, source: str) -> Iterator[str]:
    """
    Give a workflow command for each finding, which GitHub shows at the line of the file.

    `source` is the site's folder as seen from the repository's root, with "/" between names.
    """
    for problem in found.problems:
        yield _command("error", problem, source)
    for notice in found.notices:
        yield _command("notice", notice, source)
    for item in found.left_out:
        # A pull request of a file has no file of its own: "content/open_source.yaml: #7".
        path = item.source.partition(": ")[0]
        place = Place(message=f"left out {item.source} ({item.reason})", path=path)
        yield _command("notice", place, source)


def _command(level: str, place: Place, source: str) -> str:
    file = posixpath.normpath(posixpath.join(source, place.path)) if place.path else None
    given = {"file": file, "line": place.line, "col": place.column}
    properties = ",".join(
        f"{key}={_escaped(str(value)).replace(':', '%3A').replace(',', '%2C')}"
        for key, value in given.items()
        if value is not None
    )
    text = f"{place.message}\nhint: {place.hint}" if place.hint else place.message
    return f"::{level} {properties}::{_escaped(text)}".replace(" ::", "::", 1)


def _escaped(text: str) -> str:
    """Escape what would end a command; "%" first, since it begins an escape."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
