"""
Script time of the live figure's frames: p95 over ten seconds, 16 slots, 4x CPU throttling.

    python -m bench.frame [SITE]      # a built site, by default dist/
"""

import json
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS, browser_path

SECONDS = 10


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def main(site: str) -> None:
    """Print median, p95 and longest of the frames' script times."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=list(ARGUMENTS))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        moment = "#sim=30.16.64.16.64.fcfs.continuous"
        page.goto(f"http://127.0.0.1:{server.server_port}/{moment}")
        page.wait_for_selector("text=slot 15")
        page.evaluate("document.querySelector('.engine__timeline').scrollIntoView()")
        page.locator(".engine__change summary").click()
        page.locator("[name=speed]").fill("20")
        page.locator(".engine__change summary").click()
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        browser.start_tracing(page=page, categories=["devtools.timeline"])
        page.locator("[data-do=play]").click()
        page.wait_for_timeout(SECONDS * 1000)
        events = json.loads(browser.stop_tracing())["traceEvents"]
        browser.close()
    server.shutdown()
    # The time of the thread, not of the clock: other work on the machine does not count.
    times = sorted(
        event["tdur"] / 1000 for event in events if event["name"] == "TimerFire" and "tdur" in event
    )
    p95 = times[int(len(times) * 0.95)]
    print(f"{len(times)} frames: median {times[len(times) // 2]:.1f} ms,", end=" ")
    print(f"p95 {p95:.1f} ms, longest {times[-1]:.1f} ms of script at 4x throttling")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "dist")
