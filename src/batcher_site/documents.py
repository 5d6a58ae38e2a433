"""
The files that machines read: the Atom feed, the map of the site, robots.txt and their small kin.

Sources: RFC 4287 (Atom), sitemaps.org 0.9, RFC 9309 (robots.txt), the W3C's Web App Manifest.
Addresses are absolute but in the manifest, as readers and crawlers know no base path. No date is
taken from the clock.
"""

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from msgspec import json

from batcher_site import routes
from batcher_site.model import PartialDate, Prose
from batcher_site.pages import Plan
from batcher_site.urls import Base
from batcher_site.views import WritingCard

_ATOM = "http://www.w3.org/2005/Atom"
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_EPOCH = "1970-01-01T00:00:00Z"
_ROBOTS = "User-agent: *\nAllow: /\n\nSitemap: {}\n"
_OWN_ADDRESS = re.compile(r'(<[^>]*\s(?:href|src)=")([/#][^"]*)')


def documents(plan: Plan, base: Base, domain: str | None) -> dict[str, bytes]:
    """Give every such file but the feed by its site path."""
    files = {
        routes.SITEMAP: sitemap(plan, base),
        routes.ROBOTS: _ROBOTS.format(base.absolute(routes.SITEMAP)).encode(),
        routes.LLMS: llms_txt(plan, base),
        routes.MANIFEST: web_manifest(plan, base),
        routes.NO_JEKYLL: b"",
    }
    if domain:
        files[routes.CNAME] = f"{domain}\n".encode()
    return files


def atom_feed(plan: Plan, base: Base) -> bytes:
    """Give the newest write-ups with their whole text."""
    entries = plan.writings[: routes.FEED_LENGTH]
    feed = Element("feed", {"xmlns": _ATOM, "xml:lang": plan.site.language})
    _text(feed, "title", plan.site.title)
    _text(feed, "id", base.absolute(routes.HOME))
    _text(feed, "updated", max((_moment(card) for card, _ in entries), default=_EPOCH))
    SubElement(feed, "link", {"rel": "self", "href": base.absolute(routes.FEED)})
    SubElement(feed, "link", {"rel": "alternate", "href": base.absolute(routes.HOME)})
    _text(SubElement(feed, "author"), "name", plan.site.owner.name)
    for card, prose in entries:
        feed.append(_entry(card, prose, base))
    return _xml(feed)


def _entry(card: WritingCard, prose: Prose, base: Base) -> Element:
    entry = Element("entry")
    address = base.origin + card.href
    _text(entry, "title", card.title)
    _text(entry, "id", address)
    SubElement(entry, "link", {"rel": "alternate", "href": address})
    _text(entry, "published", _day(card.date.iso))
    _text(entry, "updated", _moment(card))
    for tag in card.tags:
        SubElement(entry, "category", {"term": tag.label})
    if card.summary:
        _text(entry, "summary", card.summary)
    content = SubElement(entry, "content", {"type": "html"})
    content.text = absolute_addresses(prose.html, base, address)
    return entry


def absolute_addresses(html: str, base: Base, address: str) -> str:
    """Give the HTML of a page at `address` with every own link and picture absolute."""

    def absolute(match: re.Match[str]) -> str:
        before, own = match.groups()
        return before + (address + own if own.startswith("#") else base.origin + own)

    return _OWN_ADDRESS.sub(absolute, html)


def sitemap(plan: Plan, base: Base) -> bytes:
    """Give every page but the one for lost addresses, with its date where one is known."""
    pages = [
        page for page in plan.pages if page.site_path != routes.NOT_FOUND and not page.is_draft
    ]
    urlset = Element("urlset", {"xmlns": _SITEMAP})
    for page in sorted(pages, key=lambda page: page.site_path):
        url = SubElement(urlset, "url")
        _text(url, "loc", base.absolute(page.site_path))
        if page.modified:
            _text(url, "lastmod", page.modified)
    return _xml(urlset)


def llms_txt(plan: Plan, base: Base) -> bytes:
    """Give the site's contents as Markdown for language models (llmstxt.org)."""
    owner = plan.site.owner
    lines = [f"# {plan.site.title}", "", f"> {owner.role}. {owner.pitch}"]
    for title, kind in (("Projects", "project"), ("Writing", "writing"), ("Résumé", "resume")):
        pages = [page for page in plan.pages if page.kind == kind and not page.is_draft]
        if pages:
            lines += ["", f"## {title}", ""]
        for page in pages:
            lines.append(f"- [{page.title}]({base.absolute(page.site_path)}): {page.description}")
    return ("\n".join(lines) + "\n").encode()


def web_manifest(plan: Plan, base: Base) -> bytes:
    """Give what a device needs to put the site on its home screen (W3C, Web App Manifest)."""
    manifest = {
        "name": plan.site.title,
        "start_url": base.href(routes.HOME),
        "display": "browser",
        "icons": [
            {
                "src": base.href(routes.icon(size)),
                "sizes": f"{size}x{size}",
                "type": "image/png",
            }
            for size in routes.ICON_SIZES
        ],
    }
    return json.encode(manifest) + b"\n"


def _moment(card: WritingCard) -> str:
    return _day((card.updated or card.date).iso)


def _day(iso: str) -> str:
    return f"{PartialDate.parse(iso).first_day.isoformat()}T00:00:00Z"


def _text(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = text


def _xml(root: Element) -> bytes:
    indent(root)
    text: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"
