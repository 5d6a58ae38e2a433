"""The same content at a domain's root and below any folder."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import fromstring

import pytest

from batcher_site.build import Options, RenderedSite, render_site
from batcher_site.model import Selection
from tests.site.console import Batcher
from tests.site.markup import Tag, attribute, tags

Render = Callable[..., RenderedSite]

ROOT = Path(__file__).parents[2]
ORIGIN = "https://me.test"
BASES = ("/", "/qq/", "/qq/zz/")
FILES = {
    "content/about.md": "---\n---\nSee [it](/projects/paged/) and [code](projects/paged.md).\n",
    "content/open_source.yaml": (
        "- {repository: Engine, number: 7, title: Fix, month: 2026-11, status: merged}\n"
    ),
    "content/projects/paged.md": """\
---
title: Paged
summary: It pages.
tags: [C++, gpu]
cover: shapes/a b.svg
alt: A shape
metrics: [{label: Speed, values: [{value: 2, unit: x}]}]
headline: Speed
---
## Part

[Text](../writing/long.md#part-two) ![Shape](shapes/a%20b.svg) [here](#part) [home](/)
[data](../notes/deep.pdf) <a href="../writing/long.md">raw</a> [out](https://other.test/x)
""",
    "content/projects/shapes/a b.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "content/writing/long.md": """\
---
title: Long
date: 2026-11-30
tags: [c++]
project: paged
---
## Part two

[Back](../projects/paged.md), [mail](mailto:a@b.test), [tag](/tags/gpu/).
""",
    "content/notes/notes.yaml": "- {topic: T, title: Deep, file: deep.pdf}\n",
    "content/notes/deep.pdf": b"%PDF-1.7 /Type /Page\n",
    "static/data/numbers.csv": "a,b\n",
}
_ADDRESSES = ("href", "src", "srcset", "poster", "action", "formaction", "data", "xlink:href")


def at(path: str) -> str:
    return ORIGIN + path


def pages(outputs: Mapping[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in outputs.items() if path.endswith(".html")}


def addresses(page: bytes) -> list[str]:
    """Every address in a page's markup, but those in its head that are whole by design."""
    whole = {("link", "canonical")}
    return [
        tag.attributes[name]
        for tag in tags(page)
        for name in _ADDRESSES
        if name in tag.attributes and (tag.name, tag.attributes.get("rel")) not in whole
    ]


@pytest.fixture(scope="session")
def shipped_at() -> dict[str, Mapping[str, bytes]]:
    """The shipped site below each folder."""
    selection = Selection(now=datetime(2026, 12, 1, 12, tzinfo=UTC))
    return {
        base: render_site(Options(source=str(ROOT), base_url=at(base), selection=selection)).outputs
        for base in BASES
    }


def at_the_root(outputs: Mapping[str, bytes], base: str) -> dict[str, bytes]:
    """
    Take the prefix off every file.

    The policy's hashes are left out: they are those of the addresses in the data in the head. So is
    the PDF: what its links lead to is looked at in test_resume.py.
    """
    return {
        path: re.sub(rb"sha256-[\w+/]+=", b"sha256-", data.replace(base.encode(), b"/"))
        for path, data in outputs.items()
        if path != "resume.pdf"
    }


@pytest.mark.parametrize("base", BASES[1:])
def test_a_site_below_a_folder_is_the_site_at_the_root_with_a_prefix(
    render: Render, base: str
) -> None:
    """Byte for byte, in every file of the site, after the prefix is taken off."""
    root = render(FILES, base_url=at("/")).outputs
    below = render(FILES, base_url=at(base)).outputs
    assert at_the_root(below, base) == at_the_root(root, "/")


@pytest.mark.parametrize("base", BASES[1:])
def test_the_shipped_site_is_the_same_below_every_folder(
    shipped_at: Mapping[str, Mapping[str, bytes]], base: str
) -> None:
    assert at_the_root(shipped_at[base], base) == at_the_root(shipped_at["/"], "/")


@pytest.mark.parametrize("base", BASES)
def test_every_own_address_has_the_prefix_and_leads_to_a_file(
    shipped_at: Mapping[str, Mapping[str, bytes]], base: str
) -> None:
    outputs = shipped_at[base]
    seen = 0
    for page in pages(outputs).values():
        for address in addresses(page):
            if address.startswith("#") or urlsplit(address).scheme:
                continue
            seen += 1
            assert address.startswith(base)
            path = unquote(urlsplit(address).path).removeprefix(base)
            assert (path + "index.html" if path.endswith("/") or not path else path) in outputs
    assert seen > 200


@pytest.mark.parametrize("base", BASES)
def test_links_of_authors_get_the_prefix_however_they_are_written(
    render: Render, base: str
) -> None:
    outputs = render(FILES, base_url=at(base)).outputs
    project = attribute(outputs["projects/paged/index.html"], "a", "href")
    expected = ["writing/long/#part-two", "", "notes/deep.pdf", "writing/long/"]
    assert {base + path for path in expected} <= set(project)
    assert "#part" in project
    assert "https://other.test/x" in project
    assert f"{base}projects/shapes/a%20b.svg" in attribute(
        outputs["projects/paged/index.html"], "img", "src"
    )
    about = attribute(outputs["index.html"], "a", "href")
    assert about.count(f"{base}projects/paged/") >= 2


def test_the_page_for_lost_addresses_works_at_every_depth(render: Render) -> None:
    """A server shows it for `/a/b/c` too, so nothing in it may depend on the address."""
    page = render(FILES, base_url=at("/qq/zz/")).outputs["404.html"]
    links = [address for address in addresses(page) if address != "#main"]
    assert links
    assert all(link.startswith("/qq/zz/") or urlsplit(link).scheme for link in links)


def _head_addresses(page: bytes) -> list[str]:
    canonical = attribute(page, "link", "href", rel="canonical")
    return canonical + attribute(page, "meta", "content", property="og:url")


def test_what_leaves_the_site_has_whole_addresses(render: Render) -> None:
    """Feeds, maps, canonical links and shared cards are read far from the site."""
    outputs = render(FILES, base_url=at("/qq/")).outputs
    whole = at("/qq/")
    for path, page in pages(outputs).items():
        expected = whole + path.removesuffix("index.html")
        assert _head_addresses(page) == [expected, expected]
    feed = fromstring(outputs["feed.xml"])
    links = [element.get("href", "") for element in feed.iter() if element.get("href")]
    places = [
        element.text or ""
        for element in fromstring(outputs["sitemap.xml"]).iter()
        if element.tag.endswith("loc")
    ]
    assert len(places) == len(pages(outputs)) - 1
    assert all(address.startswith(whole) for address in [*links, *places])
    assert f"Sitemap: {whole}sitemap.xml" in outputs["robots.txt"].decode()


def test_links_inside_the_feed_are_whole(render: Render) -> None:
    outputs = render(FILES, base_url=at("/qq/")).outputs
    content = fromstring(outputs["feed.xml"]).findtext("{*}entry/{*}content", default="")
    links = [tag.attributes["href"] for tag in tags(content.encode(), "a")]
    assert f"{at('/qq/')}projects/paged/" in links
    assert f"{at('/qq/')}tags/gpu/" in links
    assert "mailto:a@b.test" in links
    assert all(urlsplit(link).scheme for link in links)


@pytest.mark.parametrize(
    ("settings", "option", "address"),
    [
        ("", None, "https://site.example/"),
        ("url: https://a.test/x\n", None, "https://a.test/x/"),
        ("domain: www.a.test\n", None, "https://www.a.test/"),
        ("url: https://a.test/x/\ndomain: www.a.test\n", None, "https://a.test/x/"),
        ("url: https://a.test/x/\n", "https://b.test/y", "https://b.test/y/"),
    ],
)
def test_the_address_comes_from_the_option_then_the_url_then_the_domain(
    render: Render, settings: str, option: str | None, address: str
) -> None:
    files = {"content/site.yaml": f"title: T\n{settings}owner: {{name: A, role: R, pitch: P.}}\n"}
    built = render(files, base_url=option)
    assert _head_addresses(built.outputs["index.html"])[0] == address
    assert built.has_address is (address != "https://site.example/")


def test_a_build_without_an_address_says_what_stands_in(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    assert "https://site.example/" in batcher("build", "--source", site({})).err
    answer = batcher("build", "--source", site({}), "--base-url", "https://me.test/x/")
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize("url", ["me.test/x", "ftp://me.test/", "https://me.test/?q=1", "/x/"])
def test_an_address_that_is_not_a_sites_is_a_wrong_use(
    site: Callable[..., Path], batcher: Batcher, url: str
) -> None:
    folder = site({})
    answer = batcher("build", "--source", folder, "--base-url", url)
    assert answer.code == 2
    assert f'"{url}" is not the address of a site' in answer.err
    assert not (folder / "dist").exists()


def test_no_text_of_a_page_has_the_prefix_by_hand(
    shipped_at: Mapping[str, Mapping[str, bytes]],
) -> None:
    """Style sheets and scripts stand in the page and would not know where the site lies."""
    for page in pages(shipped_at["/"]).values():
        for sheet in re.findall(rb"<style>(.*?)</style>", page, re.DOTALL):
            assert b"url(" not in sheet.replace(b"url(#", b"")


def test_tags_are_read_with_their_attributes() -> None:
    """The reader that these tests trust."""
    assert tags(b'<a href="/x">x</a><br>', "a") == [Tag("a", {"href": "/x"})]
