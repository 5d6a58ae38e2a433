"""
Addresses: from a source to its place on the site, and from there to a link or an output file.

A *site path* begins at the site's root and carries no base path: `/`, `/projects/x/`, `/feed.xml`.
Everything inside the program speaks of site paths; `Base` is the one place that turns them into
what stands in a page, so the same content works at a domain's root and below a folder.
Addresses are made of "/" on every system, never with the file system's own separator.
"""

import posixpath
import re
import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Self
from urllib.parse import quote, unquote, urlsplit

from msgspec import Struct

CONTENT = "content"
SETTINGS = f"{CONTENT}/site.yaml"
ABOUT = f"{CONTENT}/about.md"
NOW = f"{CONTENT}/now.yaml"
EXPERIENCE = f"{CONTENT}/experience.yaml"
OPEN_SOURCE = f"{CONTENT}/open_source.yaml"
RESUME = f"{CONTENT}/resume.yaml"
NOTES = f"{CONTENT}/notes/notes.yaml"
PROJECTS = f"{CONTENT}/projects"
WRITING = f"{CONTENT}/writing"
MODULES = "static/js/simulation"
FALLBACK_URL = "https://site.example/"

_SAFE_IN_PATH = "/:@!$&'()*+,;=-._~"
_SITE_URL = re.compile(r"""https?://[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:/[^\s"<>\\^`{|}?#]*)?""")
_LIKE_A_DOMAIN = re.compile(r"www\.|[\w-]+\.(?:com|org|net|io|dev|edu)(?:/|$)", re.IGNORECASE)
_IS_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_EXTERNAL_SCHEMES = frozenset({"http", "https", "mailto"})


class Base(Struct, frozen=True):
    """
    Where the site lies: `origin` without a slash at its end, `path` with one at both ends.

    `Base.parse("https://me.github.io/portfolio")` has the origin `https://me.github.io` and the
    path `/portfolio/`.
    """

    origin: str
    path: str

    @classmethod
    def parse(cls, url: str) -> Self:
        """Take a whole http or https address apart; raise ValueError for anything else."""
        if not _SITE_URL.fullmatch(url):
            raise ValueError(url)
        parts = urlsplit(url)
        if parts.port == 0:
            raise ValueError(url)
        folder = posixpath.normpath("/" + unquote(parts.path).strip("/"))
        path = quote(folder.rstrip("/") + "/", safe=_SAFE_IN_PATH)
        return cls(f"{parts.scheme}://{parts.netloc}", path if path != "//" else "/")

    def href(self, site_path: str) -> str:
        """Give the address of a site path as it stands in a page; a `#part` is kept."""
        path, mark, fragment = site_path.partition("#")
        if not path:
            return quote_fragment(fragment)
        return (
            self.path
            + quote(path.removeprefix("/"), safe=_SAFE_IN_PATH)
            + (quote_fragment(fragment) if mark else "")
        )

    def absolute(self, site_path: str) -> str:
        """Give the whole address of a site path, as feeds, maps and canonical links need it."""
        return self.origin + self.href(site_path)

    def site_path(self, href: str) -> str | None:
        """Give the site path that `href` asks for, or None where it leads out of the site."""
        address = urlsplit(href)
        if address.scheme or address.netloc:
            if f"{address.scheme}://{address.netloc}" != self.origin:
                return None
        elif not address.path.startswith("/"):
            return None
        if not address.path.startswith(self.path):
            return "" if address.path + "/" != self.path else "/"
        return "/" + unquote(address.path[len(self.path) :])


def quote_fragment(fragment: str) -> str:
    """Give `#fragment` with what may not stand in an address escaped."""
    return "#" + quote(fragment, safe=_SAFE_IN_PATH + "?")


def output_file(site_path: str) -> str:
    """
    Give the file below the output folder that holds a site path.

    `/` is `index.html`, `/projects/x/` is `projects/x/index.html`, `/feed.xml` is `feed.xml`.
    """
    path = site_path.removeprefix("/")
    return path + "index.html" if not path or path.endswith("/") else path


def slugify(text: str) -> str:
    """
    Give `text` as part of an address: lower case, NFC, letters of every script, digits, hyphens.

    The result is empty where no letter or digit is left; the caller then has a name of its own.
    """
    if _IS_SLUG.fullmatch(text):
        return text
    kept: list[str] = []
    for character in unicodedata.normalize("NFC", text).lower():
        category = unicodedata.category(character)
        if category[0] in "LN" or (category[0] == "M" and kept and kept[-1] != "-"):
            kept.append(character)
        elif kept and kept[-1] != "-" and character not in "'’":
            kept.append("-")
    return unicodedata.normalize("NFC", "".join(kept).strip("-"))


def numbered(slug: str, taken: set[str]) -> str:
    """Give `slug`, or `slug-2`, `slug-3`, … where it is taken already, and take it."""
    candidate, number = slug, 1
    while candidate in taken:
        number += 1
        candidate = f"{slug}-{number}"
    taken.add(candidate)
    return candidate


class Target(Struct, frozen=True):
    """
    Where a link of a text leads.

    Exactly one field is set: `external` is an address on another host, `site_path` a place on the
    site (with its `#part`), `problem` the reason why there is none, with `hint` as the remedy.
    """

    external: str | None = None
    site_path: str | None = None
    problem: str | None = None
    hint: str | None = None


def resolve(href: str, source: str, known: Mapping[str, str]) -> Target:
    """
    Find where `href`, written in the content file `source`, leads.

    `known` maps each content file (`content/projects/x.md`) to its site path. A link that begins
    with `/` starts at the site's root, any other one at the file in which it stands. A site path
    that is asked for by its address is not looked up here: `check` sees all finished pages.
    """
    scheme = href.partition(":")[0].lower() if ":" in href.partition("/")[0] else ""
    if scheme:
        if scheme in _EXTERNAL_SCHEMES:
            return Target(external=href)
        return Target(
            problem=f'the link "{href}" uses the scheme "{scheme}:"',
            hint="links may begin with https:, http: or mailto:, or name a file of the site",
        )
    if href.startswith("//"):
        return Target(problem=f'the link "{href}" has no scheme', hint=f"write https:{href}")
    address, mark, fragment = href.partition("#")
    part = "#" + unquote(fragment) if mark else ""
    # A static site answers no query; code hosts add some of their own.
    path = address.partition("?")[0]
    if not path or path.startswith("/"):
        return Target(site_path=unquote(path) + part)
    return _resolve_file(address, part, source, known)


def _resolve_file(address: str, part: str, source: str, known: Mapping[str, str]) -> Target:
    folder = posixpath.dirname(source)
    path = address.partition("?")[0]
    # A "?" may be part of a file's name, or begin a query.
    written = (unquote(address), address, unquote(path), path)
    names = [posixpath.normpath(posixpath.join(folder, name)) for name in written]
    for name in names:
        if name in known:
            return Target(site_path=known[name] + part)
    if not names[0].startswith(CONTENT + "/"):
        return Target(
            problem=f'the link "{path}" leads out of {CONTENT}/',
            hint=f"only files inside {CONTENT}/ are published",
        )
    if _LIKE_A_DOMAIN.match(path):
        return Target(problem=f'the link "{path}" has no scheme', hint=f"write https://{path}")
    near = get_close_matches(names[0], known, n=1, cutoff=0.6)
    return Target(
        problem=f'the link "{path}" leads nowhere: there is no {names[0]}',
        hint=f'did you mean "{posixpath.relpath(near[0], folder)}"?' if near else None,
    )
