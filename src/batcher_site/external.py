"""
Whether links to other hosts lead somewhere: `ask` asks those hosts, and spares them.

The only module that reaches the network. A host is asked by one thread at a time, with a pause
between two links; by HEAD, and by GET where that is refused; again where it is busy. A link that
led somewhere is not asked for again for a week. Nothing that a server says but its status is shown.
"""

import socket
import ssl
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from email.message import Message
from enum import StrEnum
from http import HTTPStatus
from http.client import HTTPException
from itertools import groupby
from queue import Empty, SimpleQueue
from threading import Thread
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit, urlunsplit

from msgspec import Struct

from batcher_site import __version__
from batcher_site.hosts import is_private
from batcher_site.memo import Memo

AGE_SECONDS = 7 * 24 * 3600
"""How long a link that led somewhere counts as one that does."""

_THREADS = 8
_TIMEOUT_SECONDS = 10.0
_PAUSE_SECONDS = 0.2
_RETRY_SECONDS = (1.0, 4.0)
_LONGEST_WAIT_SECONDS = 20.0
# Longer than one link may take: two requests, three times, and the waits between them.
_PATIENCE_SECONDS = 6 * _TIMEOUT_SECONDS + 2 * _LONGEST_WAIT_SECONDS + 10.0

_SAFE_IN_ADDRESS = "/:@!$&'()*+,;=-._~%?"
_HEADERS = {
    "User-Agent": f"batcher-site/{__version__} (a check of links)",
    "Accept": "*/*",
}
_BUSY = {HTTPStatus.TOO_MANY_REQUESTS, 500, 502, 503, 504}
# The page may be there for people: it asks who they are, or refuses programs.
_UNTOLD = {401, 402, 403, 406, 407, 408, 425, 429, 451, 999}


class State(StrEnum):
    """What is known of a link."""

    ALIVE = "alive"
    DEAD = "dead"
    UNTOLD = "untold"


class Answer(Struct, frozen=True):
    """What became of a link, with the reason in words; `at` is when, in seconds since 1970."""

    state: State
    reason: str
    at: float = 0.0


Progress = Callable[[str, int, int], None]


def ask(
    links: Collection[str], memo: Memo, now: float, progress: Progress | None = None
) -> dict[str, Answer]:
    """
    Give an answer for each link, which begins with http:// or https://.

    `memo` knows those that led somewhere within `AGE_SECONDS` before `now`, and learns the others.
    Where no host answers for long, the links that are left are told as such.
    """
    answers = {link: found for link in links if (found := _known(memo, link, now))}
    missing = sorted({*links} - answers.keys(), key=lambda link: (_host(link), link))
    total = len({*links})
    for link, answer in _ask_all(missing):
        answers[link] = answer
        if answer.state is State.ALIVE:
            memo.put(memo.key("external", link), Answer(answer.state, answer.reason, now))
        if progress:
            progress("links", len(answers), total)
    return answers


def _known(memo: Memo, link: str, now: float) -> Answer | None:
    found = memo.get(memo.key("external", link), Answer)
    # A clock that was set back must not make an answer hold for ever.
    return found if found is not None and 0 <= now - found.at < AGE_SECONDS else None


def _host(link: str) -> str:
    return link.split("/")[2].lower()


def _ask_all(links: Sequence[str]) -> Iterator[tuple[str, Answer]]:
    """Give the answers as they come, in any order."""
    todo: SimpleQueue[tuple[str, ...] | None] = SimpleQueue()
    done: SimpleQueue[tuple[str, Answer] | Exception] = SimpleQueue()
    hosts = [tuple(group) for _, group in groupby(links, _host)]
    threads = min(_THREADS, len(hosts))
    for entry in (*hosts, *[None] * threads):
        todo.put(entry)
    for _ in range(threads):
        # A daemon, so that a check that is stopped does not wait for a slow host.
        Thread(target=_work, args=(todo, done), daemon=True).start()
    left = dict.fromkeys(links)
    while left:
        try:
            found = done.get(timeout=_PATIENCE_SECONDS)
        except Empty:
            yield from ((link, Answer(State.UNTOLD, "no answer in time")) for link in left)
            return
        if isinstance(found, Exception):
            raise found
        left.pop(found[0])
        yield found


def _work(
    todo: "SimpleQueue[tuple[str, ...] | None]",
    done: "SimpleQueue[tuple[str, Answer] | Exception]",
) -> None:
    """Ask one host after the other until there is none."""
    while links := todo.get():
        for number, link in enumerate(links):
            if number:
                time.sleep(_PAUSE_SECONDS)
            try:
                done.put((link, _answer(link)))
            except Exception as error:  # noqa: BLE001 -- a bug of ours, raised where it is seen
                done.put(error)


def _answer(link: str) -> Answer:
    """Ask for one link, again where its host is busy or the line fails."""
    reply = _reply(link)
    for pause in _RETRY_SECONDS:
        if not reply.is_passing:
            break
        time.sleep(min(max(pause, reply.wait), _LONGEST_WAIT_SECONDS))
        reply = _reply(link)
    return Answer(reply.state, reply.reason)


class _Reply(Struct, frozen=True):
    """One reply; a passing one may be another if it is asked for again after `wait` seconds."""

    state: State
    reason: str
    is_passing: bool = False
    wait: float = 0.0


def _reply(link: str) -> _Reply:
    reply = _exchange(link, "HEAD")
    # There are servers that know no HEAD, and say anything to it.
    return reply if reply.state is State.ALIVE or reply.is_passing else _exchange(link, "GET")


def _exchange(link: str, method: str) -> _Reply:
    try:
        asked = request.Request(_ascii(link), method=method, headers=_HEADERS)  # noqa: S310 -- http and https only
        with _OPENER.open(asked, timeout=_TIMEOUT_SECONDS) as response:
            return _Reply(State.ALIVE, _status(response.status))
    except HTTPError as error:
        error.close()
        return _of_status(error.code, error.headers)
    except _PrivateRedirectError:
        return _Reply(State.DEAD, "it leads on to a private machine")
    except URLError as error:
        return _of_fault(error.reason)
    except (OSError, HTTPException) as error:
        return _of_fault(error)
    except ValueError:
        return _Reply(State.DEAD, "it is not a valid address")


def _ascii(link: str) -> str:
    """Write an address as it goes over the line, which knows no letters beyond ASCII."""
    parts = urlsplit(link)
    host = parts.hostname or ""
    if not host:
        raise ValueError(link)
    if not host.isascii():
        host = host.encode("idna").decode()
    where = f"[{host}]" if ":" in host else host
    if parts.port is not None:
        where = f"{where}:{parts.port}"
    path, query = (quote(text, safe=_SAFE_IN_ADDRESS) for text in (parts.path or "/", parts.query))
    return urlunsplit((parts.scheme, where, path, query, ""))


def _of_status(code: int, headers: Message) -> _Reply:
    if code in _BUSY:
        wait = headers.get("Retry-After") or ""
        return _Reply(
            State.UNTOLD, _status(code), is_passing=True, wait=float(wait) if wait.isdigit() else 0
        )
    return _Reply(State.UNTOLD if code in _UNTOLD else State.DEAD, _status(code))


def _of_fault(fault: object) -> _Reply:
    if isinstance(fault, ssl.SSLCertVerificationError):
        return _Reply(State.DEAD, "its certificate is not valid")
    if isinstance(fault, socket.gaierror):
        if fault.errno == socket.EAI_AGAIN:
            return _Reply(State.UNTOLD, "its host could not be looked up", is_passing=True)
        return _Reply(State.DEAD, "there is no such host")
    if isinstance(fault, TimeoutError):
        return _Reply(State.UNTOLD, f"no answer in {_TIMEOUT_SECONDS:g} s", is_passing=True)
    if isinstance(fault, ConnectionRefusedError):
        return _Reply(State.UNTOLD, "its host takes no connection", is_passing=True)
    return _Reply(State.UNTOLD, "the connection failed", is_passing=True)


def _status(code: int) -> str:
    """Give a status in the words of the standard, never in those of the server."""
    try:
        return f"{code} {HTTPStatus(code).phrase}"
    except ValueError:
        return str(code)


class _PrivateRedirectError(Exception):
    """A public link that leads on to a private machine, which it is not for us to ask."""


class _Guard(request.BaseHandler):
    """Lets no public link lead on into a private network."""

    def http_request(self, asked: request.Request) -> request.Request:
        """Look at a request before it is sent: one that follows a redirect is `unverifiable`."""
        began_outside = not is_private(f"http://{asked.origin_req_host}/")
        if asked.unverifiable and began_outside and is_private(asked.full_url):
            raise _PrivateRedirectError(asked.full_url)
        return asked

    https_request = http_request


def _opener() -> request.OpenerDirector:
    """Give what opens http and https, and no other scheme that a redirect may name."""
    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler,
        request.HTTPHandler,
        request.HTTPSHandler,
        request.HTTPDefaultErrorHandler,
        request.HTTPErrorProcessor,
        request.HTTPRedirectHandler,
        _Guard,
    ):
        opener.add_handler(handler())
    return opener


_OPENER = _opener()
