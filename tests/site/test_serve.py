"""The development server over real sockets: what is built after which save, and who is answered."""

import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from watchdog.observers.api import BaseObserver

from batcher_site import serve, watching
from batcher_site.build import Options
from batcher_site.errors import UsageError
from batcher_site.memo import Memo
from batcher_site.model import Selection
from batcher_site.serve import Builder, Server, Stage, listening
from batcher_site.unchanged import listing
from batcher_site.watching import Watcher
from tests.conftest import TODAY

PROJECT = "---\ntitle: Paged\nsummary: It pages.\n---\nHello.\n"
SiteMaker = Callable[..., Path]


class Desk:
    """A site that is written, its builder and its stage."""

    def __init__(self, folder: Path, base_url: str | None = None) -> None:
        self.folder = folder
        self.stage = Stage()
        selection = Selection(now=TODAY)
        options = Options(source=str(folder), base_url=base_url, selection=selection)
        self.builder = Builder(lambda: options, Memo(), self.stage)

    def save(self, name: str, text: str) -> set[str]:
        """Write a file, build, and give the addresses that changed."""
        (self.folder / name).write_text(text)
        return self.build()

    def build(self) -> set[str]:
        self.builder.build()
        return set(self.stage.show.history[-1].changed)


@pytest.fixture
def desk(site: SiteMaker) -> Desk:
    made = Desk(site({"content/projects/paged.md": PROJECT}))
    made.build()
    return made


@contextmanager
def served(stage: Stage) -> Iterator[Server]:
    with listening("127.0.0.1", 0, stage) as server:
        yield server


def ask(server: Server, request: bytes) -> bytes:
    """Send bytes and give all that comes back."""
    with socket.create_connection(("127.0.0.1", server.server_port), 5) as connection:
        connection.sendall(request)
        answer = b""
        while data := connection.recv(65536):
            answer += data
    return answer


def get(server: Server, path: str, *headers: str) -> bytes:
    lines = (f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{server.server_port}", *headers, "", "")
    return ask(server, "\r\n".join(lines).encode())


# --- what a build puts on show ------------------------------------------------------------------


def test_only_what_a_save_changes_counts_as_changed(desk: Desk) -> None:
    assert desk.save("content/projects/paged.md", PROJECT + "More.\n") == {"/projects/paged/"}
    assert b"More." in desk.stage.show.files["projects/paged/index.html"]
    assert desk.build() == set()


def test_a_page_that_is_gone_is_not_served_any_more(desk: Desk) -> None:
    (desk.folder / "content/projects/paged.md").unlink()
    assert "/projects/paged/" in desk.build()
    assert "projects/paged/index.html" not in desk.stage.show.files


def test_a_change_of_looks_alone_restyles_pages(desk: Desk) -> None:
    (desk.folder / "static/css").mkdir(parents=True)
    assert desk.save("static/css/custom.css", "b { order: 7 }") == set()
    assert "/projects/paged/" in desk.stage.show.history[-1].restyled


def test_a_fault_keeps_the_last_good_site_and_is_shown_with_its_lines(desk: Desk) -> None:
    good = desk.stage.show.files
    desk.save("content/projects/paged.md", PROJECT.replace("title", "titel"))
    show = desk.stage.show
    assert show.files == good
    fault = show.faults[0]
    assert fault.place == "content/projects/paged.md:2:1"
    assert fault.line == 2
    assert (2, "titel: Paged") in fault.excerpt
    desk.save("content/projects/paged.md", PROJECT)
    assert desk.stage.show.faults == ()


def test_a_site_that_has_never_been_good_waits_for_its_first_good_build(site: SiteMaker) -> None:
    desk = Desk(site({"content/projects/paged.md": "---\n"}))
    desk.build()
    with served(desk.stage) as server:
        assert get(server, "/").startswith(b"HTTP/1.0 503 ")
        desk.save("content/projects/paged.md", PROJECT)
        assert get(server, "/").startswith(b"HTTP/1.0 200 ")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarm")
def test_a_template_that_loops_for_ever_is_a_fault(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "LONGEST_BUILD_SECONDS", 0.3)
    (desk.folder / "templates").mkdir()
    loop = '{% for a in "x" * 99999 %}{% for b in "x" * 99999 %}{% endfor %}{% endfor %}'
    desk.save("templates/project.html", loop)
    assert "took more than" in desk.stage.show.faults[0].message


def test_what_the_system_refuses_is_a_fault_and_no_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "x")

    with monkeypatch.context() as patched:
        patched.setattr(serve, "render_site", refuse)
        desk.build()
    (fault,) = desk.stage.show.faults
    assert (fault.place, fault.message) == ("x", "the system refuses: No space left on device")
    desk.build()
    assert desk.stage.show.faults == ()


def test_an_address_that_is_none_ends_the_server(site: SiteMaker) -> None:
    """No save could mend it."""
    with pytest.raises(UsageError, match='"nowhere" is not the address'):
        Desk(site({}), base_url="nowhere").build()


def test_a_day_of_saves_does_not_fill_the_memory(desk: Desk) -> None:
    """What the store holds is what the last build needed."""

    def held() -> int:
        memo = desk.builder._memo
        rows = sum(map(len, memo._new.values()))
        return len(memo._small or {}) + rows + len(memo._values)

    desk.save("content/projects/paged.md", PROJECT + "0\n")
    before = held()
    for number in range(20):
        desk.save("content/projects/paged.md", PROJECT + f"{number}\n")
    assert held() == before


def test_files_that_go_while_they_are_read_are_no_end(desk: Desk) -> None:
    """Saves, deletions and builds at once: each build gives a site or its faults."""
    path = desk.folder / "content/projects/paged.md"
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            path.unlink(missing_ok=True)
            path.write_text(PROJECT)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(30):
            desk.builder.build()
    finally:
        stop.set()
        thread.join()
    desk.build()
    assert desk.stage.show.faults == ()


# --- over sockets -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "request_",
    [
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
        b"TRACE / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: https://evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nSec-Fetch-Site: same-site\r\n\r\n",
        b"GET /.batcher/state HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nSec-Fetch-Site: cross-site\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: 127.0.0.1:PORT\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n" + b"X: y\r\n" * 200 + b"\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : 127.0.0.1:PORT\r\n\r\n",
    ],
)
def test_a_hostile_request_gets_nothing_of_the_site(desk: Desk, request_: bytes) -> None:
    with served(desk.stage) as server:
        request = request_.replace(b"PORT", str(server.server_port).encode())
        status, _, rest = ask(server, request).partition(b"\r\n")
        assert b"Ada Test" not in rest
        assert b" 200 " not in status
        assert get(server, "/").startswith(b"HTTP/1.0 200 ")


def test_a_head_request_gets_the_headers_alone(desk: Desk) -> None:
    with served(desk.stage) as server:
        host = f"Host: 127.0.0.1:{server.server_port}\r\n\r\n".encode()
        answer = ask(server, b"HEAD / HTTP/1.1\r\n" + host)
        assert answer.startswith(b"HTTP/1.0 200 ")
        assert answer.endswith(b"\r\n\r\n")
        assert b"X-Content-Type-Options: nosniff" in answer


def test_a_question_for_changes_is_answered_when_there_is_one(desk: Desk) -> None:
    known = desk.stage.show.version
    with served(desk.stage) as server:
        answers: list[bytes] = []
        path = f"/.batcher/state?version={known}"
        thread = threading.Thread(target=lambda: answers.append(get(server, path)))
        thread.start()
        thread.join(0.3)
        assert thread.is_alive()
        desk.save("content/projects/paged.md", PROJECT + "More.\n")
        thread.join(5)
        assert b'"changed":["/projects/paged/"]' in answers[0]


def test_slow_readers_and_many_tabs_keep_nobody_waiting(desk: Desk) -> None:
    with served(desk.stage) as server:
        address = ("127.0.0.1", server.server_port)
        target = f"/.batcher/state?version={desk.stage.show.version}"
        known = f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{address[1]}\r\n\r\n"
        held = [socket.create_connection(address, 5) for _ in range(20)]
        for number, connection in enumerate(held):
            connection.sendall(known.encode() if number % 2 else b"GET / HT")
        begin = time.monotonic()
        assert get(server, "/").startswith(b"HTTP/1.0 200 ")
        assert time.monotonic() - begin < 2
        for connection in held:
            connection.close()


def test_more_connections_than_it_keeps_are_hung_up(desk: Desk) -> None:
    with served(desk.stage) as server:
        address = ("127.0.0.1", server.server_port)
        held = [socket.create_connection(address, 5) for _ in range(serve._MOST_CONNECTIONS + 5)]
        time.sleep(0.3)
        for connection in held:
            connection.close()
        for _ in range(50):
            if get(server, "/").startswith(b"HTTP/1.0 200 "):
                break
            time.sleep(0.1)
        assert get(server, "/").startswith(b"HTTP/1.0 200 ")


def test_a_port_that_is_taken_is_told_and_the_next_one_is_tried_only_unasked(desk: Desk) -> None:
    with served(desk.stage) as first:
        taken = first.server_port
        with (
            pytest.raises(UsageError, match=f"port {taken}: "),
            listening("127.0.0.1", taken, desk.stage),
        ):
            pass
    with (
        listening("127.0.0.1", None, desk.stage) as one,
        listening("127.0.0.1", None, desk.stage) as two,
    ):
        assert one.server_port != two.server_port


def test_a_host_that_is_none_is_a_wrong_use(desk: Desk) -> None:
    with (
        pytest.raises(UsageError, match=r"cannot listen on nowhere\.invalid, port 8000: "),
        listening("nowhere.invalid", None, desk.stage),
    ):
        pass


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this system has no IPv6")
def test_the_loopback_address_of_ipv6_can_be_served_too(desk: Desk) -> None:
    with listening("::1", 0, desk.stage) as server:
        assert server.origin == f"http://[::1]:{server.server_port}"
        with socket.create_connection(("::1", server.server_port), 5) as connection:
            connection.sendall(f"GET / HTTP/1.1\r\nHost: {server.origin[7:]}\r\n\r\n".encode())
            assert connection.recv(100).startswith(b"HTTP/1.0 200 ")


def test_on_all_networks_the_address_is_one_that_a_browser_takes(desk: Desk) -> None:
    with listening("0.0.0.0", 0, desk.stage) as server:  # noqa: S104 -- what --host may say
        assert server.origin == f"http://localhost:{server.server_port}"


def test_a_page_that_outlived_another_server_is_told_at_once_that_all_may_differ(
    desk: Desk,
) -> None:
    """The versions of two servers are never taken for each other, in either direction."""
    now = desk.stage.show.version
    time.sleep(0.01)
    later = Desk(desk.folder)
    later.build()
    assert later.stage.show.version > now
    for stage, known in ((later.stage, now), (desk.stage, later.stage.show.version)):
        with served(stage) as server:
            begin = time.monotonic()
            assert b'"all":true' in get(server, f"/.batcher/state?version={known}")
            assert time.monotonic() - begin < 5


# --- what is watched ----------------------------------------------------------------------------


def in_place(path: Path) -> None:
    path.write_text("in place")


def by_rename(path: Path) -> None:
    other = path.with_name(".tmp-save")
    other.write_text("by rename")
    other.rename(path)


def with_backup(path: Path) -> None:
    path.rename(path.with_name("a.md~"))
    path.write_text("with backup")


def twice(path: Path) -> None:
    path.write_text("one")
    time.sleep(0.05)
    path.write_text("two")


@contextmanager
def watched(folder: Path, *, poll: bool = False) -> Iterator[Watcher]:
    watcher = Watcher([str(folder)])
    if not poll:
        watcher.listen()
    try:
        yield watcher
    finally:
        watcher.close()


@pytest.fixture
def content(tmp_path: Path) -> Path:
    (tmp_path / "content").mkdir()
    (tmp_path / "content/a.md").write_text("before")
    return tmp_path / "content"


@pytest.mark.parametrize("poll", [False, True])
@pytest.mark.parametrize("save", [in_place, by_rename, with_backup, twice])
def test_a_save_is_heard_once_however_an_editor_does_it(
    content: Path, save: Callable[[Path], None], *, poll: bool
) -> None:
    with watched(content, poll=poll) as watcher:
        assert watcher.is_told is not poll
        save(content / "a.md")
        assert watcher.wait()
        assert not watcher.wait()


def test_a_save_that_begins_as_a_pause_ends_has_its_own_pause(
    content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What rang was something else, and the system has not told of this one yet."""
    halves = ["one", "two"]

    def look(folders: Sequence[str]) -> tuple[list[str], list[int]]:
        if halves:
            (content / "a.md").write_text(halves.pop(0))
        return listing(tuple(folders))

    with watched(content, poll=True) as watcher:
        monkeypatch.setattr(watching, "listing", look)
        watcher._rung.set()
        assert watcher.wait()
        assert halves == []
        assert not watcher.wait()


def test_what_changes_nothing_is_no_save(content: Path) -> None:
    """A file that is read, and the probe that an editor makes and deletes."""
    with watched(content) as watcher:
        (content / "a.md").read_text()
        (content / "4913").touch()
        (content / "4913").unlink()
        (content.parent / "beside.txt").write_text("x")
        assert not watcher.wait()


def test_what_the_system_does_not_tell_of_is_seen_nonetheless(content: Path) -> None:
    """The target of a link lies where nobody listens."""
    target = content.parent / "target.md"
    target.write_text("before")
    (content / "linked.md").symlink_to(target)
    with watched(content) as watcher:
        target.write_text("now after")
        assert watcher.wait()
        assert not watcher.wait()


def test_a_change_since_the_watcher_was_made_is_seen_when_it_listens(content: Path) -> None:
    """What is saved while the first build runs."""
    watcher = Watcher([str(content)])
    (content / "a.md").write_text("during the build")
    watcher.listen()
    try:
        assert watcher.wait()
    finally:
        watcher.close()


def test_a_folder_that_goes_and_comes_back_is_listened_to_again(content: Path) -> None:
    with watched(content) as watcher:
        shutil.rmtree(content)
        assert watcher.wait()
        content.mkdir()
        (content / "b.md").write_text("x")
        assert watcher.wait()
        assert watcher.is_told
        begin = time.monotonic()
        (content / "b.md").write_text("y, longer")
        assert watcher.wait()
        # Told by the system: well before the next look.
        assert time.monotonic() - begin < watching._LOOK_SECONDS


def test_where_the_system_cannot_tell_folders_are_looked_at(
    content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It keeps count of the folders that are listened in, and has a limit."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "inotify watch limit reached")

    monkeypatch.setattr(BaseObserver, "schedule", refuse)
    with watched(content) as watcher:
        assert not watcher.is_told
        in_place(content / "a.md")
        assert watcher.wait()


def test_writing_without_a_pause_does_not_keep_a_build_waiting(content: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        while not stop.wait(0.02):
            with (content / "a.md").open("a") as file:
                file.write("x")

    with watched(content) as watcher:
        thread = threading.Thread(target=write)
        thread.start()
        try:
            begin = time.monotonic()
            assert watcher.wait()
            assert time.monotonic() - begin < 2 * watching._LONGEST_SAVE_SECONDS
        finally:
            stop.set()
            thread.join()


# --- the command --------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_serves_rebuilds_and_ends_when_it_is_told(site: SiteMaker) -> None:
    folder = site({"content/projects/paged.md": PROJECT})
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [
        sys.executable,
        "-m",
        "batcher_site",
        "serve",
        "--source",
        str(folder),
        "--port",
        "0",
    ]
    # Where the tests run in the background, the signal is ignored, and so it would be there.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    signal.signal(signal.SIGINT, before)
    try:
        assert process.stdout is not None
        assert "pages" in process.stdout.readline()
        line = process.stdout.readline()
        assert line.startswith("serving http://127.0.0.1:")
        (folder / "content/projects/paged.md").write_text(PROJECT + "More.\n")
        assert "1 file changed" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert out.splitlines()[-1] == "stopped"
    assert "Traceback" not in err
    assert process.returncode == 0
