"""The figure when it lives: what it starts from, when it plays, and what each control does."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open

pytestmark = pytest.mark.browser

SIZES = {"phone": {"width": 360, "height": 740}, "desktop": {"width": 1280, "height": 900}}
WATCH = """
window.touched = [];
document.addEventListener("DOMContentLoaded", () => {
  new MutationObserver((records) => window.touched.push(...records.map((record) =>
    `${record.target.nodeName} ${record.target.className?.baseVal ?? record.target.className}`)))
    .observe(document.querySelector(".engine"),
      { attributes: true, characterData: true, childList: true, subtree: true });
});
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
}).observe({ type: "layout-shift", buffered: true });
"""
SEE = """document.querySelector(".engine__timeline").scrollIntoView({ block: "center" })"""
FIRST = """async () => {
  const data = await (await fetch("simulation.json")).json();
  const { counter, finiteRun, frameAt, gauges, playhead, queue } = globalThis.batcherSimulation;
  const run = finiteRun(data);
  const parts = {
    counter: counter(run, data.at), gauges: gauges(run, data.at), queue: queue(run, data.at),
    playhead: playhead(frameAt(run, data.at), data.at),
  };
  const text = await (await fetch("")).text();
  return Object.keys(parts).filter((name) => !text.includes(parts[name]));
}"""


def iteration(page: Page) -> int:
    return int(page.locator("[data-kind=iteration]").get_attribute("data-value") or "")


def play(page: Page, upto: int = 0) -> None:
    """Bring the figure into sight and wait until it has ticked."""
    page.evaluate(SEE)
    tick(page, upto or iteration(page))


def tick(page: Page, upto: int) -> None:
    page.wait_for_function(
        "least => document.querySelector('[data-kind=iteration]').dataset.value > least", arg=upto
    )


def pause(page: Page) -> int:
    page.locator("[data-do=play]").click()
    expect(page.locator("[data-do=play]")).to_have_text("Play")
    return iteration(page)


def data(page: Page) -> Mapping[str, Any]:
    found: dict[str, Any] = page.evaluate(
        "fetch('simulation.json').then((answer) => answer.json())"
    )
    return found


@pytest.mark.parametrize("base", ["/", "/portfolio/"])
def test_the_first_strings_are_those_of_the_page(open_page: Open, base: str) -> None:
    page, _ = open_page(base)
    assert page.evaluate(FIRST) == []


@pytest.mark.parametrize("size", SIZES)
def test_nothing_of_the_figure_is_touched_before_the_first_tick(open_page: Open, size: str) -> None:
    """Nor does it start out of sight, nor does anything shift when it plays."""
    page, heard = open_page(viewport=SIZES[size], script=WATCH)
    page.wait_for_timeout(800)
    assert page.evaluate("window.touched") == []
    assert not any("simulation.json" in url for url in heard.requests)
    at = iteration(page)
    play(page)
    assert at < iteration(page) <= at + 2
    page.wait_for_timeout(600)
    assert sum(page.evaluate("window.shifts")) < 0.001
    assert heard.console == heard.errors == page.evaluate("window.violations") == []


def test_a_tick_leaves_the_bars_alone(open_page: Open) -> None:
    page, _ = open_page(viewport=SIZES["desktop"])
    page.evaluate("window.bar = document.querySelector('.bar')")
    play(page)
    assert page.evaluate("window.bar.isConnected")
    assert "of 66" in page.locator("[data-kind=iteration]").inner_text()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("way", ["pointer", "keyboard"])
def test_every_control_in_sight_works(open_page: Open, size: str, way: str) -> None:
    page, heard = open_page(viewport=SIZES[size], has_touch=size == "phone")
    play(page)

    def press(name: str) -> None:
        button = page.locator(f"[data-do={name}]")
        if way == "keyboard":
            button.focus()
            page.keyboard.press("Enter")
        elif size == "phone":
            button.tap()
        else:
            button.click()

    press("play")
    at = iteration(page)
    page.wait_for_timeout(600)
    assert iteration(page) == at
    press("forward")
    expect(page.locator("[data-kind=iteration]")).to_have_attribute("data-value", str(at + 1))
    press("back")
    press("back")
    expect(page.locator("[data-kind=iteration]")).to_have_attribute("data-value", str(at - 1))
    press("compare")
    expect(page.locator(".mode")).to_have_text(
        re.compile(r"static · padding waste \d+% · simulation")
    )
    expect(page.locator("[data-do=compare]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".queue")).to_contain_text("padding")
    press("compare")
    expect(page.locator(".mode")).to_have_text("continuous · padding waste 0% · simulation")
    press("play")
    play(page, at)
    assert heard.errors == heard.console == page.evaluate("window.violations") == []


def test_the_live_figure_says_what_simulate_says(open_page: Open) -> None:
    """Step by step to the end of the finite run: queue and gauges are the trace's."""
    page, _ = open_page(viewport=SIZES["desktop"])
    play(page)
    pause(page)
    page.locator("[data-do=forward]").click()
    given = data(page)
    trace = page.evaluate(
        """(given) => {
          const { createState, isOver, step } = globalThis.batcherSimulation;
          const state = createState(given.config, given.requests);
          const rows = [];
          while (!isOver(state)) rows.push(step(state));
          return rows;
        }""",
        given,
    )
    for _ in range(30):
        page.locator("[data-do=forward]").click()
    page.wait_for_timeout(100)
    row = trace[iteration(page)]
    assert page.locator(".gauge[data-kind=batch]").get_attribute("data-value") == str(
        len(row["running"])
    )
    ids = page.locator(".queue [data-kind=running]").evaluate_all(
        "(entries) => entries.map((entry) => entry.dataset.id)"
    )
    assert sorted(ids) == sorted(row["running"])


def test_a_request_is_selected_and_a_second_time_opened(open_page: Open) -> None:
    page, _ = open_page(viewport=SIZES["desktop"])
    play(page)
    pause(page)
    bar = page.locator("[data-panel=continuous] .bar[data-id=blackwell-gemm]")
    bar.focus()
    page.keyboard.press("Enter")
    card = page.locator(".engine__card")
    expect(card).to_contain_text("blackwell-gemm")
    for name in ("TTFT", "inter-token latency", "KV blocks", "preemptions"):
        expect(card).to_contain_text(name)
    expect(card.locator("a")).to_have_attribute("href", "/projects/blackwell-gemm/")
    assert page.locator(".queue [data-selected]").get_attribute("data-id") == "blackwell-gemm"
    expect(bar).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/projects/blackwell-gemm/")


def test_without_scripts_the_bars_lead_there_and_no_control_is_seen(open_page: Open) -> None:
    page, _ = open_page(java_script_enabled=False)
    for control in page.locator("[data-script]").all():
        expect(control).to_be_hidden()
    page.locator(".queue [data-id=blackwell-gemm] a").first.click()
    page.wait_for_url("**/projects/blackwell-gemm/")


@pytest.mark.parametrize("size", SIZES)
def test_the_engine_can_be_changed(open_page: Open, size: str) -> None:
    """Fewer blocks bring preemption; a budget below the slots is mended, with the reason."""
    page, heard = open_page(viewport=SIZES[size])
    play(page)
    pause(page)
    page.locator(".engine__change summary").click()
    form = page.locator(".controls")
    form.locator("[name=slots]").fill("16")
    expect(page.locator(".timeline__lanes")).to_contain_text("slot 15")
    form.locator("[name=budget]").fill("3")
    expect(page.locator(".engine [data-part=status]")).to_contain_text("at least 16")
    expect(form.locator("[name=budget]")).to_have_value("16")
    page.locator("[data-do=reset]").click()
    expect(form.locator("[name=slots]")).to_have_value("4")
    page.locator("[data-do=pressure]").click()
    form.locator("[name=iteration]").fill("30")
    expect(page.locator(".bar [data-kind=recompute]").first).to_be_attached()
    expect(page.locator(".blocks button")).to_have_count(12)
    page.locator(".blocks button").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".blocks button").nth(1)).to_be_focused()
    assert re.search("block 1: .+", page.locator(":focus").get_attribute("aria-label") or "")
    for policy in ("lookahead", "reserve", "shortest"):
        form.locator("[name=policy]").select_option(policy)
        expect(page.locator("[data-kind=iteration]")).to_contain_text("iter 30")
    expect(page.locator(".trends svg")).to_have_count(3)
    assert heard.errors == heard.console == page.evaluate("window.violations") == []


def test_a_moment_can_be_given_away(open_page: Open) -> None:
    page, _ = open_page("/#sim=40.4.12.16.64.fcfs.static", viewport=SIZES["desktop"])
    expect(page.locator("[data-kind=iteration]")).to_have_attribute("data-value", "40")
    expect(page.locator(".gauge[data-kind=kv]")).to_contain_text("of 12 blocks")
    expect(page.locator(".mode")).to_contain_text("static")
    page.locator("[data-do=forward]").click()
    page.wait_for_url("**/#sim=41.4.12.16.64.fcfs.static")


@pytest.mark.parametrize(
    "hash_",
    ["sim=", "sim=x.4.12.16.64.fcfs.static", "sim=9.99.12.16.64.fcfs.static", "sim=9.4", "work"],
)
def test_a_damaged_moment_is_the_default(open_page: Open, hash_: str) -> None:
    page, heard = open_page(f"/#{hash_}", viewport=SIZES["desktop"])
    page.wait_for_timeout(500)
    assert "of 64 blocks" in page.locator(".gauge[data-kind=kv]").inner_text()
    assert heard.errors == heard.console == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_message_is_served_and_can_then_be_mailed(open_page: Open, motion: str) -> None:
    """Nothing is asked of any host for it, and the text stays."""
    page, heard = open_page(viewport=SIZES["desktop"], reduced_motion=motion)
    form = page.locator(".message")
    form.locator("textarea").fill("Hällo, a question about paged attention.")
    expect(form).to_contain_text("41 bytes, 11 tokens")
    page.locator("[data-do=send]").focus()
    page.keyboard.press("Enter")
    asked = len(heard.requests)
    expect(form.locator("output")).to_contain_text("served in", timeout=30_000)
    link = form.locator("a")
    expect(link).to_be_visible()
    assert "H%C3%A4llo%2C" in (link.get_attribute("href") or "")
    expect(form.locator("textarea")).to_have_value("Hällo, a question about paged attention.")
    assert len(heard.requests) - asked <= 1
    assert heard.errors == heard.console == []


def test_an_empty_message_is_not_sent(open_page: Open) -> None:
    page, _ = open_page(viewport=SIZES["desktop"])
    page.locator("[data-do=send]").click()
    expect(page.locator(".message output")).to_have_text("Write it first.")


def test_nothing_moves_where_motion_is_not_welcome(open_page: Open) -> None:
    page, _ = open_page(viewport=SIZES["desktop"], reduced_motion="reduce")
    page.evaluate(SEE)
    at = iteration(page)
    page.wait_for_timeout(900)
    assert iteration(page) == at
    expect(page.locator("[data-do=play]")).to_be_hidden()
    page.locator("[data-do=forward]").click()
    expect(page.locator("[data-kind=iteration]")).to_have_attribute("data-value", str(at + 1))


def test_it_waits_out_of_sight_and_in_a_hidden_tab(open_page: Open) -> None:
    page, _ = open_page(viewport=SIZES["desktop"])
    play(page)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.evaluate("document.querySelector('.message')?.remove()")
    page.wait_for_timeout(400)
    at = iteration(page)
    page.wait_for_timeout(700)
    assert iteration(page) == at
    play(page)
    page.evaluate(
        """Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));"""
    )
    at = iteration(page)
    page.wait_for_timeout(700)
    assert iteration(page) == at


def test_the_run_goes_on_behind_its_end(open_page: Open) -> None:
    """Whoever is finished comes back under the next number, in bars and queue."""
    page, heard = open_page("/#sim=120.4.64.16.64.fcfs.continuous", viewport=SIZES["desktop"])
    expect(page.locator("[data-kind=iteration]")).to_have_text("iter 120")
    expect(page.locator(".queue [data-id*='@2']").first).to_be_attached()
    assert page.locator(".bar[data-id*='@']").count() > 4
    assert heard.errors == []


def test_focus_and_the_page_stay_where_they_are(open_page: Open) -> None:
    page, _ = open_page(viewport=SIZES["desktop"])
    play(page)
    page.locator(".queue [data-kind=running] a").first.focus()
    held = page.evaluate("document.activeElement.closest('[data-id]').dataset.id")
    top = page.evaluate("scrollY")
    at = iteration(page)
    tick(page, at + 6)
    assert page.evaluate("document.activeElement.closest('[data-id]')?.dataset.id") == held
    assert page.evaluate("scrollY") == top


PLAYHEAD = """() => {
  const scroller = document.querySelector(".timeline__scroller");
  const x = document.querySelector("path.playhead").getBoundingClientRect();
  const sight = scroller.getBoundingClientRect();
  return { left: scroller.scrollLeft, seen: sight.left <= x.right && x.left <= sight.right };
}"""


def test_the_timeline_goes_with_the_playhead_on_a_phone(open_page: Open) -> None:
    page, _ = open_page("/#sim=22.4.64.16.64.fcfs.continuous", viewport=SIZES["phone"])
    expect(page.locator("[data-kind=iteration]")).to_have_text("iter 22 of 66")
    page.evaluate("document.querySelector('.timeline__scroller').scrollLeft = 0")
    page.locator(".engine__change summary").click()
    page.locator("[name=speed]").fill("20")
    page.locator("[data-do=play]").click()
    tick(page, 40)
    pause(page)
    assert page.evaluate(PLAYHEAD)["seen"]
    assert page.evaluate(PLAYHEAD)["left"] > 0


def test_a_shared_moment_is_in_sight_on_a_phone(open_page: Open) -> None:
    page, _ = open_page("/#sim=60.4.64.16.64.fcfs.continuous", viewport=SIZES["phone"])
    expect(page.locator("[data-kind=iteration]")).to_have_text("iter 60 of 66")
    assert page.evaluate(PLAYHEAD)["seen"]
    page.locator(".engine__change summary").click()
    page.locator("[name=iteration]").fill("5")
    expect(page.locator("[data-kind=iteration]")).to_have_text("iter 5 of 66")
    assert page.evaluate(PLAYHEAD)["seen"]


def test_a_visitor_who_scrolls_the_timeline_away_is_not_called_back(open_page: Open) -> None:
    page, _ = open_page("/#sim=50.4.64.16.64.fcfs.continuous", viewport=SIZES["phone"])
    expect(page.locator("[data-kind=iteration]")).to_have_text("iter 50 of 66")
    page.locator("[data-do=play]").click()
    tick(page, 51)
    page.evaluate("document.querySelector('.timeline__scroller').scrollLeft = 0")
    tick(page, 54)
    assert page.evaluate(PLAYHEAD) == {"left": 0, "seen": False}


def test_targets_on_a_phone_are_large_enough(open_page: Open) -> None:
    page, _ = open_page(viewport=SIZES["phone"])
    page.evaluate(SEE)
    for button in page.locator("[data-do]:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["width"] >= 44
