"""The files for machines, each held against its own specification."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

import pytest
from markupsafe import Markup
from msgspec import structs

from batcher_site import cards
from batcher_site.documents import absolute_addresses, atom_feed, documents, llms_txt, sitemap
from batcher_site.model import PartialDate, Prose, Writing
from batcher_site.pages import Listing, Page, Plan
from batcher_site.urls import Base
from tests.unit.values import content, page, site, writing

BASE = Base.parse("https://me.example/a/")
ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def plan(*pages: Page, writings: Sequence[Writing] = (), html: str = "<p>Text</p>") -> Plan:
    read = content(writings=tuple(writings), site=site(title="T & T", language="de"))
    prose = Prose(html=Markup(html), headings=(), references=(), words=1)  # noqa: S704 -- a test's
    made = cards.make(read, {item.source.path: prose for item in writings}, BASE)
    return Plan(
        site=made.site,
        pages=tuple(map(Listing.of, pages)),
        writings=tuple((card, prose) for card in made.writings),
    )


def test_every_file_but_the_feed_has_its_address() -> None:
    assert set(documents(plan(), BASE, None)) == {
        "/sitemap.xml",
        "/robots.txt",
        "/llms.txt",
        "/site.webmanifest",
        "/.nojekyll",
    }


def test_a_domain_is_written_for_the_host() -> None:
    assert documents(plan(), BASE, "www.me.example")["/CNAME"] == b"www.me.example\n"


def test_robots_may_read_everything_and_find_the_map() -> None:
    assert documents(plan(), BASE, None)["/robots.txt"].decode() == (
        "User-agent: *\nAllow: /\n\nSitemap: https://me.example/a/sitemap.xml\n"
    )


# --- the feed -----------------------------------------------------------------------------------


def feed(*writings: Writing, html: str = "<p>Text</p>") -> ET.Element:
    made = atom_feed(plan(writings=writings, html=html), BASE)
    assert made.startswith(b"<?xml version='1.0' encoding='utf-8'?>\n")
    assert made.endswith(b">\n")
    return ET.fromstring(made)


def text(element: ET.Element, path: str) -> str | None:
    return element.findtext("/".join(f"{ATOM}{step}" for step in path.split("/")))


def test_a_feed_has_what_atom_demands() -> None:
    root = feed(writing("w"))
    assert root.tag == f"{ATOM}feed"
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "de"
    assert (text(root, "title"), text(root, "author/name")) == ("T & T", "Ada")
    assert text(root, "id") == "https://me.example/a/"
    assert [(link.get("rel"), link.get("href")) for link in root.findall(f"{ATOM}link")] == [
        ("self", "https://me.example/a/feed.xml"),
        ("alternate", "https://me.example/a/"),
    ]


def test_an_entry_has_what_atom_demands() -> None:
    root = feed(writing("w", title="W < X", summary="S", tags=["A", "B"]), html="<p>a &amp; b</p>")
    (entry,) = root.findall(f"{ATOM}entry")
    assert (text(entry, "title"), text(entry, "summary")) == ("W < X", "S")
    assert text(entry, "id") == "https://me.example/a/writing/w/"
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert (link.get("rel"), link.get("href")) == ("alternate", "https://me.example/a/writing/w/")
    assert text(entry, "published") == text(entry, "updated") == "2026-10-05T00:00:00Z"
    assert [tag.get("term") for tag in entry.findall(f"{ATOM}category")] == ["A", "B"]
    body = entry.find(f"{ATOM}content")
    assert body is not None
    assert (body.get("type"), body.text) == ("html", "<p>a &amp; b</p>")


def test_an_entry_without_a_summary_has_none() -> None:
    assert text(feed(writing("w")), "entry/summary") is None


def test_a_feed_was_updated_with_its_newest_entry() -> None:
    """A month means its first day; what was updated counts as of then."""
    root = feed(
        writing("a", date=PartialDate(2026, 11)),
        writing("b", date=PartialDate(2025), updated=PartialDate(2027, 1, 2)),
    )
    assert text(root, "updated") == "2027-01-02T00:00:00Z"
    entries = root.findall(f"{ATOM}entry")
    assert [text(entry, "published") for entry in entries] == [
        "2026-11-01T00:00:00Z",
        "2025-01-01T00:00:00Z",
    ]
    assert [text(entry, "updated") for entry in entries] == [
        "2026-11-01T00:00:00Z",
        "2027-01-02T00:00:00Z",
    ]


def test_an_empty_feed_asks_no_clock() -> None:
    assert text(feed(), "updated") == "1970-01-01T00:00:00Z"


def test_a_feed_has_the_newest_twenty() -> None:
    root = feed(*(writing(f"w{number}") for number in range(25)))
    entries = root.findall(f"{ATOM}entry")
    assert [text(entry, "title") for entry in entries] == [f"W{number}" for number in range(20)]


@pytest.mark.parametrize(
    ("html", "absolute"),
    [
        ('<a href="/a/x/">', '<a href="https://me.example/a/x/">'),
        ('<a class="b" href="#c">', '<a class="b" href="https://me.example/a/w/#c">'),
        ('<img alt="" src="/a/p.png">', '<img alt="" src="https://me.example/a/p.png">'),
        ('<a href="https://o.example/">', '<a href="https://o.example/">'),
        ('<a href="mailto:a@b.example">', '<a href="mailto:a@b.example">'),
        ("<code>href=&quot;/x&quot;</code>", "<code>href=&quot;/x&quot;</code>"),
        ('a href="/x"', 'a href="/x"'),
        ('<a data-href="/x">', '<a data-href="/x">'),
        (
            '<a href="/a/"><img src="/b"></a>',
            '<a href="https://me.example/a/"><img src="https://me.example/b"></a>',
        ),
    ],
)
def test_a_feed_s_links_are_whole(html: str, absolute: str) -> None:
    assert absolute_addresses(html, BASE, "https://me.example/a/w/") == absolute


def test_an_entry_s_own_links_are_whole() -> None:
    root = feed(writing("w"), html='<a href="#x">x</a>')
    assert text(root, "entry/content") == '<a href="https://me.example/a/writing/w/#x">x</a>'


# --- the map and the contents -------------------------------------------------------------------


def test_a_map_has_every_page_but_drafts_and_the_one_for_lost_addresses() -> None:
    pages = [
        page("/"),
        structs.replace(page("/writing/w/"), modified="2026-10"),
        page("/404.html"),
        page("/draft/", is_draft=True),
        page("/größe/"),
    ]
    root = ET.fromstring(sitemap(plan(*pages), BASE))
    assert root.tag == f"{MAP}urlset"
    assert [(url.findtext(f"{MAP}loc"), url.findtext(f"{MAP}lastmod")) for url in root] == [
        ("https://me.example/a/", None),
        ("https://me.example/a/gr%C3%B6%C3%9Fe/", None),
        ("https://me.example/a/writing/w/", "2026-10"),
    ]


def test_the_contents_for_language_models_are_markdown() -> None:
    draft = page("/projects/y/", "project", is_draft=True)
    made = llms_txt(plan(page("/"), page("/projects/x/", "project"), draft), BASE).decode()
    assert made == (
        "# T & T\n\n> Tests. A pitch.\n\n## Projects\n\n"
        "- [Here](https://me.example/a/projects/x/): Description\n"
    )
