"""Links to other hosts, asked of servers of our own."""

import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from batcher_site import external
from batcher_site.external import AGE_SECONDS, Answer, State, ask
from batcher_site.memo import Memo

NOW = 1_800_000_000.0
Page = Callable[[BaseHTTPRequestHandler], None]
ALIVE, DEAD, UNTOLD = State.ALIVE, State.DEAD, State.UNTOLD


class Host:
    """A server whose pages are functions of the request; it counts what it is asked."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.at_once = self.most_at_once = 0
        self.pages: dict[str, Page] = {}
        host = self
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                with lock:
                    host.asked[f"{self.command} {self.path}"] += 1
                    host.at_once += 1
                    host.most_at_once = max(host.most_at_once, host.at_once)
                try:
                    host.pages[self.path](self)
                finally:
                    with lock:
                        host.at_once -= 1

            do_HEAD = do_GET = answer  # noqa: N815 -- the names that the server looks for

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def says(code: int, **headers: str) -> Page:
    def page(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code, "\x1b[31mthe server's own words")
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()

    return page


def by_turns(*pages: Page) -> Page:
    left = list(pages)

    def page(handler: BaseHTTPRequestHandler) -> None:
        left.pop(0)(handler)

    return page


def silent_until(over: threading.Event) -> Page:
    def page(_: BaseHTTPRequestHandler) -> None:
        over.wait(10)

    return page


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setattr(external, "_RETRY_SECONDS", (0.01, 0.02))
    monkeypatch.setattr(external, "_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(external, "_TIMEOUT_SECONDS", 0.5)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    started = Host()
    yield started
    started.close()


def one(host: Host, page: Page) -> Answer:
    host.pages["/x"] = page
    (answer,) = ask([f"{host.address}/x"], Memo(), NOW).values()
    return answer


@pytest.mark.parametrize(
    ("code", "state", "reason"),
    [
        (200, ALIVE, "200 OK"),
        (204, ALIVE, "204 No Content"),
        (404, DEAD, "404 Not Found"),
        (410, DEAD, "410 Gone"),
        (400, DEAD, "400 Bad Request"),
        (401, UNTOLD, "401 Unauthorized"),
        (403, UNTOLD, "403 Forbidden"),
        (429, UNTOLD, "429 Too Many Requests"),
        (503, UNTOLD, "503 Service Unavailable"),
        (999, UNTOLD, "999"),
    ],
)
def test_a_status_tells_what_became_of_a_link(
    code: int, state: State, reason: str, host: Host
) -> None:
    """In the words of the standard: what a server writes never reaches the terminal."""
    answer = one(host, says(code))
    assert (answer.state, answer.reason) == (state, reason)


def test_a_live_page_is_asked_for_once_without_its_body(host: Host) -> None:
    one(host, says(200))
    assert host.asked == {"HEAD /x": 1}


def test_a_server_that_knows_no_head_is_asked_by_get(host: Host) -> None:
    answer = one(host, lambda handler: says(200 if handler.command == "GET" else 405)(handler))
    assert answer.state is ALIVE
    assert host.asked == {"HEAD /x": 1, "GET /x": 1}


def test_a_busy_host_is_asked_again_and_not_for_ever(host: Host) -> None:
    assert one(host, by_turns(says(503), says(429), says(200))).state is ALIVE
    assert host.asked == {"HEAD /x": 3}
    assert one(host, says(503)).state is UNTOLD
    assert host.asked == {"HEAD /x": 6}


def test_a_host_that_says_when_to_come_back_is_left_alone_until_then(host: Host) -> None:
    begin = time.monotonic()
    assert one(host, by_turns(says(429, Retry_After="1"), says(200))).state is ALIVE
    assert time.monotonic() - begin >= 1


@pytest.mark.parametrize("wait", ["-1", "soon", "Tue, 01 Dec 2026 12:00:00 GMT", "1e9"])
def test_a_wait_that_is_no_number_of_seconds_is_not_kept(wait: str, host: Host) -> None:
    assert one(host, by_turns(says(503, Retry_After=wait), says(200))).state is ALIVE


def test_a_redirect_is_followed_to_its_end(host: Host) -> None:
    host.pages |= {"/there": says(404)}
    assert one(host, says(301, Location="/there")).reason == "404 Not Found"
    host.pages |= {"/there": says(200)}
    assert one(host, says(302, Location="/there")).state is ALIVE


def test_a_redirect_that_goes_in_circles_is_not_alive(host: Host) -> None:
    assert one(host, says(302, Location="/x")).state is DEAD


@pytest.mark.parametrize("target", ["file:///etc/hosts", "ftp://127.0.0.1/x", "data:,x"])
def test_a_redirect_to_another_scheme_is_not_followed(target: str, host: Host) -> None:
    assert one(host, says(302, Location=target)).state is not ALIVE


def test_a_public_link_is_not_followed_into_a_private_network(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The public name leads to the server of the test; its redirect names the private address."""
    real = socket.getaddrinfo
    port = host.server.server_port
    monkeypatch.setattr(socket, "getaddrinfo", lambda _, *rest: real("127.0.0.1", *rest))
    host.pages |= {"/x": says(302, Location=f"{host.address}/secret"), "/secret": says(200)}
    link = f"http://public.example:{port}/x"
    assert ask([link], Memo(), NOW)[link] == Answer(DEAD, "it leads on to a private machine")
    assert not [asked for asked in host.asked if asked.endswith("/secret")]


def test_a_server_that_says_nothing_is_untold_after_the_time_limit(host: Host) -> None:
    over = threading.Event()
    try:
        answer = one(host, silent_until(over))
    finally:
        over.set()
    assert (answer.state, answer.reason) == (UNTOLD, "no answer in 0.5 s")


def test_a_server_that_hangs_up_is_untold(host: Host) -> None:
    answer = one(host, lambda handler: handler.connection.close())
    assert (answer.state, answer.reason) == (UNTOLD, "the connection failed")


def test_where_nobody_listens_the_link_is_untold(host: Host) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        link = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        assert ask([link], Memo(), NOW)[link].reason == "its host takes no connection"
    assert not host.asked


@pytest.mark.parametrize(
    ("fault", "state", "reason"),
    [
        (socket.EAI_NONAME, DEAD, "there is no such host"),
        (socket.EAI_AGAIN, UNTOLD, "its host could not be looked up"),
    ],
)
def test_a_name_that_is_not_found_is_dead_and_a_failed_lookup_is_not(
    fault: int, state: State, reason: str, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(fault, "x")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    link = "http://no.example/"
    assert ask([link], Memo(), NOW)[link] == Answer(state, reason)
    assert not host.asked


@pytest.mark.parametrize(
    "link", ["http:///x", "http://a:port/", "http://[::1/", f"http://{'a' * 70}.exämple/"]
)
def test_what_is_no_address_is_dead_and_stops_nothing(link: str, host: Host) -> None:
    host.pages["/x"] = says(200)
    live = f"{host.address}/x"
    answers = ask([link, live], Memo(), NOW)
    assert answers[link] == Answer(DEAD, "it is not a valid address")
    assert answers[live].state is ALIVE


def test_an_address_beyond_ascii_is_written_as_browsers_write_it(host: Host) -> None:
    host.pages["/gr%C3%B6%C3%9Fe?q=%C3%BC&r=%20"] = says(200)
    (answer,) = ask([f"{host.address}/größe?q=ü&r=%20"], Memo(), NOW).values()
    assert answer.state is ALIVE


def test_a_host_is_asked_for_one_link_at_a_time(host: Host) -> None:
    def slow(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(0.05)
        says(200)(handler)

    host.pages = {f"/{number}": slow for number in range(4)}
    ask([f"{host.address}/{number}" for number in range(4)], Memo(), NOW)
    assert host.most_at_once == 1


def test_several_hosts_are_asked_at_once(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the client two names are two hosts; neither is answered before both have been asked."""
    monkeypatch.setattr(external, "_TIMEOUT_SECONDS", 10.0)
    both = threading.Barrier(2, timeout=5)

    def wait(handler: BaseHTTPRequestHandler) -> None:
        both.wait()
        says(200)(handler)

    host.pages = {"/0": wait}
    port = host.server.server_port
    answers = ask([f"http://{name}:{port}/0" for name in ("127.0.0.1", "localhost")], Memo(), NOW)
    assert [answer.state for answer in answers.values()] == [ALIVE, ALIVE]


def test_what_led_somewhere_is_remembered_for_a_week_and_what_did_not_is_not(
    host: Host, tmp_path: Path
) -> None:
    host.pages = {"/live": says(200), "/dead": says(404)}
    links = [f"{host.address}/live", f"{host.address}/dead"]

    def check(now: float) -> Counter[str]:
        host.asked.clear()
        memo = Memo(str(tmp_path / "cache"))
        answers = ask(links, memo, now)
        memo.save()
        assert [answers[link].state for link in links] == [ALIVE, DEAD]
        return Counter(asked for asked in host.asked if asked.startswith("HEAD"))

    assert check(NOW) == {"HEAD /live": 1, "HEAD /dead": 1}
    assert check(NOW + AGE_SECONDS - 1) == {"HEAD /dead": 1}
    assert check(NOW + AGE_SECONDS) == {"HEAD /live": 1, "HEAD /dead": 1}
    assert check(NOW) == {"HEAD /live": 1, "HEAD /dead": 1}  # the clock was set back


def test_progress_counts_up_to_the_number_of_links(host: Host) -> None:
    host.pages = {f"/{number}": says(200) for number in range(3)}
    told: list[tuple[str, int, int]] = []
    ask(
        [f"{host.address}/{number}" for number in range(3)],
        Memo(),
        NOW,
        lambda *step: told.append(step),
    )
    assert told == [("links", 1, 3), ("links", 2, 3), ("links", 3, 3)]


def test_links_that_are_left_when_no_host_answers_are_untold(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external, "_PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr(external, "_TIMEOUT_SECONDS", 5.0)
    over = threading.Event()
    host.pages = {"/live": says(200), "/slow": silent_until(over)}
    links = [f"{host.address}/live", f"{host.address}/slow"]
    try:
        answers = ask(links, Memo(), NOW)
    finally:
        over.set()
    assert answers[links[0]].state is ALIVE
    assert answers[links[1]] == Answer(UNTOLD, "no answer in time")


def test_a_bug_of_ours_is_raised_and_not_taken_for_a_dead_link(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: str) -> Answer:
        raise ZeroDivisionError

    monkeypatch.setattr(external, "_answer", fail)
    with pytest.raises(ZeroDivisionError):
        ask([f"{host.address}/x"], Memo(), NOW)


def test_nothing_to_ask_asks_nothing() -> None:
    assert ask([], Memo(), NOW) == {}
