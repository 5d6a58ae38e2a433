"""The development server in a real browser: what a save does, and what other sites can reach."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from playwright.sync_api import Browser, Page, expect

from batcher_site.build import Options
from batcher_site.memo import Memo
from batcher_site.model import Selection
from batcher_site.responses import Change
from batcher_site.serve import Builder, Server, Stage, listening
from tests.conftest import SETTINGS, TODAY, write_files

pytestmark = pytest.mark.browser

PROJECT = "---\ntitle: Paged\nsummary: It pages.\ndraft: true\n---\nHello.\n" + "\n\nText.\n" * 80
OTHER = PROJECT.replace("Paged", "Other")
FILES = {
    "content/site.yaml": SETTINGS + "url: https://me.example/portfolio/\n",
    "content/projects/paged.md": PROJECT,
    "content/projects/other.md": OTHER,
    "static/css/custom.css": ".page { color: rgb(1, 2, 3) }",
}


class Desk:
    """A site being written, as the command serves it."""

    def __init__(self, folder: Path, stage: Stage, server: Server) -> None:
        self.folder = folder
        self.origin = f"http://127.0.0.1:{server.server_port}"
        options = Options(source=str(folder), selection=Selection(now=TODAY, drafts=True))
        self._builder = Builder(lambda: options, Memo(), stage)

    def save(self, name: str, text: str) -> None:
        """Write a file, and build as after a save."""
        (self.folder / name).write_text(text)
        self.build()

    def build(self) -> None:
        """Build as after a save."""
        self._builder.build()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    stage = Stage()
    with listening("127.0.0.1", 0, stage) as server:
        made = Desk(write_files(tmp_path / "site", FILES), stage, server)
        made.build()
        yield made


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 800, "height": 600})
    yield context.new_page()
    context.close()


def mark(page: Page) -> None:
    """Leave a mark that a reload takes away."""
    page.evaluate("window.before = true")


def reloaded(page: Page) -> None:
    page.wait_for_function("() => window.before === undefined")


def test_a_save_reloads_the_page_where_it_was_scrolled_to(desk: Desk, page: Page) -> None:
    page.goto(f"{desk.origin}/portfolio/projects/paged/")
    page.evaluate("scrollTo(0, 900)")
    mark(page)
    desk.save("content/projects/paged.md", PROJECT.replace("Hello", "Goodbye"))
    reloaded(page)
    expect(page.locator(".prose")).to_contain_text("Goodbye")
    page.wait_for_function("() => scrollY > 800")


def test_a_save_of_another_page_leaves_this_one_alone(desk: Desk, page: Page) -> None:
    page.goto(f"{desk.origin}/portfolio/projects/paged/")
    mark(page)
    desk.save("content/projects/other.md", OTHER.replace("Hello", "Goodbye"))
    page.wait_for_timeout(500)
    assert page.evaluate("window.before")


def test_a_style_sheet_is_changed_without_a_reload(desk: Desk, page: Page) -> None:
    page.goto(f"{desk.origin}/portfolio/projects/paged/")
    mark(page)
    desk.save("static/css/custom.css", ".page { color: rgb(4, 5, 6) }")
    page.wait_for_function(
        "() => getComputedStyle(document.querySelector('.page')).color === 'rgb(4, 5, 6)'"
    )
    assert page.evaluate("window.before")


def test_a_fault_lies_over_the_last_good_page_until_it_is_mended(desk: Desk, page: Page) -> None:
    page.goto(f"{desk.origin}/portfolio/projects/paged/")
    desk.save("content/projects/paged.md", PROJECT.replace("title:", "titel:"))
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text('content/projects/paged.md:2:1: unknown key "titel"')
    expect(alert.locator("mark").first).to_contain_text("titel: Paged")
    expect(alert).to_contain_text('hint: did you mean "title"?')
    expect(page.locator(".prose")).to_contain_text("Hello")
    page.reload()
    expect(alert).to_be_visible()
    desk.save("content/projects/paged.md", PROJECT)
    expect(alert).to_have_count(0)


def test_a_draft_says_so_and_where_its_file_is(desk: Desk, page: Page) -> None:
    page.goto(f"{desk.origin}/portfolio/projects/paged/")
    note = page.locator(".note")
    expect(note).to_have_text("draft · content/projects/paged.md")
    wanted = f"vscode://file{desk.folder}/content/projects/paged.md"
    assert note.locator("a").get_attribute("href") == wanted


def test_a_page_hears_of_the_server_s_end_and_comes_back_with_the_next_one(
    tmp_path: Path, page: Page
) -> None:
    folder = write_files(tmp_path / "site", FILES)
    first = Stage()
    with listening("127.0.0.1", 0, first) as server:
        port = server.server_port
        Desk(folder, first, server).build()
        page.goto(f"{server.origin}/portfolio/projects/paged/")
        mark(page)
    # A process that ends breaks the question that is held; here, its answer is that nothing is new.
    nothing = Change(first.show.version + 1, frozenset(), frozenset())
    first.put(structs.replace(first.show, version=nothing.version, history=(nothing,)))
    expect(page.locator(".note")).to_have_text("the server has stopped", timeout=10_000)
    (folder / "content/projects/paged.md").write_text(PROJECT.replace("Hello", "Goodbye"))
    second = Stage()
    with listening("127.0.0.1", port, second) as server:
        Desk(folder, second, server).build()
        reloaded(page)
        expect(page.locator(".prose")).to_contain_text("Goodbye")


class Attacker(BaseHTTPRequestHandler):
    """An empty page on another port of this machine."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>x</title>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


ATTACK = """async (target) => {
  const outcomes = {};
  const loads = (name, element) => new Promise((resolve) => {
    element.onload = () => resolve(outcomes[name] = "loaded");
    element.onerror = () => resolve(outcomes[name] = "refused");
    document.body.append(element);
  });
  const fetched = async (name, options) => {
    try {
      const answer = await fetch(target, options);
      outcomes[name] = (await answer.text()).length > 0 ? "loaded" : "refused";
    } catch { outcomes[name] = "refused"; }
  };
  await fetched("fetch", {});
  await fetched("fetch without cors", { mode: "no-cors" });
  const make = (tag, more) => Object.assign(document.createElement(tag), more);
  await loads("script", make("script", { src: `${target}.batcher/live.js` }));
  await loads("image", make("img", { src: `${target}icons/favicon.svg` }));
  await loads("style", make("link", { rel: "stylesheet", href: target }));
  await new Promise((resolve) => {
    const source = new EventSource(`${target}.batcher/state`);
    source.onerror = () => resolve(outcomes.events = "refused");
    source.onopen = () => resolve(outcomes.events = "loaded");
  });
  await new Promise((resolve) => {
    const socket = new WebSocket(target.replace("http", "ws"));
    socket.onerror = () => resolve(outcomes.socket = "refused");
    socket.onopen = () => resolve(outcomes.socket = "loaded");
  });
  const frame = make("iframe", { src: target });
  document.body.append(frame);
  await new Promise((resolve) => { frame.onload = resolve; });
  try { outcomes.frame = frame.contentDocument.body.innerText ? "loaded" : "refused"; }
  catch { outcomes.frame = "refused"; }
  return outcomes;
}"""


def test_a_page_on_another_port_reads_nothing(desk: Desk, page: Page) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Attacker) as attacker:
        threading.Thread(target=attacker.serve_forever, daemon=True).start()
        page.goto(f"http://127.0.0.1:{attacker.server_port}/")
        outcomes: dict[str, Any] = page.evaluate(ATTACK, f"{desk.origin}/portfolio/")
        attacker.shutdown()
    assert len(outcomes) == 8
    assert set(outcomes.values()) == {"refused"}, outcomes


def test_ten_tabs_all_hear_of_a_save(desk: Desk, browser: Browser) -> None:
    context = browser.new_context()
    tabs = [context.new_page() for _ in range(10)]
    for tab in tabs:
        tab.goto(f"{desk.origin}/portfolio/projects/paged/", timeout=10_000)
        mark(tab)
    desk.save("content/projects/paged.md", PROJECT.replace("Hello", "Goodbye"))
    for tab in tabs:
        tab.bring_to_front()
        reloaded(tab)
    context.close()
