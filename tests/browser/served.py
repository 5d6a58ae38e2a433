"""A built site on 127.0.0.1, at the root and below a folder, as a static host serves it."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from typing import ClassVar
from urllib.parse import unquote, urlsplit

from batcher_site.build import Options, render_site
from batcher_site.model import Selection

BASES = ("/", "/portfolio/")


class _Handler(BaseHTTPRequestHandler):
    sites: ClassVar[dict[str, Mapping[str, bytes]]] = {}

    def do_GET(self) -> None:  # noqa: N802 -- the name is the library's
        path = unquote(urlsplit(self.path).path)
        base = max((base for base in self.sites if path.startswith(base)), key=len)
        outputs = self.sites[base]
        name = path.removeprefix(base)
        name = name + "index.html" if not name or name.endswith("/") else name
        found = name if name in outputs else "404.html"
        self.send_response(200 if found == name else 404)
        self.send_header("Content-Type", guess_type(found)[0] or "application/octet-stream")
        self.send_header("Content-Length", str(len(outputs[found])))
        self.end_headers()
        self.wfile.write(outputs[found])

    def log_message(self, *_: object) -> None:
        """Say nothing: the tests look at the browser's side."""


class Server(ThreadingHTTPServer):
    """Knows the site's pages and its own origin."""

    pages: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def served(source: str, selection: Selection) -> Iterator[Server]:
    """Serve the site of the folder `source` at each of `BASES` until the block ends."""
    handler = type("Handler", (_Handler,), {"sites": {}})
    with Server(("127.0.0.1", 0), handler) as server:
        for base in BASES:
            options = Options(
                source=source, base_url=f"{server.origin}{base}", selection=selection
            )
            handler.sites[base] = render_site(options).outputs
        server.pages = tuple(
            path.removesuffix("index.html")
            for path in sorted(handler.sites["/"])
            if path.endswith(".html")
        )
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
