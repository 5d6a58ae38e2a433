"""The development server under requests of every shape gives the build's files only, and lives."""

import socket
from collections.abc import Callable
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from batcher_site.responses import Show
from batcher_site.serve import Server, Stage, listening
from batcher_site.urls import Base

PAGE = b"<!doctype html><title>a page of the build</title><body></body>"
MARK = b"a page of the build"
HERE = "127.0.0.1:PORT"
_PIECES = st.sampled_from(
    (
        *("a", "/", "//", "..", ".", "%2e%2e", "%2f", "%5c", "\\", "%00", "%ff", "index.html", "?"),
        *(".batcher/live.js", ".batcher/state", "?version=", "9" * 30, "-1", "http://", "LONG"),
        *("é", " ", "\t", "@", ":", ";", "*", "#", "etc/passwd", "content/site.yaml", "~"),
    )
)
_TARGETS = st.lists(_PIECES, max_size=6).map("".join)
_METHODS = st.sampled_from(["GET", "HEAD", "get", "POST", "OPTIONS", "CONNECT", "", "GET GET", "É"])
_VERSIONS = st.sampled_from(
    ["HTTP/1.1", "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.", "HTTP/1.1.1", "", "http/1.1", "X"]
)
_NAMES = st.sampled_from(
    (
        *("Host", "host", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Content-Length", "Range"),
        *("Transfer-Encoding", "Expect", "Upgrade", "X-Forwarded-Host", " Host", "Host ", ""),
    )
)
_VALUES = st.sampled_from(
    (
        *(HERE, HERE, "localhost:PORT", "evil.example", "same-origin", "same-site", "cross-site"),
        *("navigate", "null", "http://evil.example", "9999999", "-1", "chunked", "100-continue"),
        *("bytes=0-", "websocket", "", "\x00", "é", "LONG"),
    )
)
_HEADERS = st.lists(st.tuples(_NAMES, _VALUES), max_size=5)
_ENDS = st.sampled_from(["\r\n", "\r\n", "\n", "\r"])


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """Give a request line and headers, in order or not, or bytes of any kind."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=200)) + b"\r\n\r\n"
    end = draw(_ENDS)
    line = f"{draw(_METHODS)} {draw(_TARGETS)} {draw(_VERSIONS)}"
    headers = [f"{name}: {value}" for name, value in draw(_HEADERS)]
    if draw(st.booleans()):
        headers.insert(0, f"Host: {HERE}")
    return end.join([line, *headers, "", ""]).encode()


def ask(server: Server, request: bytes) -> bytes:
    """Send a request, say that it is all, and give the answer; empty where the server hangs up."""
    answer = b""
    request = request.replace(b"PORT", str(server.server_port).encode())
    request = request.replace(b"LONG", b"x" * 70_000)
    with socket.create_connection(("127.0.0.1", server.server_port), 10) as connection:
        try:
            connection.sendall(request)
            # The server may have refused it by now, and hung up.
            with suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
            while data := connection.recv(65536):
                answer += data
        except ConnectionError:
            return answer
    return answer


def run_requests(examples: int) -> Callable[[], None]:
    """Give a test of so many requests to one server."""

    def run() -> None:
        stage = Stage()
        stage.put(
            Show(
                # Nothing is ever older or newer than what a page can know, so no answer is held.
                version=-1,
                base=Base.parse("http://localhost/"),
                files={"index.html": PAGE, "a/index.html": PAGE},
                digests={},
                sources={},
                folder="",
            )
        )
        with listening("127.0.0.1", 0, stage) as server:

            @settings(max_examples=examples, deadline=None)
            @given(requests())
            def holds(request: bytes) -> None:
                _judge(server, request)

            holds()

    return run


def _judge(server: Server, request: bytes) -> None:
    """A page is given to who names this server and asks for one; all else is refused in short."""
    answer = ask(server, request)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"Access-Control" not in head
    assert b"Traceback" not in answer
    if MARK in answer:
        assert head.startswith(b"HTTP/1.0 200 ")
        assert request.startswith((b"GET ", b"HEAD"))
        assert b"127.0.0.1:PORT" in request or b"localhost:PORT" in request
    elif not head.startswith(b"HTTP/1.0 200 "):
        assert len(body) < 100
    good = ask(server, f"GET / HTTP/1.1\r\nHost: {HERE}\r\n\r\n".encode())
    assert good.startswith(b"HTTP/1.0 200 ")
    assert MARK in good


def test_whatever_is_asked_only_pages_of_the_build_are_given_and_the_server_lives() -> None:
    run_requests(examples=200)()
