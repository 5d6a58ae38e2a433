"""
Promises that the finished files must keep: links lead somewhere, ids are unique, pictures speak.

Pure over the outputs: nothing is read from disk or fetched. It sees every file of the site, so it
is the one place that can tell whether an address leads somewhere.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from urllib.parse import unquote

from msgspec import Struct

from batcher_site.errors import CheckError
from batcher_site.model import Source
from batcher_site.urls import Base, output_file

# Finished pages come from templates: text cannot hold "<". So one pattern finds the tags; a parser
# that mends broken HTML would hide what should be told. An owner's template may quote either way.
_SILENT = re.compile(r"(<(script|style)\b[^>]*>).*?</\2>", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"""<([a-zA-Z][\w-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>""")
_ATTRIBUTE = re.compile(r"""([\w:-]+)(?:=("[^"]*"|'[^']*'|[^\s"']+))?""")
_ADDRESSES = {"a": "href", "area": "href", "link": "href", "img": "src", "script": "src"}


class CheckedPage(Struct, frozen=True):
    """A page of the outputs: its output file, the file that it was made from, the text it shows."""

    file: str
    source: str
    text: Source | None


def check(
    outputs: Mapping[str, bytes], pages: Iterable[CheckedPage], base: Base
) -> list[CheckError]:
    """
    Give every broken promise of the pages.

    Dead links and anchors, ids used twice, pictures without a text, and headings of the first rank
    that are missing or many.
    """
    checked = list(pages)
    markups = {page.file: _markup(outputs[page.file].decode()) for page in checked}
    ids = {file: markup.ids for file, markup in markups.items()}
    problems: dict[str, CheckError] = {}
    for page in checked:
        for error in _page_errors(page, markups[page.file], ids, outputs, base):
            problems.setdefault(str(error), error)
    return list(problems.values())


class _MarkupFacts(Struct, frozen=True):
    links: tuple[tuple[str, str], ...]
    ids: frozenset[str]
    repeated_ids: tuple[str, ...]
    silent_pictures: tuple[str, ...]
    first_headings: int


def _markup(text: str) -> _MarkupFacts:
    links: list[tuple[str, str]] = []
    ids: set[str] = set()
    repeated: list[str] = []
    silent: list[str] = []
    first_headings = 0
    for tag, attributes in _tags(text):
        if tag in _ADDRESSES and attributes.get(_ADDRESSES[tag]):
            links.append((tag, attributes[_ADDRESSES[tag]]))
        name = attributes.get("id")
        if name is not None:
            if name in ids:
                repeated.append(name)
            ids.add(name)
        if tag == "img" and "alt" not in attributes:
            silent.append(attributes.get("src", ""))
        first_headings += tag == "h1"
    return _MarkupFacts(
        tuple(links), frozenset(ids), tuple(repeated), tuple(silent), first_headings
    )


def _tags(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    for match in _TAG.finditer(_SILENT.sub(r"\1", _COMMENT.sub("", text))):
        yield (
            match[1].lower(),
            {
                name: unescape(value[1:-1] if value[:1] in {'"', "'"} else value)
                for name, value in _ATTRIBUTE.findall(match[2])
            },
        )


def _page_errors(
    page: CheckedPage,
    markup: _MarkupFacts,
    ids: Mapping[str, frozenset[str]],
    outputs: Mapping[str, bytes],
    base: Base,
) -> Iterator[CheckError]:
    for _, href in markup.links:
        problem = _dead(href, page.file, ids, outputs, base)
        if problem:
            written = "/" + href.removeprefix(base.path) if href.startswith(base.path) else href
            yield _error(page, problem, written, "mend the link, or add what it leads to")
    for name in markup.repeated_ids:
        message = f'the id "{name}" stands twice in {page.file}'
        yield _error(page, message, name, "give one of the two another name")
    for picture in markup.silent_pictures:
        message = f'the picture "{picture}" has no text'
        yield _error(page, message, picture, "write what it shows: ![what it shows](file)")
    if markup.first_headings != 1:
        message = f"{page.file} has {markup.first_headings} headings of the first rank, not one"
        yield _error(page, message, "", "a page's title is its only h1")


def _dead(
    href: str,
    file: str,
    ids: Mapping[str, frozenset[str]],
    outputs: Mapping[str, bytes],
    base: Base,
) -> str | None:
    address, mark, fragment = href.partition("#")
    target = file
    if address:
        if address.startswith(("/", base.origin + "/")):
            site_path = base.site_path(address.partition("?")[0])
            if not site_path:
                return f'the link "{href}" leads out of the site\'s folder {base.path}'
            target = output_file(site_path)
        elif ":" in address.partition("/")[0]:
            return None
        else:
            return f'the link "{href}" depends on the place of the page'
    if target not in outputs:
        return f'the link "{href}" leads nowhere: there is no {target}'
    if mark and fragment and target in ids and unquote(fragment) not in ids[target]:
        return f'the link "{href}" leads nowhere: {target} has no id "{unquote(fragment)}"'
    return None


def _error(page: CheckedPage, message: str, snippet: str, hint: str) -> CheckError:
    """Name the place in the page's text where it can be found, else the page's source alone."""
    _, mark, fragment = unquote(snippet).partition("#")
    wanted = mark + fragment if fragment else unquote(snippet)
    start = page.text.text.find(wanted) if page.text and wanted else -1
    if page.text is None or start < 0:
        return CheckError(message, source=page.source, hint=hint)
    before = page.text.text[:start]
    return CheckError(
        message,
        source=page.text.path,
        line=page.text.line + before.count("\n"),
        column=start - before.rfind("\n"),
        hint=hint,
    )
