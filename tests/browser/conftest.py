"""A real Chromium on the shipped site; every page that it opens is listened to."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Response, sync_playwright

from batcher_site.model import Selection
from tests.browser.served import Server, served

ROOT = Path(__file__).parents[2]
COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
});
"""


@dataclass
class Heard:
    """What a page said and asked for while it was open."""

    console: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


Open = Callable[..., tuple[Page, Heard]]


def browser_path() -> str | None:
    """Give the browser that is named, recorded by the set-up, or installed."""
    record = ROOT / ".venv" / "browser-path"
    recorded = record.read_text(encoding="utf-8").strip() if record.is_file() else None
    installed = next(filter(None, map(shutil.which, COMMANDS)), None)
    return os.environ.get("CHROME_PATH") or recorded or installed


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = browser_path()
    if path is None:
        reason = "no Chromium: set CHROME_PATH, or let `make test` find or install one"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    selection = Selection(now=datetime(2026, 12, 1, 12, tzinfo=UTC))
    with served(str(ROOT), selection) as running:
        running.shows_all = request.config.getoption("--every-page")
        yield running


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[Open]:
    """Give a function that opens an address of the site in a context of its own."""
    contexts = []

    def open_(path: str = "/", **options: Any) -> tuple[Page, Heard]:  # noqa: ANN401
        script = options.pop("script", "")
        context = browser.new_context(**options)
        contexts.append(context)
        context.add_init_script(VIOLATIONS + script)
        page, heard = context.new_page(), Heard()
        page.on("console", lambda message: heard.console.append(message.text))
        page.on("pageerror", lambda error: heard.errors.append(str(error)))
        page.on("request", lambda request: heard.requests.append(request.url))
        page.on("requestfailed", lambda request: _hear_failure(request, heard))
        page.on("response", lambda response: _hear_status(response, heard))
        page.goto(server.origin + path, wait_until="load")
        return page, heard

    yield open_
    for context in contexts:
        context.close()


def _hear_failure(request: Request, heard: Heard) -> None:
    # The icon is still on its way when the next page is asked for: that is not a failure.
    if request.failure != "net::ERR_ABORTED":
        heard.failures.append(f"{request.failure}: {request.url}")


def _hear_status(response: Response, heard: Heard) -> None:
    if response.status >= HTTPStatus.BAD_REQUEST:
        heard.failures.append(f"{response.status}: {response.url}")
