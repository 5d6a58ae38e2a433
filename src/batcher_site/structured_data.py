"""
What search engines read of a page: schema.org data as JSON-LD.

Sources: schema.org's Person, WebSite, SoftwareSourceCode, BlogPosting and BreadcrumbList. Only
what the owner's files state is said.
"""

from collections.abc import Mapping, Sequence

from markupsafe import Markup
from msgspec import json

from batcher_site.model import LinkKind, Project, Site, Writing
from batcher_site.urls import Base
from batcher_site.views import Link

Thing = Mapping[str, object]

_CONTEXT = "https://schema.org"


def markup(*things: Thing) -> Markup:
    """Give things as the text of a script element; nothing in it can end the element."""
    graph = {"@context": _CONTEXT, "@graph": [_without_gaps(thing) for thing in things]}
    text = json.encode(graph).decode()
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 -- the three signs that could end a script are escaped above


def person(site: Site, base: Base) -> Thing:
    """Describe the owner."""
    owner = site.owner
    return {
        "@type": "Person",
        "@id": base.absolute("/") + "#owner",
        "name": owner.name,
        "description": owner.role,
        "url": base.absolute("/"),
        "email": f"mailto:{owner.email}" if owner.email else None,
        "sameAs": [link.url for link in owner.links.values() if link.url] or None,
    }


def web_site(site: Site, base: Base) -> Thing:
    """Describe the site."""
    return {
        "@type": "WebSite",
        "name": site.title,
        "url": base.absolute("/"),
        "inLanguage": site.language,
        "author": _owner(base),
    }


def source_code(project: Project, base: Base, site_path: str) -> Thing:
    """Describe a project."""
    meta = project.meta
    repository = next((link.url for link in meta.links if link.kind is LinkKind.REPO), None)
    return {
        "@type": "SoftwareSourceCode",
        "name": meta.title,
        "description": meta.summary,
        "url": base.absolute(site_path),
        "codeRepository": repository,
        "keywords": list(dict.fromkeys((*meta.stack, *meta.tags))) or None,
        "dateModified": str(meta.date) if meta.date else None,
        "author": _owner(base),
    }


def blog_posting(writing: Writing, base: Base, site_path: str, language: str) -> Thing:
    """Describe a write-up."""
    meta = writing.meta
    return {
        "@type": "BlogPosting",
        "headline": meta.title,
        "description": meta.summary,
        "url": base.absolute(site_path),
        "datePublished": str(meta.date),
        "dateModified": str(meta.updated or meta.date),
        "keywords": meta.tags or None,
        "inLanguage": language,
        "author": _owner(base),
    }


def breadcrumb_list(crumbs: Sequence[Link], base: Base) -> Thing:
    """Describe the way from the home page to this one."""
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {
                "@type": "ListItem",
                "position": position,
                "name": crumb.label,
                "item": base.origin + crumb.href if crumb.href else None,
            }
            for position, crumb in enumerate(crumbs, 1)
        ],
    }


def _owner(base: Base) -> Thing:
    return {"@id": base.absolute("/") + "#owner"}


def _without_gaps(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _without_gaps(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_gaps(item) for item in value]
    return value
