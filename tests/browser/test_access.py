"""Whom the pages must not leave out: rules of axe, large text, spaced text, thumbs."""

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Open
from tests.browser.served import Server

pytestmark = pytest.mark.browser

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RULES = {
    "runOnly": [
        *("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"),
        "best-practice",
    ],
    # Off by default, though WCAG 2.2 has it.
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
}
AUDIT = """async (options) => (await axe.run(document, options)).violations.flatMap(
  ({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`))"""
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced": {"forced_colors": "active"},
}
# WCAG 1.4.12; a rule of the page's own sheet, since its policy lets no other in.
SPACED = """() => {
  const sheet = document.styleSheets[0];
  for (const rule of [
    "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; "
      + "word-spacing: 0.16em !important }",
    "p { margin-block-end: 2em !important }",
  ]) sheet.insertRule(rule, sheet.cssRules.length);
}"""
LARGE = "() => { document.documentElement.style.fontSize = '200%'; }"
# What has a scroll bar of its own loses nothing; what is hidden from sight was never seen.
CUT = """() => [...document.querySelectorAll("body *")]
  .filter((element) => {
    const style = getComputedStyle(element);
    const isCut = element.scrollWidth > element.clientWidth + 1
      || element.scrollHeight > element.clientHeight + 1;
    return isCut && [style.overflowX, style.overflowY].some((o) => /hidden|clip/.test(o))
      && style.clipPath === "none" && !element.closest("svg");
  })
  .map((element) => `${element.tagName}.${element.className}`)"""
SMALL = """() => [...document.querySelectorAll(
    "header.header a, nav a, summary, button, select, textarea, .hero__reach a, .footer a")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true })
    && element.getBoundingClientRect().height < 43.9)
  .map((element) => element.outerHTML.slice(0, 120))"""


def faults(page: Page) -> list[str]:
    page.evaluate(AXE)
    found: list[str] = page.evaluate(AUDIT, RULES)
    return found


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_no_fault_on_any_kind_of_page(
    open_page: Open, server: Server, look: str, width: int
) -> None:
    """WCAG 2.2 AA and what axe calls best practice, targets' sizes included."""
    page, _ = open_page("/", viewport={"width": width, "height": 800}, **LOOKS[look])
    found = {}
    for name in server.samples:
        page.goto(f"{server.origin}/{name}")
        if bad := faults(page):
            found[name] = bad
    assert found == {}


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_no_fault_where_everything_is_open(
    open_page: Open, look: str, width: int
) -> None:
    """The engine's drawer, the run as a table, and the menu of sections."""
    page, _ = open_page(
        "/",
        viewport={"width": width, "height": 800},
        reduced_motion="reduce",
        **LOOKS[look],
    )
    page.locator(".engine__change summary").click()
    page.locator(".controls").wait_for()
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    assert faults(page) == []


@pytest.mark.parametrize("width", [360, 1280, 1920])
def test_text_of_twice_the_size_is_not_cut_and_asks_for_no_sideways_scroll(
    open_page: Open, server: Server, width: int
) -> None:
    """WCAG 1.4.4, beyond its letter on a phone: columns give way before words do."""
    page, _ = open_page("/", viewport={"width": width, "height": 800})
    assert bent(page, server, LARGE) == {}


@pytest.mark.parametrize("width", [320, 1280])
def test_spaced_text_is_not_cut_and_asks_for_no_sideways_scroll(
    open_page: Open, server: Server, width: int
) -> None:
    """The spacing that a reader may set, as WCAG 1.4.12 asks."""
    page, _ = open_page("/", viewport={"width": width, "height": 800})
    assert bent(page, server, SPACED) == {}


def bent(page: Page, server: Server, change: str) -> dict[str, list[str]]:
    """Give what a change of the text breaks, by kind of page."""
    broken = {}
    for name in server.samples:
        page.goto(f"{server.origin}/{name}")
        page.evaluate(change)
        bad = page.evaluate(CUT)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            bad.append("scrolls sideways")
        if bad:
            broken[name] = bad
    return broken


def test_controls_and_menus_are_as_large_as_a_thumb_on_a_phone(
    open_page: Open, server: Server
) -> None:
    """44 px, which is more than WCAG 2.5.8 asks."""
    page, _ = open_page("/", viewport={"width": 360, "height": 640}, has_touch=True)
    small = {}
    for name in server.samples:
        page.goto(f"{server.origin}/{name}")
        page.evaluate("for (const menu of document.querySelectorAll('details')) menu.open = true")
        if bad := page.evaluate(SMALL):
            small[name] = bad
    assert small == {}


def test_the_first_screen_of_a_phone_is_the_person(open_page: Open) -> None:
    """Name, role, graduation, what is sought, and three ways to go on, without scrolling."""
    page, _ = open_page("/", viewport={"width": 360, "height": 640})
    parts = [
        page.locator("h1", has_text="Vraj Patel"),
        page.locator(".hero__role"),
        page.locator(".hero__facts").first.get_by_text("May 2027"),
        page.locator(".hero__facts").first.get_by_text("kernel roles"),
        *(page.locator(".hero__reach a", has_text=name) for name in ("Résumé", "Email", "GitHub")),
    ]
    for part in parts:
        box = part.bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 640, part


def test_results_come_before_the_engine(open_page: Open) -> None:
    page, _ = open_page("/", viewport={"width": 360, "height": 640})
    results = page.locator(".results").bounding_box()
    engine = page.locator(".engine").bounding_box()
    assert results
    assert engine
    assert results["y"] + results["height"] <= engine["y"]


def test_email_and_resume_are_one_tap_away_on_every_page(open_page: Open, server: Server) -> None:
    page, _ = open_page("/", viewport={"width": 360, "height": 640})
    for name in server.samples:
        page.goto(f"{server.origin}/{name}")
        for link in ("Email", "Résumé"):
            box = page.locator(".header").get_by_role("link", name=link).bounding_box()
            assert box is not None, name
            assert box["y"] + box["height"] < 640, name
