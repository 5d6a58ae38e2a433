"""
The text of a built page as a reader sees it, as a tree of its elements.

Only the standard library reads the page here, so that nothing of the program checks itself.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser

_VOID = frozenset(
    "area base br col embed hr img input link meta source track wbr path rect use".split()
)
_UNSEEN = frozenset("head script style template noscript title desc datalist".split())
_INLINE = frozenset(
    "a abbr b bdi bdo cite code data del dfn em i ins kbd mark q s samp small span strong sub sup"
    " time u var wbr math mi mn mo mrow msup".split()
)
# An element that ends, without its own end tag, where one of these begins beside it.
_ENDED_BY: dict[str, frozenset[str]] = {
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "tr": frozenset({"tr", "tbody", "tfoot"}),
    "td": frozenset({"td", "th", "tr", "tbody", "tfoot"}),
    "th": frozenset({"td", "th", "tr", "tbody", "tfoot"}),
    "thead": frozenset({"tbody", "tfoot"}),
    "option": frozenset({"option"}),
    "p": frozenset(
        "article aside blockquote details div dl figure footer h1 h2 h3 h4 h5 h6 header hr main nav"
        " ol p pre section table ul".split()
    ),
}
_SPACES = re.compile(r"\s+")


@dataclass
class Element:
    """An element of a page with what stands in it, in order."""

    tag: str
    id: str | None = None
    seen: bool = True
    inside: "list[Element | str]" = field(default_factory=list)

    @cached_property
    def text(self) -> str:
        """The visible text, white space made one space, blocks kept apart by one."""
        return _SPACES.sub(" ", "".join(self._pieces())).strip()

    def walk(self) -> "Iterator[Element]":
        """Give this element and all visible ones in it."""
        if self.seen:
            yield self
            for inner in self.inside:
                if isinstance(inner, Element):
                    yield from inner.walk()

    def _pieces(self) -> Iterator[str]:
        if not self.seen:
            return
        gap = "" if self.tag in _INLINE else " "
        yield gap
        for inner in self.inside:
            if isinstance(inner, Element):
                yield from inner._pieces()
            else:
                yield inner
        yield gap


def read_page(page: bytes) -> Element:
    """Give the tree of an HTML page."""
    reader = _Reader()
    reader.feed(page.decode("utf-8"))
    reader.close()
    return reader.root


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("document")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        while tag in _ENDED_BY.get(self._open[-1].tag, ()):
            self._open.pop()
        self._add(tag, dict(attrs))
        if tag not in _VOID:
            self._open.append(self._last())

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._add(tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        if any(element.tag == tag for element in self._open):
            while self._open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        self._open[-1].inside.append(data)

    def _add(self, tag: str, attributes: dict[str, str | None]) -> None:
        classes = (attributes.get("class") or "").split()
        seen = not (
            tag in _UNSEEN
            or "hidden" in attributes
            or "visually-hidden" in classes
            or attributes.get("type") == "hidden"
        )
        self._open[-1].inside.append(Element(tag, attributes.get("id"), seen))

    def _last(self) -> Element:
        element = self._open[-1].inside[-1]
        assert isinstance(element, Element)
        return element
