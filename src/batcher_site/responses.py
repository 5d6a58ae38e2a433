"""
What the development server answers: a lookup in what the last good build made, and its guards.

Pure: a request and what is on show give a response. Any page in the owner's browser can send
requests to this machine, so a request must name this host, come from the site's own pages or from
the address bar, and only ask. Nothing but the build's own files can be had: there is no path.
"""

import html
import ipaddress
import posixpath
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from urllib.parse import parse_qs, unquote, urlsplit

from msgspec import Struct, json

from batcher_site.urls import Base

LIVE_SCRIPT = ".batcher/live.js"
STATE = ".batcher/state"

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".gif": "image/gif",
    ".woff2": "font/woff2",
    ".xml": "application/xml; charset=utf-8",
}
_GUARDS = (
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
)
_LOCAL = ("localhost", "127.0.0.1", "[::1]")
_FRIENDLY_SITES = ("same-origin", "none")
_NO_PAGE = (
    b'<!doctype html><html lang="en"><meta charset="utf-8"><title>No page yet</title>'
    b"<body><p>There is no page yet: the first build has found faults.</p></body></html>"
)
_DRAFT = b'<meta name="robots" content="noindex">'


class Fault(Struct, frozen=True):
    """A fault of the site as the page shows it; `excerpt` has lines with their numbers."""

    place: str
    message: str
    hint: str = ""
    line: int | None = None
    excerpt: tuple[tuple[int, str], ...] = ()


class Change(Struct, frozen=True):
    """What one build changed, as addresses: `restyled` are pages that only look different."""

    version: int
    changed: frozenset[str]
    restyled: frozenset[str]


class Show(Struct, frozen=True, kw_only=True):
    """
    What is on show: the files of the last good build, and the faults of the last one.

    `sources` maps pages to the files that they are made from, `folder` is where those lie.
    `history` has the latest changes, the newest last.
    """

    version: int
    base: Base
    files: Mapping[str, bytes]
    digests: Mapping[str, str]
    sources: Mapping[str, str]
    folder: str
    faults: tuple[Fault, ...] = ()
    history: tuple[Change, ...] = ()


class Request(Struct, frozen=True):
    """The parts of a request that count; header names are in small letters, values as they came."""

    method: str
    target: str
    headers: Mapping[str, Sequence[str]]


class Response(Struct, frozen=True):
    """An answer; a HEAD request gets the same without the body."""

    status: HTTPStatus
    body: bytes
    kind: str = "text/plain; charset=utf-8"
    location: str | None = None

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The headers of the answer, the guards among them."""
        own = [("Content-Type", self.kind), ("Content-Length", str(len(self.body)))]
        if self.location:
            own.append(("Location", self.location))
        if self.status == HTTPStatus.METHOD_NOT_ALLOWED:
            own.append(("Allow", "GET, HEAD"))
        return [*own, *_GUARDS]


def refusal(request: Request, host: str, port: int) -> Response | None:
    """Give the refusal of a request that may not be answered; None where it may."""
    if request.method not in {"GET", "HEAD"}:
        return _plain(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are answered")
    named = request.headers.get("host", ())
    if len(named) != 1 or not _is_here(named[0], host, port):
        return _plain(HTTPStatus.FORBIDDEN, "this server is not that host")
    for origin in request.headers.get("origin", ()):
        scheme, _, rest = origin.partition("://")
        if scheme != "http" or not _is_here(rest, host, port):
            return _plain(HTTPStatus.FORBIDDEN, "another site may not ask")
    if not _is_friendly(request.headers):
        return _plain(HTTPStatus.FORBIDDEN, "another site may not ask")
    return None


def _is_here(named: str, host: str, port: int) -> bool:
    name, mark, number = named.lower().rpartition(":")
    if not mark or number != str(port):
        return False
    if name in _LOCAL or name.strip("[]") == host.lower():
        return True
    if host in _LOCAL or not _is_address(host):
        return False
    # Listening on every network, it is known by any of its addresses, but by no other name.
    return _is_address(name.strip("[]"))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_friendly(headers: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether a page of ours asks, or nobody's: a link from elsewhere may be followed."""
    sites = headers.get("sec-fetch-site", ())
    is_navigation = list(headers.get("sec-fetch-mode", ())) == ["navigate"]
    is_page = list(headers.get("sec-fetch-dest", ())) == ["document"]
    return all(site in _FRIENDLY_SITES or (is_navigation and is_page) for site in sites)


def answer(request: Request, show: Show, live_script: bytes) -> Response:
    """Answer a request that is not refused."""
    path = unquote(urlsplit(request.target).path, errors="replace")
    root = show.base.href("/")
    if not path.startswith(root):
        if path in {"/", root.rstrip("/")}:
            return _moved(root)
        return _missing(show)
    name = path.removeprefix(root)
    if name == LIVE_SCRIPT:
        return Response(HTTPStatus.OK, live_script, _TYPES[".js"])
    file = f"{name}index.html" if name == "" or name.endswith("/") else name
    if file in show.files:
        return _file(show, file, HTTPStatus.OK)
    if f"{name}/index.html" in show.files:
        return _moved(f"{path}/")
    return _missing(show)


def asked_version(request: Request) -> int | None:
    """Give the version that a page knows, where the request asks what came after it."""
    parts = urlsplit(request.target)
    # Where the site lies may have changed since the page was sent.
    if not unquote(parts.path, errors="replace").endswith(f"/{STATE}"):
        return None
    version = parse_qs(parts.query).get("version", ["0"])[0]
    return int(version) if version.isascii() and version.isdigit() else 0


def state(show: Show, known: int) -> Response:
    """Give what has changed since the version `known`, and the faults of now."""
    later = [change for change in show.history if change.version > known]
    # Also where the page knows what never was: it has outlived another server.
    missed = known != show.version and (not later or later[0].version > known + 1)
    body = {
        "version": show.version,
        "all": missed,
        "changed": sorted(set().union(*(change.changed for change in later))),
        "restyled": sorted(set().union(*(change.restyled for change in later))),
        "faults": show.faults,
    }
    return Response(HTTPStatus.OK, json.encode(body), _TYPES[".json"])


def _file(show: Show, file: str, status: HTTPStatus) -> Response:
    data = show.files[file]
    kind = _TYPES.get(posixpath.splitext(file)[1].lower(), "application/octet-stream")
    if file.endswith(".html"):
        data = _enlivened(show, file, data)
    return Response(status, data, kind)


def _enlivened(show: Show, file: str, page: bytes) -> bytes:
    """Give a page with the script that keeps it up to date; what is published has none."""
    source = show.sources.get(file, "")
    # Where there are faults, the page asks for them at once.
    known = show.version - 1 if show.faults else show.version
    told = {
        "src": show.base.href(f"/{LIVE_SCRIPT}"),
        "data-version": str(known),
        "data-state": show.base.href(f"/{STATE}"),
        "data-source": source,
        "data-file": posixpath.join(show.folder, source) if source else "",
    }
    if not show.files:
        told["data-empty"] = ""
    if _DRAFT in page:
        told["data-draft"] = ""
    attributes = "".join(f' {name}="{html.escape(value)}"' for name, value in told.items())
    before, end, after = page.rpartition(b"</body>")
    return before + f"<script defer{attributes}></script>".encode() + end + after


def _missing(show: Show) -> Response:
    if not show.files:
        return Response(
            HTTPStatus.SERVICE_UNAVAILABLE, _enlivened(show, "", _NO_PAGE), _TYPES[".html"]
        )
    if "404.html" in show.files:
        return _file(show, "404.html", HTTPStatus.NOT_FOUND)
    return _plain(HTTPStatus.NOT_FOUND, "there is no such page")


def _moved(location: str) -> Response:
    return Response(HTTPStatus.MOVED_PERMANENTLY, b"", location=location)


def _plain(status: HTTPStatus, text: str) -> Response:
    return Response(status, f"{text}\n".encode())
