"""
Promises that the finished files must keep: links lead somewhere, ids are unique, pictures speak.

Pure over the outputs: nothing is read from disk or fetched. It sees every file of the site, so it
is the one place that can tell whether an address leads somewhere.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from html import unescape
from types import MappingProxyType
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


class MarkupFacts(Struct, frozen=True, array_like=True):
    """What a page holds: links that leave it or lead nowhere in it, ids, pictures, headings."""

    links: tuple[str, ...]
    ids: frozenset[str]
    repeated_ids: tuple[str, ...]
    silent_pictures: tuple[str, ...]
    first_headings: int


class CheckedPage(Struct, frozen=True):
    """A page of the outputs: its output file, the file that it was made from, the text it shows."""

    file: str
    source: str
    text: Source | None


def check(
    outputs: Mapping[str, bytes],
    pages: Iterable[CheckedPage],
    base: Base,
    known: Mapping[str, MarkupFacts] = MappingProxyType({}),
) -> list[CheckError]:
    """
    Give every broken promise of the pages.

    Dead links and anchors, ids used twice, pictures without a text, and headings of the first rank
    that are missing or many. `known` are facts of pages that are not looked for again.
    """
    checked = list(pages)
    facts = {
        page.file: known.get(page.file) or markup_facts(outputs[page.file]) for page in checked
    }
    links = _Links({file: markup.ids for file, markup in facts.items()}, outputs, base)
    problems: dict[str, CheckError] = {}
    for page in checked:
        for error in _page_errors(page, facts[page.file], links, base):
            problems.setdefault(str(error), error)
    return list(problems.values())


def markup_facts(page: bytes) -> MarkupFacts:
    """Find in a finished page what its promises are about."""
    text = page.decode()
    links: dict[str, None] = {}
    ids: set[str] = set()
    repeated: list[str] = []
    silent: list[str] = []
    first_headings = 0
    for tag, attributes in _tags(text):
        if tag in _ADDRESSES and attributes.get(_ADDRESSES[tag]):
            links[attributes[_ADDRESSES[tag]]] = None
        name = attributes.get("id")
        if name is not None:
            if name in ids:
                repeated.append(name)
            ids.add(name)
        if tag == "img" and "alt" not in attributes:
            silent.append(attributes.get("src", ""))
        first_headings += tag == "h1"
    return MarkupFacts(
        tuple(href for href in links if not _leads_here(href, ids)),
        frozenset(ids),
        tuple(repeated),
        tuple(silent),
        first_headings,
    )


def _leads_here(href: str, ids: Container[str]) -> bool:
    return href.startswith("#") and (href == "#" or unquote(href[1:]) in ids)


class _Links:
    """Tells which links are dead, and looks at one that many pages have only once."""

    def __init__(
        self, ids: Mapping[str, frozenset[str]], outputs: Container[str], base: Base
    ) -> None:
        self._ids = ids
        self._outputs = outputs
        self._base = base
        self._problems: dict[str, str | None] = {}

    def dead(self, href: str, file: str) -> str | None:
        if href.startswith("#"):
            return _dead(href, file, self._ids, self._outputs, self._base)
        if href not in self._problems:
            self._problems[href] = _dead(href, "", self._ids, self._outputs, self._base)
        return self._problems[href]


def shown(page: str) -> str:
    """Give the markup of a page without comments, and without what scripts and styles hold."""
    return _SILENT.sub(r"\1", _COMMENT.sub("", page))


def attributes_of(markup: str, tag: str) -> Iterator[dict[str, str]]:
    """Give the attributes of every tag of one name."""
    for match in _TAG.finditer(markup):
        if match[1].lower() == tag:
            yield _attributes(match[2])


def _tags(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Give every tag; its attributes only where they matter: highlighted code is full of tags."""
    for match in _TAG.finditer(shown(text)):
        tag, written = match[1].lower(), match[2]
        matters = tag in _ADDRESSES or "id" in written
        yield tag, _attributes(written) if matters else {}


def _attributes(written: str) -> dict[str, str]:
    return {
        name: unescape(value[1:-1] if value[:1] in {'"', "'"} else value)
        for name, value in _ATTRIBUTE.findall(written)
    }


def _page_errors(
    page: CheckedPage,
    markup: MarkupFacts,
    links: _Links,
    base: Base,
) -> Iterator[CheckError]:
    for href in markup.links:
        problem = links.dead(href, page.file)
        if problem:
            written = "/" + href.removeprefix(base.path) if href.startswith(base.path) else href
            yield located(page, problem, written, "mend the link, or add what it leads to")
    for name in markup.repeated_ids:
        message = f'the id "{name}" stands twice in {page.file}'
        yield located(page, message, name, "give one of the two another name")
    for picture in markup.silent_pictures:
        message = f'the picture "{picture}" has no text'
        yield located(page, message, picture, "write what it shows: ![what it shows](file)")
    if markup.first_headings != 1:
        message = f"{page.file} has {markup.first_headings} headings of the first rank, not one"
        yield located(page, message, "", "a page's title is its only h1")


def _dead(
    href: str,
    file: str,
    ids: Mapping[str, frozenset[str]],
    outputs: Container[str],
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


def located(page: CheckedPage, message: str, snippet: str, hint: str) -> CheckError:
    """Give an error at the place in the page's text where it can be found, else at its source."""
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
