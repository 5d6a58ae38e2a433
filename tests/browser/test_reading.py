"""What scripts add to pages for their readers: a sorted and filtered log, copying, the place."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open

pytestmark = pytest.mark.browser

WRITING = "/writing/paged-serving/"
DENIED = "navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));"


def titles(page: Page) -> list[str]:
    return page.locator(".log tbody tr:visible th").all_inner_texts()


@pytest.mark.parametrize("width", [360, 1280])
def test_the_request_log_is_sorted_by_each_column_and_back(open_page: Open, width: int) -> None:
    page, heard = open_page(viewport={"width": width, "height": 800})
    first = titles(page)
    button = page.get_by_role("button", name="Project")
    button.focus()
    page.keyboard.press("Enter")
    assert titles(page) == sorted(first, key=str.casefold)
    head = page.locator(".log th", has=button)
    assert head.get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Enter")
    assert titles(page) == sorted(first, key=str.casefold, reverse=True)
    page.get_by_role("button", name="ID", exact=True).click()
    assert head.get_attribute("aria-sort") is None
    ids = page.locator(".log tbody td:first-child").all_inner_texts()
    assert ids[-6:] == [f"P0{number}" for number in range(1, 7)]
    assert heard.errors == heard.console == []


def test_the_request_log_is_filtered_and_says_how_many_are_left(open_page: Open) -> None:
    page, _ = open_page()
    everything = titles(page)
    page.get_by_role("searchbox", name="Filter the request log").fill("  IN PROGRESS ")
    assert titles(page) == ["Blackwell SGEMM ladder"]
    expect(page.locator(".log output")).to_have_text(f"1 of {len(everything)}")
    page.get_by_role("searchbox").fill("")
    assert titles(page) == everything
    expect(page.locator(".log output")).to_have_text("")


def test_the_address_is_copied(open_page: Open) -> None:
    page, _ = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the address").click()
    expect(page.get_by_role("button", name="Copied the address")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator(".contact a").inner_text()


def test_code_is_copied_as_it_was_written(open_page: Open) -> None:
    page, _ = open_page(WRITING, permissions=["clipboard-read", "clipboard-write"])
    button = page.get_by_role("button", name="Copy the code").nth(1)
    button.click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("def slot(block_table: list[int], position: int, block_size: int)")
    assert "\n    return block * block_size" in copied


def test_what_may_not_be_copied_is_selected(open_page: Open) -> None:
    page, heard = open_page(WRITING, script=DENIED)
    page.get_by_role("button", name="Copy the code").nth(1).click()
    assert page.evaluate("getSelection().toString()").startswith("def slot(")
    assert heard.errors == []


def test_the_list_of_contents_marks_what_was_read_last(open_page: Open) -> None:
    page, _ = open_page(WRITING, viewport={"width": 1280, "height": 800})
    current = page.locator(".contents [aria-current]")
    expect(current).to_have_count(0)
    for heading in ("The block table", "The cache in INT8", "The block table"):
        page.get_by_role("heading", name=heading).evaluate("(h2) => h2.scrollIntoView()")
        expect(current).to_have_text(heading)


def test_without_scripts_nothing_promises_what_it_cannot_do(open_page: Open) -> None:
    for address in ("/", WRITING):
        page, _ = open_page(address, java_script_enabled=False)
        assert page.locator("button:visible, input:visible").count() == 0
