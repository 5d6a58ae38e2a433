"""What only a browser can tell: what is seen, what fits, what the visitor's choices do."""

import re

import pytest
from playwright.sync_api import Page, expect

from batcher_site.model import SECTION_TITLES
from tests.browser.conftest import Open
from tests.browser.served import BASES, Server

pytestmark = pytest.mark.browser

PHONES = (320, 360)
WORDS = """() => {
  for (const control of document.querySelectorAll("[data-theme-switch],[data-script]")) {
    control.remove();
  }
  return document.body.innerText;
}"""
WIDE = """() => [...document.querySelectorAll("body *")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.tagName + "." + element.className)"""


def visit(page: Page, server: Server, path: str) -> None:
    response = page.goto(server.origin + path, wait_until="domcontentloaded")
    assert response is not None
    assert response.ok


@pytest.mark.parametrize("base", BASES)
def test_every_page_is_quiet_and_asks_only_its_own_host(
    open_page: Open, server: Server, base: str
) -> None:
    """No console message, error, policy violation, failed request, or request to elsewhere."""
    page, heard = open_page(base)
    violations = []
    for name in server.pages:
        visit(page, server, base + name)
        violations += page.evaluate("window.violations")
    assert violations == heard.console == heard.errors == heard.failures == []
    assert all(url.startswith((server.origin + base, "data:")) for url in heard.requests)
    assert len(heard.requests) > len(server.pages)


def test_without_scripts_every_section_is_there_with_its_text(open_page: Open) -> None:
    page, _ = open_page("/portfolio/", java_script_enabled=False)
    for name, title in SECTION_TITLES.items():
        section = page.locator(f"section#{name}")
        expect(section).to_be_visible()
        if name != "top":
            expect(section.locator("h2").first).to_have_text(title)
        assert len(section.inner_text().split()) > 3
    expect(page.locator("#top h1")).to_be_visible()


def test_without_scripts_the_engine_is_shown(open_page: Open) -> None:
    """Queue, timeline and the four gauges stand in the page; the queue is made of links."""
    page, _ = open_page("/", java_script_enabled=False)
    expect(page.locator(".gauge")).to_have_count(4)
    for element in (*page.locator(".gauge").all(), *page.locator(".queue li a").all()):
        expect(element).to_be_visible()
    assert page.locator(".queue li a").count() >= 6
    assert page.locator("a.bar").count() >= 8
    page.locator(".queue li a").first.click()
    expect(page).to_have_url(re.compile(r"/(projects/[a-z-]+/|#[a-z]+-\d+)$"))


def test_without_scripts_no_word_is_missing(open_page: Open, server: Server) -> None:
    with_scripts, _ = open_page("/")
    without, _ = open_page("/", java_script_enabled=False)
    for name in server.samples:
        visit(with_scripts, server, f"/{name}")
        visit(without, server, f"/{name}")
        wanted = set(with_scripts.evaluate(WORDS).split())
        shown = set(without.locator("body").inner_text().split())
        assert wanted - shown == set(), name


def test_without_scripts_no_control_is_shown_that_does_nothing(open_page: Open) -> None:
    page, _ = open_page("/", java_script_enabled=False)
    controls = page.locator("button, select, input, textarea").all()
    assert [
        control.evaluate("e => e.outerHTML") for control in controls if control.is_visible()
    ] == []


@pytest.mark.parametrize("width", PHONES)
def test_no_page_scrolls_sideways_on_a_phone(open_page: Open, server: Server, width: int) -> None:
    page, _ = open_page("/", viewport={"width": width, "height": 700})
    wide = {}
    for name in server.pages:
        visit(page, server, f"/{name}")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide[name] = page.evaluate(WIDE)
    assert wide == {}


def test_no_page_scrolls_sideways_with_large_text(open_page: Open, server: Server) -> None:
    """Twice the text size on a small tablet, as WCAG 1.4.4 asks."""
    page, _ = open_page("/", viewport={"width": 768, "height": 900})
    wide = {}
    for name in server.samples:
        visit(page, server, f"/{name}")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide[name] = page.evaluate(WIDE)
    assert wide == {}


def test_the_first_stop_of_the_keyboard_leads_to_the_content(
    open_page: Open, server: Server
) -> None:
    """On every kind of page: seen when it has the focus, and it moves the focus."""
    page, _ = open_page("/")
    for name in server.samples:
        visit(page, server, f"/{name}")
        page.keyboard.press("Tab")
        skip = page.locator(":focus")
        expect(skip).to_have_text("Skip to the content")
        box = skip.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["width"] > 1
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_be_focused()


def test_every_stop_of_the_keyboard_is_seen(open_page: Open) -> None:
    """Each has an outline, and is on the screen while it has the focus."""
    page, _ = open_page("/")
    stops = 0
    unseen = []
    for _ in range(400):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => {
              const element = document.activeElement;
              if (element === document.body) return null;
              const box = element.getBoundingClientRect();
              const style = getComputedStyle(element);
              const seen = style.outlineStyle !== "none" || style.boxShadow !== "none";
              const on = box.bottom > 0 && box.top < innerHeight && box.width > 0;
              return [seen && on, element.outerHTML.slice(0, 120)];
            }"""
        )
        if found is None:
            break
        stops += 1
        if not found[0]:
            unseen.append(found[1])
    assert unseen == []
    assert stops > 30


def brightness(page: Page) -> int:
    channels = page.evaluate(
        """() => {
          const pixel = document.createElement("canvas").getContext("2d");
          const shown = [document.body, document.documentElement]
            .map((element) => getComputedStyle(element).backgroundColor)
            .find((colour) => colour !== "rgba(0, 0, 0, 0)");
          pixel.fillStyle = shown;
          pixel.fillRect(0, 0, 1, 1);
          return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
        }"""
    )
    return sum(int(channel) for channel in channels)


@pytest.mark.parametrize(("scheme", "is_dark"), [("light", False), ("dark", True)])
def test_the_visitors_system_decides_until_the_visitor_does(
    open_page: Open, scheme: str, *, is_dark: bool
) -> None:
    """Three states: auto follows the system, light and dark do not."""
    page, _ = open_page("/", color_scheme=scheme)
    switch = page.locator("[data-theme-switch]")
    expect(switch).to_have_value("auto")
    assert (brightness(page) < 200) is is_dark
    switch.select_option("dark")
    assert brightness(page) < 200
    switch.select_option("light")
    assert brightness(page) > 600
    switch.select_option("auto")
    assert (brightness(page) < 200) is is_dark


def test_a_chosen_theme_is_remembered_on_every_page(open_page: Open, server: Server) -> None:
    page, _ = open_page("/portfolio/", color_scheme="light")
    page.locator("[data-theme-switch]").select_option("dark")
    for name in ("writing/", "resume/", ""):
        visit(page, server, f"/portfolio/{name}")
        expect(page.locator("[data-theme-switch]")).to_have_value("dark")
        assert brightness(page) < 200


def test_a_chosen_theme_is_set_before_anything_is_painted(open_page: Open) -> None:
    """No flash: when the body begins, the attribute is there; the first paint comes later."""
    page, _ = open_page(
        "/",
        color_scheme="light",
        script="""
          localStorage.theme = "dark";
          new MutationObserver((records, observer) => {
            if (!document.body) return;
            window.atBody = [document.documentElement.dataset.theme, performance.now()];
            observer.disconnect();
          }).observe(document, { childList: true, subtree: true });
        """,
    )
    # Not `wait_for_function`, which asks the page to run a string: the policy forbids that.
    painted = page.evaluate("""
        () => new Promise((resolve) => {
          new PerformanceObserver((list, observer) => {
            for (const entry of list.getEntriesByName("first-paint")) resolve(entry.startTime);
          }).observe({ type: "paint", buffered: true });
        })
    """)
    theme, moment = page.evaluate("window.atBody")
    assert theme == "dark"
    assert moment < painted


def test_the_theme_works_where_storage_is_denied(open_page: Open) -> None:
    """The choice then lasts for the page."""
    page, heard = open_page(
        "/",
        color_scheme="light",
        script="""
          Object.defineProperty(window, "localStorage", {
            get() { throw new DOMException("denied", "SecurityError"); },
          });
        """,
    )
    page.locator("[data-theme-switch]").select_option("dark")
    assert brightness(page) < 200
    assert heard.errors == heard.console == []


def test_nothing_moves_where_motion_is_unwanted(open_page: Open, server: Server) -> None:
    page, _ = open_page("/", reduced_motion="reduce")
    for name in server.samples:
        visit(page, server, f"/{name}")
        assert page.evaluate("document.getAnimations().length") == 0
        moving = page.evaluate(
            """() => [...document.querySelectorAll("*")].filter((element) => {
              const style = getComputedStyle(element);
              return style.scrollBehavior === "smooth" || style.animationName !== "none"
                || style.transitionDuration.split(", ").some((time) => parseFloat(time) > 0);
            }).map((element) => element.tagName + "." + element.className)"""
        )
        assert moving == []


def test_the_printed_resume_has_the_person_and_no_frame(open_page: Open) -> None:
    page, _ = open_page("/resume/", color_scheme="dark")
    page.emulate_media(media="print")
    for frame in ("header.header", "nav.rail", "footer.footer", "a.skip"):
        expect(page.locator(frame)).to_be_hidden()
    expect(page.locator("main h1")).to_be_visible()
    for heading in page.locator("main h2").all():
        expect(heading).to_be_visible()
    assert brightness_of_ink(page) < 200


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_printed_resume_has_two_pages(open_page: Open, paper: str) -> None:
    page, _ = open_page("/resume/")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) == 2


def brightness_of_ink(page: Page) -> int:
    colour = page.evaluate("getComputedStyle(document.querySelector('main h1')).color")
    return sum(int(float(part)) for part in re.findall(r"[\d.]+", colour)[:3])


def test_a_lost_address_below_the_folder_finds_the_way_back(
    open_page: Open, server: Server
) -> None:
    """The host shows the page at any depth; its links and looks do not depend on it."""
    page, _ = open_page("/portfolio/no/such/page")
    expect(page.locator("h1")).to_be_visible()
    page.locator("main a").first.click()
    expect(page).to_have_url(re.compile(rf"^{re.escape(server.origin)}/portfolio/"))
    expect(page.locator("#top h1")).to_be_visible()


def test_the_page_says_which_section_is_in_view(open_page: Open) -> None:
    page, _ = open_page("/", viewport={"width": 1280, "height": 800})
    here = page.locator(".header__here [data-here], .rail [data-here]").first
    expect(here).to_have_text("00 / Top")
    page.locator("#work").evaluate("section => section.scrollIntoView()")
    expect(here).to_have_text("02 / Work")
    expect(page.locator('.rail [aria-current="true"]').first).to_contain_text("Work")
