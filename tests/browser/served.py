"""A built site on 127.0.0.1, at the root and below a folder, as a static host serves it."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from urllib.parse import unquote, urlsplit

from batcher_site.build import Options, render_site
from batcher_site.model import Selection

BASES = ("/", "/portfolio/")


class Server(ThreadingHTTPServer):
    """
    Holds the same site at each of `BASES`.

    `pages` are the addresses of all its pages below a base, `samples` one of each kind, or all of
    them where it `shows_all`.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.sites: dict[str, Mapping[str, bytes]] = {}
        self.shows_all = False

    @property
    def pages(self) -> tuple[str, ...]:
        names = sorted(name for name in self.sites["/"] if name.endswith(".html"))
        return tuple(name.removesuffix("index.html") for name in names)

    @property
    def samples(self) -> tuple[str, ...]:
        if self.shows_all:
            return self.pages
        kinds = {(name.partition("/")[0], name.count("/")): name for name in self.pages}
        return tuple(kinds.values())


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Server)
        sites = self.server.sites
        path = unquote(urlsplit(self.path).path)
        base = max((base for base in sites if path.startswith(base)), key=len)
        name = path.removeprefix(base)
        name = name + "index.html" if not name or name.endswith("/") else name
        found = name if name in sites[base] else "404.html"
        self.send_response(200 if found == name else 404)
        self.send_header("Content-Type", guess_type(found)[0] or "application/octet-stream")
        self.send_header("Content-Length", str(len(sites[base][found])))
        self.end_headers()
        self.wfile.write(sites[base][found])

    def log_message(self, *_: object) -> None:
        """Say nothing: the tests look at the browser's side."""


@contextmanager
def served(source: str, selection: Selection) -> Iterator[Server]:
    """Serve the site of the folder `source` at each of `BASES` until the block ends."""
    with Server() as server:
        for base in BASES:
            address = f"{server.origin}{base}"
            options = Options(source=source, base_url=address, selection=selection)
            server.sites[base] = render_site(options).outputs
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
