"""The request log: every project and pull request as a request, in the owner's words."""

import re
from collections.abc import Callable

from batcher_site.build import RenderedSite
from tests.site.markup import attribute, rows

Render = Callable[..., RenderedSite]

HEADS = ["ID", "Project", "Headline metric", "Status"]
FILES = {
    "content/projects/a.md": """\
---
title: Second
summary: x
order: 2
status: in-progress
metrics:
  - {label: Speed, values: [{value: 82, unit: tok/s}]}
  - {label: Gap, values: [{value: 23, unit: x, approx: true}], outcome: loss}
headline: Gap
---
""",
    "content/projects/b.md": """\
---
title: First
summary: x
order: 1
metrics:
  - {label: Speed, values: [{value: 1030, unit: tok/s}], from: {value: 82, unit: tok/s}}
---
""",
    "content/projects/c.md": (
        "---\ntitle: Third\nsummary: x\nstatus: planned\nstatus_text: next spring\n---\n"
    ),
    "content/open_source.yaml": """\
- {repository: Engine, number: 61901, title: Fix, month: 2026-11, status: in-review,
   headline: "2 tests"}
- {repository: Other, number: 7, title: Docs, month: 2026-10, status: open,
   status_text: "open, not merged"}
""",
}


def log(built: RenderedSite) -> list[list[str]]:
    """The rows below the head of the log."""
    found = list(rows(built.outputs["index.html"]))
    start = found.index(HEADS)
    return [row for row in found[start + 1 :] if len(row) == len(HEADS)]


def test_the_log_has_a_row_for_every_project_and_pull_request(render: Render) -> None:
    """Ids count the projects in their order; a pull request is known by its number."""
    assert log(render(FILES)) == [
        ["P01", "First", "Speed: 82 → 1,030 tok/s", "done"],
        ["P02", "Second", "Gap: ~23x", "in progress"],
        ["P03", "Third", "—", "next spring"],
        ["#61901", "Engine: Fix", "2 tests", "in review"],
        ["#7", "Other: Docs", "—", "open, not merged"],
    ]


def test_a_row_leads_to_what_it_stands_for(render: Render) -> None:
    page = render(FILES, base_url="https://me.test/x/").outputs["index.html"]
    links = attribute(page, "a", "href")
    assert {
        "/x/projects/a/",
        "/x/projects/b/",
        "/x/#engine-61901",
        "/x/#other-7",
    } <= set(links)
    assert {"engine-61901", "other-7"} <= set(attribute(page, "article", "id"))


def test_the_log_lists_those_that_do_not_enter_the_simulation(render: Render) -> None:
    settings = "title: T\nowner: {name: A, role: R, pitch: P.}\nsimulation: {include: 2}\n"
    assert len(log(render({**FILES, "content/site.yaml": settings}))) == 5


def test_projects_stand_in_order_then_by_date_then_by_name(render: Render) -> None:
    def project(extra: str) -> str:
        return f"---\ntitle: T\nsummary: x\n{extra}---\n"

    built = render(
        {
            "content/projects/undated-b.md": project(""),
            "content/projects/undated-a.md": project(""),
            "content/projects/old.md": project("date: 2024-01\n"),
            "content/projects/new.md": project("date: 2026-05-03\n"),
            "content/projects/last-of-order.md": project("order: 9\ndate: 2020-01\n"),
            "content/projects/first-of-order.md": project("order: -1\n"),
        }
    )
    home = built.outputs["index.html"].decode()
    cards = re.findall(
        r'<article class="project-card">.*?href="/projects/([^/]+)/"', home, re.DOTALL
    )
    assert cards == ["first-of-order", "last-of-order", "new", "old", "undated-a", "undated-b"]
