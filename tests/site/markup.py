"""Tags, attributes and tables of a built page, read by the standard library only."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from tests.content.visible_text import Element, read_page


@dataclass(frozen=True)
class Tag:
    """A start tag with its attributes."""

    name: str
    attributes: dict[str, str]


@dataclass
class _Collector(HTMLParser):
    tags: list[Tag] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(Tag(tag, {name: value or "" for name, value in attrs}))


def tags(page: bytes, name: str | None = None, /, **attributes: str) -> list[Tag]:
    """Give the start tags of a page, those of one name or with these attributes."""
    collector = _Collector()
    collector.feed(page.decode())
    collector.close()
    wanted = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    return [
        tag
        for tag in collector.tags
        if name in {None, tag.name} and wanted.items() <= tag.attributes.items()
    ]


def attribute(page: bytes, name: str, wanted: str, /, **attributes: str) -> list[str]:
    """Give the values of one attribute of the tags that are found."""
    found = tags(page, name, **attributes)
    return [tag.attributes[wanted] for tag in found if wanted in tag.attributes]


def text(page: bytes, id_: str | None = None) -> str:
    """Give the visible text of a page, or of its element with an id."""
    root = read_page(page)
    if id_ is None:
        return root.text
    (element,) = [element for element in root.walk() if element.id == id_]
    return element.text


def elements(page: bytes, tag: str) -> list[Element]:
    """Give the visible elements of one name."""
    return [element for element in read_page(page).walk() if element.tag == tag]


def rows(page: bytes) -> Iterator[list[str]]:
    """Give the texts of the cells of each row of each table."""
    for row in elements(page, "tr"):
        yield [cell.text for cell in row.walk() if cell.tag in {"th", "td"}]
