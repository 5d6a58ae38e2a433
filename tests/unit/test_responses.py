"""What the development server answers, and whom."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus

import msgspec
import pytest

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
from batcher_site.urls import Base

SCRIPT = b"live();"
HERE = {"host": ["127.0.0.1:8000"]}
PAGE = b'<!doctype html><meta http-equiv="Content-Security-Policy" content="x"><body>a</body>'


def show(base: str = "https://me.example/a/", **more: object) -> Show:
    files = {
        "index.html": PAGE,
        "projects/x/index.html": PAGE,
        "404.html": b"<body>lost</body>",
        "og/x.png": b"\x89PNG",
        ".nojekyll": b"",
        "a b.txt": b"text",
    }
    given: dict[str, object] = {
        "version": 3,
        "base": Base.parse(base),
        "files": files,
        "digests": {},
        "sources": {"projects/x/index.html": "content/projects/x.md"},
        "folder": "/home/ada/site",
        **more,
    }
    return Show(**given)  # type: ignore[arg-type]


def get(target: str, *, on: Show | None = None) -> Response:
    return answer(Request("GET", target, HERE), on or show(), SCRIPT)


def refused(
    headers: Mapping[str, Sequence[str]], *, method: str = "GET", host: str = "127.0.0.1"
) -> HTTPStatus | None:
    found = refusal(Request(method, "/", headers), host, 8000)
    return found.status if found else None


# --- what is answered ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "status", "kind"),
    [
        ("/a/", 200, "text/html; charset=utf-8"),
        ("/a/?x=1", 200, "text/html; charset=utf-8"),
        ("/a/index.html", 200, "text/html; charset=utf-8"),
        ("/a/projects/x/", 200, "text/html; charset=utf-8"),
        ("/a/og/x.png", 200, "image/png"),
        ("/a/a%20b.txt", 200, "text/plain; charset=utf-8"),
        ("/a/.nojekyll", 200, "application/octet-stream"),
        ("/a/nowhere", 404, "text/html; charset=utf-8"),
        ("/a/.batcher/live.js", 200, "text/javascript; charset=utf-8"),
    ],
)
def test_the_build_s_own_files_are_answered_with_their_type(
    target: str, status: int, kind: str
) -> None:
    found = get(target)
    assert (found.status, found.kind) == (status, kind)


@pytest.mark.parametrize(
    ("target", "location"),
    [("/", "/a/"), ("/a", "/a/"), ("/a/projects/x", "/a/projects/x/")],
)
def test_an_address_without_its_end_leads_to_the_whole_one(target: str, location: str) -> None:
    assert (get(target).status, get(target).location) == (301, location)


@pytest.mark.parametrize(
    "target",
    [
        *("/a/../etc/passwd", "/a/%2e%2e/%2e%2e/etc/passwd", "/a/..%2f..%2fetc/passwd"),
        *("/a//etc/passwd", "//etc/passwd", "/etc/passwd", "/a/..\\..\\x", "/a/%00", "/a/%ff"),
        *("/a/content/site.yaml", "/a/.git/config", "/a/.batcher-cache/memo.sqlite3", "", "x"),
        *("/a/.batcher-manifest.json", "http://evil.example/a/b", "*", "/a/projects/x/../x/"),
    ],
)
def test_nothing_but_the_list_of_the_build_can_be_had(target: str) -> None:
    found = get(target)
    assert found.status == 404
    assert b"lost" in found.body


def test_a_page_has_the_live_script_and_says_where_it_comes_from() -> None:
    body = get("/a/projects/x/").body.decode()
    assert '<script defer src="/a/.batcher/live.js" data-version="3"' in body
    assert 'data-source="content/projects/x.md"' in body
    assert 'data-file="/home/ada/site/content/projects/x.md"' in body
    assert body.endswith("</script></body>")
    assert "data-draft" not in body


def test_a_page_asks_for_the_faults_of_now_at_once() -> None:
    on = show(faults=(Fault("a", "b"),), history=changes(2, 3))
    assert 'data-version="2"' in get("/a/", on=on).body.decode()
    assert (news(2, on)["all"], news(2, on)["changed"]) == (False, ["/a/3/"])


def test_a_draft_is_marked() -> None:
    page = PAGE.replace(b"<body>", b'<meta name="robots" content="noindex"><body>')
    assert b'data-draft=""' in get("/a/", on=show(files={"index.html": page})).body


def test_a_name_cannot_leave_its_attribute() -> None:
    on = show(sources={"index.html": 'a"><script>x</script>'})
    assert b"<script>x" not in get("/a/", on=on).body


def test_before_the_first_good_build_a_page_waits_for_it() -> None:
    found = get("/", on=show("https://me.example/", files={}))
    assert found.status == 503
    assert b'data-empty=""' in found.body


def test_every_answer_has_the_guards() -> None:
    for found in (get("/a/"), get("/a/nowhere"), get("/"), state(show(), 0)):
        headers = dict(found.headers)
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert not any(name.startswith("Access-Control") for name in headers)


# --- whom it refuses ----------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "X"])
def test_what_does_more_than_ask_is_refused(method: str) -> None:
    assert refused(HERE, method=method) == HTTPStatus.METHOD_NOT_ALLOWED


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000", "[::1]:8000"]
)
def test_this_machine_may_be_named_in_three_ways(host: str) -> None:
    assert refused({"host": [host]}) is None


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example:8000", "127.0.0.1", "127.0.0.1:80", "localhost:8000.evil.example"),
        *("localhost.evil.example:8000", "192.168.0.7:8000", "", ":8000", "127.1:8000"),
        *("127.0.0.1:8000@evil.example", "evil.example"),
    ],
)
def test_another_host_s_name_is_refused(host: str) -> None:
    """A name that leads here for the moment is no permission (DNS rebinding)."""
    assert refused({"host": [host]}) == HTTPStatus.FORBIDDEN


@pytest.mark.parametrize("headers", [{}, {"host": ["127.0.0.1:8000", "evil.example"]}])
def test_no_host_and_two_hosts_are_refused(headers: Mapping[str, Sequence[str]]) -> None:
    assert refused(headers) == HTTPStatus.FORBIDDEN


def test_on_a_network_the_server_is_known_by_its_addresses_and_its_own_name() -> None:
    assert refused({"host": ["192.168.0.7:8000"]}, host="0.0.0.0") is None  # noqa: S104
    assert refused({"host": ["evil.example:8000"]}, host="0.0.0.0") == HTTPStatus.FORBIDDEN  # noqa: S104
    assert refused({"host": ["box.local:8000"]}, host="box.local") is None
    assert refused({"host": ["192.168.0.7:8000"]}, host="box.local") == HTTPStatus.FORBIDDEN


@pytest.mark.parametrize(
    ("fetch", "status"),
    [
        ({}, None),
        ({"sec-fetch-site": ["same-origin"]}, None),
        ({"sec-fetch-site": ["none"]}, None),
        ({"sec-fetch-site": ["same-site"]}, HTTPStatus.FORBIDDEN),
        ({"sec-fetch-site": ["cross-site"]}, HTTPStatus.FORBIDDEN),
        ({"sec-fetch-site": ["same-origin", "cross-site"]}, HTTPStatus.FORBIDDEN),
        ({"sec-fetch-site": ["cross-site"], "sec-fetch-mode": ["no-cors"]}, HTTPStatus.FORBIDDEN),
        (
            {
                "sec-fetch-site": ["cross-site"],
                "sec-fetch-mode": ["navigate"],
                "sec-fetch-dest": ["iframe"],
            },
            HTTPStatus.FORBIDDEN,
        ),
        (
            {
                "sec-fetch-site": ["cross-site"],
                "sec-fetch-mode": ["navigate"],
                "sec-fetch-dest": ["document"],
            },
            None,
        ),
        ({"origin": ["http://localhost:8000"]}, None),
        ({"origin": ["http://localhost:8001"]}, HTTPStatus.FORBIDDEN),
        ({"origin": ["https://evil.example"]}, HTTPStatus.FORBIDDEN),
        ({"origin": ["null"]}, HTTPStatus.FORBIDDEN),
    ],
)
def test_only_a_page_of_the_site_or_a_followed_link_may_ask(
    fetch: Mapping[str, Sequence[str]], status: HTTPStatus | None
) -> None:
    assert refused({**HERE, **fetch}) == status


# --- what has changed ---------------------------------------------------------------------------


def news(known: int, on: Show) -> dict[str, object]:
    found: dict[str, object] = msgspec.json.decode(state(on, known).body)
    return found


def changes(*versions: int) -> tuple[Change, ...]:
    return tuple(Change(v, frozenset({f"/a/{v}/"}), frozenset({f"/a/s{v}/"})) for v in versions)


def test_a_page_hears_of_all_changes_since_its_own_version() -> None:
    on = show(history=changes(1, 2, 3))
    assert news(1, on)["changed"] == ["/a/2/", "/a/3/"]
    assert news(1, on)["restyled"] == ["/a/s2/", "/a/s3/"]
    assert news(3, on)["changed"] == []
    assert news(1, on)["all"] is False


def test_a_page_that_missed_something_is_told_that_anything_may_have_changed() -> None:
    assert news(0, show(history=changes(2, 3)))["all"] is True
    assert news(1, show(history=changes(2, 3)))["all"] is False


def test_a_page_hears_of_the_faults_of_now() -> None:
    fault = Fault("content/a.md:2", "wrong", "mend it", 2, ((1, "a"), (2, "<b>")))
    told = news(3, show(faults=(fault,)))["faults"]
    assert msgspec.convert(told, list[Fault]) == [fault]


@pytest.mark.parametrize(
    ("target", "version"),
    [
        ("/a/.batcher/state?version=7", 7),
        ("/.batcher/state?version=7", 7),
        ("/a/.batcher/state", 0),
        ("/a/.batcher/state?version=-1", 0),
        ("/a/.batcher/state?version=٣", 0),
        ("/a/", None),
    ],
)
def test_a_question_for_changes_is_known_by_its_address(target: str, version: int | None) -> None:
    assert asked_version(Request("GET", target, HERE)) == version
