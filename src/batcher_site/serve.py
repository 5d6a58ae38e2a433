"""
The development server: it serves what the last good build made in memory.

After each save the site is built again. Builds run in the thread that called; each request has a
thread of its own, which reads one frozen value, the show, and never waits for a build.
"""

import errno
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from socketserver import TCPServer
from time import perf_counter
from typing import Any

from msgspec import Struct, structs

from batcher_site import assets, limit, sources
from batcher_site.build import Options, RenderedSite, render_site
from batcher_site.errors import SiteError, SiteErrors, UsageError, refused_by_system
from batcher_site.memo import Memo
from batcher_site.output import digest_of
from batcher_site.responses import (
    Change,
    Fault,
    Request,
    Response,
    Show,
    answer,
    asked_version,
    refusal,
    state,
)
from batcher_site.urls import CONTENT, Base
from batcher_site.watching import Watcher

LOOPBACK = ("127.0.0.1", "localhost", "::1")
DEFAULT_PORT = 8000
LONGEST_BUILD_SECONDS = 60
"""How long one build may take: a template can loop for ever."""

_PORTS_TRIED = 20
_MOST_CONNECTIONS = 64
_CONNECTION_SECONDS = 10
_HOLD_SECONDS = 20
_HISTORY = 50
_CONTEXT = 2
_EMPTY = Show(
    version=0, base=Base.parse("http://localhost/"), files={}, digests={}, sources={}, folder=""
)
_NO_METHOD = HTTPStatus.NOT_IMPLEMENTED
_TAKEN = (errno.EADDRINUSE, errno.EACCES)
_ALL_NETWORKS = ("0.0.0.0", "::")  # noqa: S104 -- to know it by its name
_STYLE = (b"<style>", b"</style>")
_POLICY = (b'<meta http-equiv="Content-Security-Policy"', b">")


class Built(Struct, frozen=True):
    """What came of one build: pages and changed files, or the faults; the seconds that it took."""

    site: RenderedSite | None
    changed: int
    errors: tuple[SiteError, ...]
    seconds: float


class Stage:
    """What is on show, and those who wait for the next version."""

    def __init__(self) -> None:
        # A page that has outlived another server knows a smaller version than any of this one.
        self._show = structs.replace(_EMPTY, version=time.time_ns() // 1_000_000)
        self._news = threading.Condition()

    @property
    def show(self) -> Show:
        """What is on show now."""
        return self._show

    def put(self, show: Show) -> None:
        """Show something else, and tell all who wait."""
        with self._news:
            self._show = show
            self._news.notify_all()

    def after(self, version: int, seconds: float) -> Show:
        """Wait until there is something else than `version`, at most so long."""
        with self._news:
            self._news.wait_for(lambda: self._show.version != version, seconds)
            return self._show


class Builder:
    """
    Builds the site again and again with what it remembers, and puts it on the stage.

    `options` gives what a build is asked for, at its moment.
    """

    def __init__(self, options: Callable[[], Options], memo: Memo, stage: Stage) -> None:
        self._options = options
        self._memo = memo
        self._stage = stage

    def build(self) -> Built:
        """
        Build once; where that fails, the last good pages stay, and the faults are shown.

        Raises UsageError for options that no build could do with.
        """
        begin = perf_counter()
        options = self._options()
        try:
            with limit.seconds(LONGEST_BUILD_SECONDS):
                site = render_site(options, self._memo)
                show = self._take(site, options.source)
        except UsageError:
            raise  # no save would mend it
        except SiteErrors as failure:
            return self._fail(failure.errors, options.source, begin)
        except SiteError as error:
            return self._fail((error,), options.source, begin)
        except OSError as error:
            return self._fail((refused_by_system(error),), options.source, begin)
        except limit.TimeIsUpError:
            message = f"the build took more than {LONGEST_BUILD_SECONDS} s"
            fault = SiteError(message, hint="look for a loop without an end")
            return self._fail((fault,), options.source, begin)
        self._stage.put(show)
        seconds = perf_counter() - begin
        # After the pages are on show: it takes a moment.
        self._memo.forget_unused()
        change = show.history[-1]
        return Built(site, len(change.changed | change.restyled), (), seconds)

    def _fail(self, errors: tuple[SiteError, ...], folder: str, begin: float) -> Built:
        show = self._stage.show
        faults = tuple(_fault(error, folder) for error in errors)
        change = Change(show.version + 1, frozenset(), frozenset())
        self._stage.put(
            structs.replace(
                show,
                version=change.version,
                faults=faults,
                history=(*show.history, change)[-_HISTORY:],
            )
        )
        return Built(None, 0, errors, perf_counter() - begin)

    def _take(self, site: RenderedSite, folder: str) -> Show:
        """Hold all files in memory; those that are as before are not made or read again."""
        old = self._stage.show
        held: dict[str, bytes] = {}
        digests: dict[str, str] = {}
        for path in site.outputs:
            digest = site.outputs.digests.get(path)
            if digest is not None and digest == old.digests.get(path):
                held[path] = old.files[path]
            else:
                held[path] = site.outputs[path]
                digest = digest or digest_of(held[path])
            digests[path] = digest
        names = held.keys() | old.files.keys()
        differing = {name for name in names if digests.get(name) != old.digests.get(name)}
        restyled = {
            name
            for name in differing
            if name in held and name in old.files and _only_looks(old.files[name], held[name])
        }
        change = Change(
            old.version + 1,
            frozenset(_address(site.base, name) for name in differing - restyled),
            frozenset(_address(site.base, name) for name in restyled),
        )
        return Show(
            version=change.version,
            base=site.base,
            files=held,
            digests=digests,
            sources={page.file: page.source for page in site.checked},
            folder=os.path.abspath(folder).replace(os.sep, "/"),
            history=(*old.history, change)[-_HISTORY:],
        )


def _address(base: Base, file: str) -> str:
    """Give the address at which a browser knows a file."""
    return base.href(f"/{file.removesuffix('index.html')}")


def _only_looks(old: bytes, new: bytes) -> bool:
    """Tell whether two pages differ in nothing but their style sheet and its hash."""
    return _bare(old) == _bare(new)


def _bare(page: bytes) -> bytes:
    for start, end in (_STYLE, _POLICY):
        before, found, rest = page.partition(start)
        page = before + rest.partition(end)[2] if found else page
    return page


def _fault(error: SiteError, folder: str) -> Fault:
    return Fault(
        place=error.place,
        message=error.message,
        hint=error.hint or "",
        line=error.line,
        excerpt=tuple(_excerpt(folder, error.source, error.line)),
    )


def _excerpt(folder: str, source: str | None, line: int | None) -> Iterator[tuple[int, str]]:
    """Give the lines around a fault, where its file is the owner's and can be read."""
    path = os.path.join(folder, source or "")
    if source is None or line is None or not sources.inside(path, folder):
        return
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    except (OSError, ValueError):
        return  # it may be gone by now; the place is told nonetheless
    first = max(1, line - _CONTEXT)
    yield from enumerate(lines[first - 1 : line + _CONTEXT], first)


class Server(ThreadingHTTPServer):
    """Listens, and answers each connection in a thread of its own, of which there are not many."""

    daemon_threads = True
    # On Windows it would let two servers have one port.
    allow_reuse_address = os.name == "posix"
    request_queue_size = _MOST_CONNECTIONS

    def __init__(self, host: str, port: int, stage: Stage) -> None:
        self.stage = stage
        self.host = host
        self.live_script = files("batcher_site").joinpath("live.js").read_bytes()
        self._free = threading.BoundedSemaphore(_MOST_CONNECTIONS)
        self.address_family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        super().__init__((host, port), _Handler)

    @property
    def origin(self) -> str:
        """The address of the server for a browser on this machine."""
        name = "localhost" if self.host in _ALL_NETWORKS else self.host
        return f"http://{f'[{name}]' if ':' in name else name}:{self.server_port}"

    def server_bind(self) -> None:
        """Bind, and do not look up what this machine is called, which can take seconds."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.host, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 -- as there
        """Answer in a new thread, or hang up where too many are at work."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 -- as there
        """Answer one connection, and leave its place to the next."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 -- as there
        """A client that hangs up or is too slow is no fault of anybody here."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    # A slow reader or writer is left alone after so long.
    timeout = _CONNECTION_SECONDS
    server_version, sys_version = "batcher", ""

    def do_GET(self) -> None:
        names = {name.lower() for name in self.headers}
        headers = {name: self.headers.get_all(name, []) for name in names}
        self._send(self._respond(Request(self.command, self.path, headers)))

    do_HEAD = do_GET  # noqa: N815 -- the library looks for these names

    def _respond(self, request: Request) -> Response:
        stage = self.server.stage
        refused = refusal(request, self.server.host, self.server.server_port)
        if refused:
            return refused
        known = asked_version(request)
        if known is not None:
            return state(stage.after(known, _HOLD_SECONDS), known)
        return answer(request, stage.show, self.server.live_script)

    def _send(self, response: Response) -> None:
        self.send_response(response.status)
        for name, value in response.headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)

    def send_error(self, code: int, *_: object) -> None:
        """Answer what is no request of ours without a word of what came."""
        self.close_connection = True
        # The library says 501 where there is no method of that name.
        status = HTTPStatus.METHOD_NOT_ALLOWED if code == _NO_METHOD else HTTPStatus(code)
        self._send(Response(status, b"this is no request\n"))

    def log_message(self, *_: object) -> None:
        """Say nothing: the terminal tells of builds."""


@contextmanager
def listening(host: str, port: int | None, stage: Stage) -> Iterator[Server]:
    """
    Listen while the body runs; without a port, on the first that is free from `DEFAULT_PORT` on.

    Raises UsageError where the port or the host cannot be had.
    """
    server = _bind(host, port, stage)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def _bind(host: str, port: int | None, stage: Stage) -> Server:
    first = DEFAULT_PORT if port is None else port
    tried = range(first, first + (_PORTS_TRIED if port is None else 1))
    for number in tried:
        try:
            return Server(host, number, stage)
        except OSError as error:
            if error.errno not in _TAKEN or number == tried[-1]:
                reason = error.strerror or str(error)
                raise UsageError(
                    f"cannot listen on {host}, port {number}: {reason}",
                    hint="give another one with --port, or stop what listens there",
                ) from None
    raise AssertionError(tried)


def watch(source: str) -> Watcher:
    """Give what watches the folders that a site is made from, the theme's among them."""
    theme = assets.theme_folder()
    parts = (assets.TEMPLATES, assets.STATIC)
    folders = [os.path.join(source, part) for part in (CONTENT, *parts)]
    folders += [os.path.join(theme, part) for part in parts]
    return Watcher(folders)
