"""Prose: any text gives safe HTML or faults of the site, and nothing else."""

import re
from html.parser import HTMLParser

from hypothesis import given, settings

from batcher_site.errors import SiteErrors
from batcher_site.model import Source
from batcher_site.prose import Writer
from batcher_site.urls import Base
from tests.property.strategies import markdown

PATH = "content/projects/a.md"
WRITER = Writer({PATH: "/projects/a/"}, {}, Base.parse("https://me.example/"))
RUNNING = {"script", "style", "iframe", "object", "embed", "form", "link", "meta", "base", "svg"}


class Tags(HTMLParser):
    """Collects what a browser would take for tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def rendered(text: str) -> str | None:
    """Give the HTML of a text; None where it has faults, each with a line of the text."""
    try:
        return str(WRITER.render(Source(PATH, text)).html)
    except SiteErrors as group:
        errors = group.errors
    lines = range(1, text.count("\n") + 2)
    assert errors
    assert all(error.source == PATH and error.line in lines for error in errors)
    return None


@given(markdown)
@settings(max_examples=150)
def test_any_text_gives_html_that_cannot_run(text: str) -> None:
    html = rendered(text)
    if html is None:
        return
    assert "<script" not in html.lower()
    assert "<!--" not in html
    for tag, attributes in Tags(html).found:
        assert tag not in RUNNING
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        for name in ("href", "src"):
            address = "".join((attributes.get(name) or "").split()).lower()
            assert ":" not in re.split("[/?#]", address)[0] or address.startswith(
                ("https:", "http:", "mailto:")
            )


@given(markdown)
def test_the_same_text_gives_the_same_html(text: str) -> None:
    """A writer that has rendered other texts gives what a new one gives."""
    first = rendered(text)
    rendered("# x\n\n[^1] <b>\n\n[^1]: y\n\n[r]: a.md\n")
    assert rendered(text) == first
