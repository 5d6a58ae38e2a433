"""What must hold between the owner's files; each fault at the line of the name that is wrong."""

from collections.abc import Iterable

import pytest

from batcher_site.crosschecks import (
    ProjectNames,
    cover_faults,
    headline_faults,
    nearest,
    pull_request_faults,
    result_faults,
    section_faults,
    slug_faults,
    writing_faults,
)
from batcher_site.errors import ContentError
from batcher_site.frontmatter import parse
from batcher_site.model import MeasuredResult, SectionSettings
from batcher_site.nodes import Node
from tests.unit.values import metric, project, pull_request, site, writing

SETTINGS = "content/site.yaml"


def node(text: str) -> Node:
    found = parse(text, "x.yaml")
    assert found is not None
    return found


def told(errors: Iterable[ContentError]) -> list[tuple[str, str | None]]:
    return [(str(error), error.hint) for error in errors]


def test_the_nearest_name_is_offered() -> None:
    assert nearest("projcts", ["projects", "x"]) == 'did you mean "projects"?'
    assert nearest("zzz", ["projects"], "any of them") == "any of them"
    assert nearest("zzz", ["projects"]) is None


# --- sections -----------------------------------------------------------------------------------


def sections(*ids: str, intro: str | None = None) -> list[tuple[str, str | None]]:
    text = "sections:\n" + "".join(f"  - id: {name}\n    intro: x\n" for name in ids)
    settings = [SectionSettings(id=name, title="T", intro=intro) for name in ids]
    return told(section_faults(SETTINGS, site(sections=settings), node(text)))


def test_a_section_that_there_is_not_is_a_fault() -> None:
    assert sections("top", "wrok") == [
        (f'{SETTINGS}:4:9: there is no section "wrok"', 'did you mean "work"?')
    ]


def test_an_unknown_section_like_no_other_is_answered_with_all() -> None:
    ((_, hint),) = sections("top", "zzzzz")
    assert hint == (
        "one of top, about, work, experience, open-source, writing, resume, contact, notes"
    )


def test_sections_without_the_first_are_a_fault() -> None:
    assert sections("work") == [
        (
            f'{SETTINGS}:2:3: the section "top" is missing, which has the page\'s title',
            'add "- {id: top, title: Top}"',
        )
    ]


def test_no_sections_at_all_are_no_fault() -> None:
    assert told(section_faults(SETTINGS, site(), node("title: T\n"))) == []


def test_a_section_that_stands_twice_is_a_fault() -> None:
    assert sections("top", "work", "top") == [
        (f'{SETTINGS}:6:9: the section "top" stands here twice', "keep one of the two")
    ]


def test_a_count_that_there_is_not_is_a_fault() -> None:
    assert sections("top", intro="All {projects}, {prs} and {}.") == [
        (
            f"{SETTINGS}:3:12: {{prs}} in the intro stands for nothing",
            "known: {projects}, {open_prs}",
        ),
        (
            f"{SETTINGS}:3:12: {{}} in the intro stands for nothing",
            "known: {projects}, {open_prs}",
        ),
    ]


def test_sections_in_order_are_no_fault() -> None:
    assert sections("top", "work", intro="{projects} and {open_prs}") == []


# --- projects -----------------------------------------------------------------------------------


def names(*published: str) -> ProjectNames:
    return ProjectNames(frozenset(published), {}, frozenset())


def test_a_measured_result_of_no_project_is_a_fault() -> None:
    text = "measured_results:\n  - project: paged\n  - project: pagde\n"
    results = [
        MeasuredResult(label="L", values="x", project="paged"),
        MeasuredResult(label="L", values="x", project="pagde"),
    ]
    errors = result_faults(SETTINGS, site(measured_results=results), node(text), names("paged"))
    assert told(errors) == [
        (f'{SETTINGS}:3:14: there is no published project "pagde"', 'did you mean "paged"?')
    ]


def test_a_project_that_is_held_back_is_named_with_the_reason() -> None:
    results = [MeasuredResult(label="L", values="x", project="later")]
    known = ProjectNames(frozenset(), {"later": "draft"}, frozenset())
    text = "measured_results:\n  - project: later\n"
    errors = result_faults(SETTINGS, site(measured_results=results), node(text), known)
    assert told(errors) == [
        (
            f'{SETTINGS}:2:14: there is no published project "later"',
            "it is held back: draft",
        )
    ]


def test_a_project_whose_own_file_has_faults_is_not_blamed_twice() -> None:
    results = [MeasuredResult(label="L", values="x", project="broken")]
    known = ProjectNames(frozenset(), {}, frozenset({"broken"}))
    assert told(result_faults(SETTINGS, site(measured_results=results), node("{}"), known)) == []


def test_a_write_up_of_no_project_is_a_fault() -> None:
    writings = [writing("a", project="zzz"), writing("b", project="paged"), writing("c")]
    nodes = {
        "content/writing/a.md": node("title: A\nproject: zzz\n"),
        "content/writing/b.md": node("title: B\nproject: paged\n"),
    }
    assert told(writing_faults(writings, names("paged"), nodes)) == [
        (
            'content/writing/a.md:2:10: there is no published project "zzz"',
            "files in content/projects/ name projects",
        )
    ]


def test_a_headline_that_no_metric_has_is_a_fault() -> None:
    projects = [
        project("a", headline="Sped", metrics=[metric("Speed", "5")]),
        project("b", headline="Speed", metrics=[metric("Speed", "5")]),
        project("c", metrics=[metric("Speed", "5")]),
        project("d", headline="Speed"),
    ]
    nodes = {item.source.path: node("title: A\nheadline: x\n") for item in projects}
    assert told(headline_faults(projects, nodes)) == [
        (
            'content/projects/a.md:2:11: no metric has the label "Sped"',
            'did you mean "Speed"?',
        ),
        (
            'content/projects/d.md:2:11: no metric has the label "Speed"',
            "it must be the label of a metric",
        ),
    ]


@pytest.mark.parametrize(
    ("cover", "alt", "messages"),
    [
        (None, None, []),
        ("a.png", "What it shows", []),
        ("./../projects/a.png", "What it shows", []),
        ("b.png", "What it shows", ['there is no picture "b.png"']),
        ("a.png", None, ["the cover has no text for its picture"]),
        (
            "b.png",
            None,
            ['there is no picture "b.png"', "the cover has no text for its picture"],
        ),
    ],
)
def test_a_cover_is_a_file_that_is_there_with_words_for_it(
    cover: str | None, alt: str | None, messages: list[str]
) -> None:
    item = project("x", cover=cover, alt=alt)
    nodes = {item.source.path: node("title: A\ncover: x\n")}
    errors = list(cover_faults([item], nodes, {"content/projects/a.png"}))
    assert [error.message for error in errors] == messages
    assert {error.place for error in errors} <= {"content/projects/x.md:2:8"}
    assert all(error.hint for error in errors)


def test_a_project_with_the_name_of_a_pull_request_is_a_fault() -> None:
    """Both are requests of one simulation, and a request is known by its name."""
    projects = [project("vllm-7"), project("vllm")]
    assert told(slug_faults(projects, {"vllm-7"})) == [
        (
            'content/projects/vllm-7.md: the name "vllm-7" is that of a pull request',
            "rename the file",
        )
    ]


# --- pull requests ------------------------------------------------------------------------------


def test_a_pull_request_that_stands_twice_is_a_fault() -> None:
    """The repository counts as it stands in addresses, so capitals make no other one."""
    items = [
        pull_request(number=1),
        pull_request(number=2),
        pull_request(repository="vllm", number=1),
    ]
    text = "".join(f"- repository: x\n  number: {item.number}\n" for item in items)
    assert told(pull_request_faults("content/open_source.yaml", items, node(text))) == [
        ("content/open_source.yaml:6:11: vllm #1 stands here twice", "keep one of the two")
    ]
