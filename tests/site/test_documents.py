"""What machines read: the feed, the map, robots.txt, CNAME, .nojekyll and the data in the head."""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from xml.etree.ElementTree import Element, fromstring

from batcher_site.build import RenderedSite
from tests.site.markup import attribute

Render = Callable[..., RenderedSite]

ATOM = "{http://www.w3.org/2005/Atom}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT00:00:00Z")
FILES = {
    "content/site.yaml": (
        "title: Site & Co\nurl: https://me.test/x/\nlanguage: de-CH\n"
        "owner: {name: Ada <3, role: R, pitch: P., email: a@b.test,\n"
        "  links: {github: {label: GitHub, url: 'https://code.test/ada'}, other: {label: Other}}}\n"
    ),
    "content/projects/p.md": """\
---
title: Paged
summary: It <pages>.
date: 2026-08
tags: [gpu]
links: [{kind: repo, url: 'https://code.test/p'}]
---
""",
    "content/writing/older.md": """\
---
title: Older & wiser
date: 2026-05
updated: 2026-11-20
summary: A <summary>.
tags: [C++]
project: p
---
Text with [a link](newer.md) and `<code>`.
""",
    "content/writing/newer.md": "---\ntitle: Newer\ndate: 2026-11-30\n---\nText.\n",
}


def child(parent: Element, name: str) -> str:
    (found,) = parent.findall(ATOM + name)
    return found.text or ""


def test_the_feed_is_atom_with_all_that_an_entry_must_have(render: Render) -> None:
    """RFC 4287: ids, titles, moments and links, once each; the newest text first."""
    feed = fromstring(render(FILES).outputs["feed.xml"])
    assert feed.tag == f"{ATOM}feed"
    assert child(feed, "title") == "Site & Co"
    assert child(feed, "id") == "https://me.test/x/"
    assert child(feed, "updated") == "2026-11-30T00:00:00Z"
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Ada <3"
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links == {"self": "https://me.test/x/feed.xml", "alternate": "https://me.test/x/"}
    entries = feed.findall(f"{ATOM}entry")
    assert [child(entry, "title") for entry in entries] == ["Newer", "Older & wiser"]
    assert [child(entry, "id") for entry in entries] == [
        "https://me.test/x/writing/newer/",
        "https://me.test/x/writing/older/",
    ]
    for entry in entries:
        assert MOMENT.fullmatch(child(entry, "published"))
        assert MOMENT.fullmatch(child(entry, "updated"))


def test_an_entry_carries_its_whole_text(render: Render) -> None:
    feed = fromstring(render(FILES).outputs["feed.xml"])
    entry = feed.findall(f"{ATOM}entry")[1]
    assert child(entry, "published") == "2026-05-01T00:00:00Z"
    assert child(entry, "updated") == "2026-11-20T00:00:00Z"
    assert child(entry, "summary") == "A <summary>."
    assert [tag.get("term") for tag in entry.findall(f"{ATOM}category")] == ["C++"]
    content = child(entry, "content")
    assert '<a href="https://me.test/x/writing/newer/">a link</a>' in content
    assert "<code>&lt;code&gt;</code>" in content


def test_a_feed_holds_the_twenty_newest(render: Render) -> None:
    texts = {
        f"content/writing/t{day:02}.md": f"---\ntitle: T{day}\ndate: 2026-10-{day:02}\n---\n"
        for day in range(1, 26)
    }
    feed = fromstring(render(texts).outputs["feed.xml"])
    titles = [child(entry, "title") for entry in feed.findall(f"{ATOM}entry")]
    assert titles == [f"T{day}" for day in range(25, 5, -1)]


def test_a_feed_without_a_text_is_still_a_feed(render: Render) -> None:
    feed = fromstring(render({}).outputs["feed.xml"])
    assert MOMENT.fullmatch(child(feed, "updated"))
    assert feed.findall(f"{ATOM}entry") == []


def test_every_page_names_the_feed(render: Render) -> None:
    outputs = render(FILES).outputs
    for path, page in outputs.items():
        if path.endswith(".html"):
            assert attribute(page, "link", "href", type="application/atom+xml") == ["/x/feed.xml"]


def test_the_map_has_every_page_but_the_one_for_lost_addresses(render: Render) -> None:
    outputs = render(FILES).outputs
    urls = fromstring(outputs["sitemap.xml"])
    found = {
        url.findtext(f"{SITEMAP}loc"): url.findtext(f"{SITEMAP}lastmod")
        for url in urls.findall(f"{SITEMAP}url")
    }
    assert found == {
        "https://me.test/x/": None,
        "https://me.test/x/projects/p/": "2026-08",
        "https://me.test/x/resume/": None,
        "https://me.test/x/tags/c-plus-plus/": None,
        "https://me.test/x/tags/gpu/": None,
        "https://me.test/x/writing/": None,
        "https://me.test/x/writing/newer/": "2026-11-30",
        "https://me.test/x/writing/older/": "2026-11-20",
    }
    pages = {path for path in outputs if path.endswith(".html")} - {"404.html"}
    assert len(found) == len(pages)


def test_language_models_are_given_a_list_of_what_there_is(render: Render) -> None:
    """llmstxt.org: a title, a sentence, and links with what stands behind each."""
    lines = render(FILES).outputs["llms.txt"].decode().splitlines()
    assert lines[:3] == ["# Site & Co", "", "> R. P."]
    assert "- [Paged](https://me.test/x/projects/p/): It <pages>." in lines
    assert "- [Older & wiser](https://me.test/x/writing/older/): A <summary>." in lines


def test_robots_may_read_all_and_are_shown_the_map(render: Render) -> None:
    assert render(FILES).outputs["robots.txt"] == (
        b"User-agent: *\nAllow: /\n\nSitemap: https://me.test/x/sitemap.xml\n"
    )


def test_a_host_that_runs_jekyll_is_told_not_to(render: Render) -> None:
    assert render({}).outputs[".nojekyll"] == b""


def test_a_domain_is_written_down_on_every_build(render: Render) -> None:
    settings = "title: T\ndomain: www.me.test\nowner: {name: A, role: R, pitch: P.}\n"
    assert render({"content/site.yaml": settings}).outputs["CNAME"] == b"www.me.test\n"
    assert "CNAME" not in render({**FILES}).outputs


def graph(page: bytes) -> dict[str, dict[str, object]]:
    """The things of a page's JSON-LD by their types."""
    (script,) = re.findall(rb'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    data = json.loads(script)
    assert data["@context"] == "https://schema.org"
    return {thing["@type"]: thing for thing in data["@graph"]}


def test_the_data_in_the_head_says_what_the_page_is(render: Render) -> None:
    outputs = render(FILES).outputs
    home = graph(outputs["index.html"])
    assert home["Person"]["name"] == "Ada <3"
    assert home["Person"]["email"] == "mailto:a@b.test"
    assert home["Person"]["sameAs"] == ["https://code.test/ada"]
    assert home["WebSite"]["url"] == "https://me.test/x/"
    project = graph(outputs["projects/p/index.html"])["SoftwareSourceCode"]
    assert project["codeRepository"] == "https://code.test/p"
    assert project["description"] == "It <pages>."
    text = graph(outputs["writing/older/index.html"])["BlogPosting"]
    assert (text["datePublished"], text["dateModified"]) == ("2026-05", "2026-11-20")
    assert text["inLanguage"] == "de-CH"
    assert text["author"] == {"@id": home["Person"]["@id"]}


def test_the_trail_of_every_page_begins_at_home(render: Render) -> None:
    outputs = render(FILES).outputs
    for path, page in outputs.items():
        if not path.endswith(".html") or path == "index.html":
            continue
        trail = graph(page)["BreadcrumbList"]["itemListElement"]
        assert isinstance(trail, list)
        assert [item["position"] for item in trail] == list(range(1, len(trail) + 1))
        assert trail[0]["item"] == "https://me.test/x/"
        assert trail[-1]["item"] == f"https://me.test/x/{path.removesuffix('index.html')}"


def test_text_in_the_data_cannot_end_the_script(render: Render) -> None:
    evil = "---\ntitle: '</script><script>alert(1)</script>'\nsummary: '<!-- <script>'\n---\n"
    page = render({"content/projects/p.md": evil}).outputs["projects/p/index.html"]
    assert graph(page)["SoftwareSourceCode"]["name"] == "</script><script>alert(1)</script>"
    assert b"<script>alert" not in page


def test_every_page_has_a_title_a_description_and_a_language(render: Render) -> None:
    outputs = render(FILES).outputs
    titles = []
    for path, page in outputs.items():
        if not path.endswith(".html"):
            continue
        titles += re.findall(rb"<title>(.+?)</title>", page.partition(b"<body>")[0])
        (description,) = attribute(page, "meta", "content", name="description")
        assert description.strip()
        assert attribute(page, "html", "lang") == ["de-CH"]
    assert len(titles) == len(set(titles)) == sum(path.endswith(".html") for path in outputs)


def test_the_policy_of_every_page_is_strict(render: Render) -> None:
    """Nothing from elsewhere, nothing inline but what its hash names."""
    outputs = render(FILES).outputs
    for path, page in outputs.items():
        if not path.endswith(".html"):
            continue
        (policy,) = attribute(page, "meta", "content", http_equiv="Content-Security-Policy")
        assert policy.startswith("default-src 'none'; ")
        assert "connect-src 'self'" in policy
        assert "unsafe" not in policy
        assert "*" not in policy
        texts = re.findall(rb"<(?:style|script)\b[^>]*>(.*?)</(?:style|script)>", page, re.DOTALL)
        inline = filter(None, texts)
        digests = {base64.b64encode(hashlib.sha256(text).digest()).decode() for text in inline}
        assert set(re.findall(r"'sha256-([^']+)'", policy)) == digests
        assert b' style="' not in page
        assert not re.search(rb'<[^>]* on[a-z]+="', page)
