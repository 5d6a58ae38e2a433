"""What a visit may cost: bytes as a host sends them, requests, shifts. Lighthouse is for audits."""

import gzip
from collections.abc import Mapping

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Open
from tests.browser.served import Server

pytestmark = pytest.mark.browser

# Bytes of HTML with its style sheet, compressed. One flight of packets holds 14,336 with headers;
# the home page does not fit yet: each byte more is a decision.
HOME_LIMIT = 15_400
PAGE_LIMIT = 14_000
# Scripts before anybody touches anything, and all that the site has.
FIRST_SCRIPTS_LIMIT = 8_192
ALL_SCRIPTS_LIMIT = 14_336
SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def compressed(data: bytes) -> int:
    """As GitHub Pages and most hosts send it."""
    return len(gzip.compress(data, 6))


def test_pages_fit_into_the_first_flight_of_packets(shipped_site: Mapping[str, bytes]) -> None:
    """The style sheet stands in the page, so that nothing else is waited for."""
    heavy = {
        name: size
        for name, data in shipped_site.items()
        if name.endswith(".html")
        and (size := compressed(data)) > (HOME_LIMIT if name == "index.html" else PAGE_LIMIT)
    }
    assert heavy == {}


def test_all_scripts_of_the_site_stay_small(shipped_site: Mapping[str, bytes]) -> None:
    scripts = {name: compressed(data) for name, data in shipped_site.items() if name[-3:] == ".js"}
    assert len(scripts) >= 2
    assert sum(scripts.values()) <= ALL_SCRIPTS_LIMIT, scripts


def test_a_visit_asks_for_little_and_nothing_moves(open_page: Open, server: Server) -> None:
    """At most four requests for the home page and three for others, and no layout shift."""
    for name in server.samples:
        page, heard = open_page(f"/{name}", script=SHIFTS, viewport={"width": 360, "height": 640})
        page.wait_for_timeout(300)
        asked = [url for url in heard.requests if not url.startswith("data:")]
        assert len(asked) <= (4 if not name else 3), asked
        assert page.evaluate("window.shift") == 0, name
        scripts = [url for url in asked if url.endswith(".js")]
        names = [url.removeprefix(f"{server.origin}/") for url in scripts]
        sizes = [compressed(server.sites["/"][script]) for script in names]
        assert sum(sizes) <= FIRST_SCRIPTS_LIMIT, names


def test_the_largest_thing_first_painted_is_text(browser: Browser, server: Server) -> None:
    """The largest contentful paint is an element of text: it waits for no picture."""
    context = browser.new_context(viewport={"width": 360, "height": 640})
    page = context.new_page()
    for name in server.samples:
        page.goto(f"{server.origin}/{name}")
        assert largest(page)["url"] == "", name
    context.close()


def test_nothing_moves_while_the_page_arrives_in_pieces(browser: Browser, server: Server) -> None:
    """A slow network cuts where it likes; what comes late in the page's head has its room kept."""
    context = browser.new_context(viewport={"width": 360, "height": 640})
    page = context.new_page()
    page.goto(f"{server.origin}/resume/")
    moved = page.evaluate(
        """() => {
          const parts = [...document.querySelectorAll(".header > :not(ul), .header li")];
          const places = () => parts.map((part) => {
            const { x, y } = part.getBoundingClientRect();
            return `${part.className} ${x} ${y}`;
          });
          const whole = places();
          const moved = [];
          // Take the parts away from the last on, and look whether those before stay in place.
          for (let at = parts.length - 1; at > 0; at -= 1) {
            parts[at].remove();
            const now = places().slice(0, at);
            if (now.some((place, i) => place !== whole[i])) moved.push(parts[at].outerHTML);
          }
          return moved;
        }"""
    )
    assert moved == []
    context.close()


def largest(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.evaluate(
        """() => new Promise((resolve) => new PerformanceObserver((list) => {
          const { element, url } = list.getEntries().at(-1);
          resolve({ tag: element.tagName, url });
        }).observe({ type: "largest-contentful-paint", buffered: true }))"""
    )
    return found
