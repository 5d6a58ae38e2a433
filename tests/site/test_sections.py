"""The home page's sections: one list gives their order, numbers, menus and intros."""

from collections.abc import Callable

import pytest

from batcher_site.build import RenderedSite
from batcher_site.errors import SiteErrors
from batcher_site.model import SECTION_TITLES
from tests.site.markup import attribute, elements, tags, text

Render = Callable[..., RenderedSite]

OWNER = "owner: {name: Ada, role: Tests, pitch: A pitch., email: a@b.test}\n"
FULL = {
    "content/about.md": "---\n---\nMe.\n",
    "content/experience.yaml": "- {start: 2025, role: Tester}\n",
    "content/open_source.yaml": (
        "- {repository: e, number: 1, title: T, month: 2026-11, status: open}\n"
    ),
    "content/projects/p.md": "---\ntitle: Paged\nsummary: It pages.\n---\n",
    "content/writing/w.md": "---\ntitle: Long\ndate: 2026-11-30\n---\n",
    "content/notes/notes.yaml": "- {topic: T, title: N, file: n.pdf}\n",
    "content/notes/n.pdf": b"%PDF-1.7 /Type /Page\n",
}


def home(render: Render, sections: str, **files: str) -> bytes:
    settings = f"title: T\n{OWNER}{sections}"
    return render({**FULL, "content/site.yaml": settings, **files}).outputs["index.html"]


def shown(page: bytes) -> list[str]:
    """The sections of the page, in order."""
    ids = [element.id for element in elements(page, "section")]
    return [name for name in ids if name in SECTION_TITLES]


def numbers(page: bytes) -> list[str]:
    """The entries of the menu: number and title."""
    lists = [element for element in elements(page, "ol") if element.text.startswith("00 ")]
    return [item.text for item in lists[0].walk() if item.tag == "li"]


def test_without_a_list_all_sections_are_shown_in_the_usual_order(render: Render) -> None:
    page = home(render, "")
    assert shown(page) == list(SECTION_TITLES)
    assert numbers(page) == [
        f"{number:02} {title}" for number, title in enumerate(SECTION_TITLES.values())
    ]


def test_numbers_come_from_the_place_in_the_list(render: Render) -> None:
    page = home(
        render,
        "sections:\n- {id: top, title: Top}\n- {id: writing, title: Texts}\n"
        "- {id: work, title: Things}\n",
    )
    assert shown(page) == ["top", "writing", "work"]
    assert numbers(page) == ["00 Top", "01 Texts", "02 Things"]


def test_a_section_may_have_a_number_of_its_own(render: Render) -> None:
    page = home(
        render,
        "sections:\n- {id: top, title: Top}\n- {id: writing, title: Texts, number: 42}\n"
        "- {id: work, title: Things}\n",
    )
    assert numbers(page) == ["00 Top", "42 Texts", "02 Things"]


def test_every_menu_has_the_same_entries_on_every_page(render: Render) -> None:
    """Header, rail and footer come from the one list."""
    built = render({**FULL, "content/site.yaml": f"title: T\n{OWNER}"})
    for page in built.outputs.values():
        if not page.startswith(b"<!doctype html>"):
            continue
        menus = [menu for menu in elements(page, "ol") if "00 Top" in menu.text]
        assert len(menus) >= 2
        assert {menu.text for menu in menus} == {" ".join(numbers(page))}


def test_a_section_without_content_is_left_out_and_told(render: Render) -> None:
    listed = "".join(f"- {{id: {name}, title: {name}}}\n" for name in SECTION_TITLES)
    settings = f"title: T\nowner: {{name: A, role: R, pitch: P.}}\nsections:\n{listed}"
    built = render({"content/site.yaml": settings})
    page = built.outputs["index.html"]
    assert shown(page) == ["top", "resume"]
    assert numbers(page) == ["00 top", "01 resume"]
    told = {notice.message for notice in built.notices if "nothing to show" in notice.message}
    assert told == {
        f'the section "{name}" has nothing to show and is left out'
        for name in SECTION_TITLES.keys() - {"top", "resume"}
    }


def test_a_section_says_what_the_settings_say_of_it(render: Render) -> None:
    page = home(
        render,
        "sections:\n- {id: top, title: Top}\n"
        '- {id: work, title: Things, eyebrow: "What <I> did", intro: All of it.}\n',
    )
    section = text(page, "work")
    assert all(words in section for words in ("01", "Things", "What <I> did", "All of it."))


@pytest.mark.parametrize(
    ("projects", "pull_requests", "intro"),
    [
        (1, [], "One project, no pull requests, still one."),
        (3, ["open", "in-review", "merged"], "Three project, two pull requests, still three."),
        (13, ["closed"], "13 project, no pull requests, still 13."),
    ],
)
def test_counts_in_an_intro_are_counted(
    render: Render, projects: int, pull_requests: list[str], intro: str
) -> None:
    """As words up to twelve; only what is published counts, and only open pull requests."""
    listed = "".join(
        f"- {{repository: e, number: {number}, title: T, month: 2026-11, status: {status}}}\n"
        for number, status in enumerate(pull_requests, 1)
    )
    files = {
        f"content/projects/p{number}.md": f"---\ntitle: P{number}\nsummary: x\n---\n"
        for number in range(projects)
    }
    built = render(
        {
            **files,
            "content/projects/draft.md": "---\ntitle: D\nsummary: x\ndraft: true\n---\n",
            "content/open_source.yaml": listed,
            "content/site.yaml": f"title: T\n{OWNER}sections:\n- {{id: top, title: Top}}\n"
            '- {id: work, title: W, intro: "{projects} project, {open_prs} pull requests,'
            ' still {projects}."}\n',
        }
    )
    assert intro in text(built.outputs["index.html"], "work")


@pytest.mark.parametrize(
    ("sections", "href"),
    [
        (["top", "work", "open-source"], "/#e-1"),
        (["top", "work"], "/#work"),
        (["top"], "/"),
    ],
)
def test_a_pull_request_leads_to_where_the_page_tells_of_it(
    render: Render, sections: list[str], href: str
) -> None:
    """Its section may be left out; the queue and the log still name it."""
    listed = "".join(f"- {{id: {name}, title: {name}}}\n" for name in sections)
    page = home(render, f"sections:\n{listed}")
    places = [tag.attributes["href"] for tag in tags(page, "a", class_="bar", data_id="e-1")]
    assert set(places) == {href}


def test_a_list_of_sections_without_the_first_is_a_problem(render: Render) -> None:
    with pytest.raises(SiteErrors, match=r'site\.yaml:4:1: the section "top" is missing'):
        home(render, "sections:\n- {id: work, title: W}\n")


def test_the_page_says_where_the_reader_is(render: Render) -> None:
    built = render({**FULL, "content/site.yaml": f"title: T\n{OWNER}"})
    here = {
        "index.html": "00 / Top",
        "projects/p/index.html": "02 / Work",
        "writing/w/index.html": "05 / Writing",
        "writing/index.html": "05 / Writing",
        "resume/index.html": "06 / Résumé",
        "404.html": "404 / Not found",
    }
    for path, words in here.items():
        assert f"you are here · {words}" in text(built.outputs[path])


def test_the_links_of_the_menu_lead_to_the_sections(render: Render) -> None:
    page = home(render, "")
    anchors = {f"/#{name}" for name in SECTION_TITLES if name != "top"}
    assert anchors <= set(attribute(page, "a", "href"))
    assert set(SECTION_TITLES) <= set(attribute(page, "section", "id"))
