"""Drafts and what lies in the future: published nowhere, and never lost in silence."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from batcher_site.build import Options, RenderedSite, render_site
from batcher_site.model import LeftOut, Selection
from tests.conftest import PNG
from tests.site.console import Batcher

Render = Callable[..., RenderedSite]

OPEN = {
    "content/projects/open.md": "---\ntitle: Open\nsummary: Seen.\ntags: [shared]\n---\nText.\n",
    "content/writing/open.md": "---\ntitle: Text\ndate: 2026-11-30\ntags: [shared]\n---\nText.\n",
    "content/open_source.yaml": """\
- {repository: engine, number: 1, title: Seen, month: 2026-11, status: open}
- {repository: canaryengine, number: 777, title: Canaryfuturepull, month: 2027-02, status: open}
""",
}
DRAFT_PROJECT = """\
---
title: Canarydrafttitle
summary: Canarydraftsummary.
draft: true
stack: [Canarydraftstack]
tags: [shared, canarydrafttag]
metrics:
  - {label: Canarydraftmetric, values: [{value: 918273}]}
request: {prompt: 31, output: 29}
---
## Canarydraftheading

Canarydraftbody ![Canarydraftpicture](canary.png)
"""
FUTURE_PROJECT = DRAFT_PROJECT.replace("draft: true", "date: 2027-03").replace("draft", "future")
DRAFT_TEXT = """\
---
title: Canarydraftpost
date: 2026-11-01
summary: Canarydraftpostsummary
draft: true
tags: [canarydraftposttag]
---
Canarydraftpostbody
"""
FUTURE_TEXT = """\
---
title: Canaryfuturepost
date: 2026-12-02
summary: Canaryfuturepostsummary
tags: [canaryfutureposttag]
---
Canaryfuturepostbody
"""
FILES = {
    **OPEN,
    "content/projects/canary-hidden.md": DRAFT_PROJECT,
    "content/projects/canary-later.md": FUTURE_PROJECT,
    "content/projects/canary.png": PNG,
    "content/writing/canary-hidden-text.md": DRAFT_TEXT,
    "content/writing/canary-later-text.md": FUTURE_TEXT,
}


def canaries(outputs: Mapping[str, bytes]) -> set[str]:
    """Every output that names something unpublished, in its address or in its bytes."""
    return {
        path
        for path, data in outputs.items()
        if "canary" in path.lower() or b"canary" in data.lower() or b"918273" in data
    }


def test_what_is_unpublished_stands_in_no_output(render: Render) -> None:
    """No page, list, tag, feed, map, request or file has a word of it."""
    outputs = render(FILES).outputs
    assert canaries(outputs) == set()
    assert b"P02" not in outputs["index.html"]


def test_the_site_is_the_same_as_without_the_unpublished_files(
    render: Render, site: Callable[..., Path]
) -> None:
    """Counts, order, requests and neighbours do not know of them either."""
    with_them = render(FILES).outputs
    folder = site({"content/open_source.yaml": OPEN["content/open_source.yaml"].split("\n")[0]})
    for path in FILES.keys() - OPEN.keys():
        (folder / path).unlink()
    selection = Selection(now=datetime(2026, 12, 1, 12, tzinfo=UTC))
    without = render_site(Options(source=str(folder), selection=selection))
    assert without.left_out == ()
    assert without.outputs == with_them


def test_what_was_left_out_is_told_with_the_reason(render: Render) -> None:
    assert render(FILES).left_out == (
        LeftOut("content/open_source.yaml: #777", "dated 2027-02, 62 days ahead"),
        LeftOut("content/projects/canary-hidden.md", "draft"),
        LeftOut("content/projects/canary-later.md", "dated 2027-03, 90 days ahead"),
        LeftOut("content/writing/canary-hidden-text.md", "draft"),
        LeftOut("content/writing/canary-later-text.md", "dated 2026-12-02, 1 day ahead"),
    )


def test_a_build_ends_by_naming_what_it_left_out(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    answer = batcher("build", "--source", site(FILES), "--date", "2026-12-01")
    assert answer.code == 0
    assert "left out 5: " in answer.err
    assert "content/writing/canary-later-text.md (dated 2026-12-02, 1 day ahead)" in answer.err
    assert "content/projects/canary-hidden.md (draft)" in answer.err


def test_drafts_are_published_when_they_are_asked_for(render: Render) -> None:
    """They say what they are, and search engines are asked to pass by."""
    built = render(FILES, drafts=True)
    page = built.outputs["projects/canary-hidden/index.html"]
    assert b"Canarydraftbody" in page
    assert b'<meta name="robots" content="noindex">' in page
    assert b"Draft" in page
    assert b"canary-hidden" not in built.outputs["sitemap.xml"]
    assert built.outputs["projects/canary.png"] == PNG
    assert "projects/canary-later/index.html" not in built.outputs
    assert {item.reason for item in built.left_out}.isdisjoint({"draft"})


def test_the_future_is_published_when_it_is_asked_for(render: Render) -> None:
    built = render(FILES, future=True)
    assert b"Canaryfuturebody" in built.outputs["projects/canary-later/index.html"]
    assert b"Canaryfuturepost" in built.outputs["feed.xml"]
    assert b"Canaryfuturepull" in built.outputs["index.html"]
    assert "projects/canary-hidden/index.html" not in built.outputs
    assert {item.reason for item in built.left_out} == {"draft"}


def test_the_date_option_stands_for_today(site: Callable[..., Path], batcher: Batcher) -> None:
    folder = site({"content/writing/late.md": FUTURE_TEXT})
    page = folder / "dist/writing/late/index.html"
    batcher("build", "--source", folder, "--date", "2026-12-01")
    assert not page.exists()
    batcher("build", "--source", folder, "--date", "2026-12-02")
    assert page.exists()
    batcher("build", "--source", folder, "--date", "2026-12-01")
    assert not page.exists()


@pytest.mark.parametrize(
    ("zone", "now", "published"),
    [
        ("UTC", datetime(2026, 12, 1, 23, 30, tzinfo=UTC), False),
        ("Asia/Tokyo", datetime(2026, 12, 1, 23, 30, tzinfo=UTC), True),
        ("UTC", datetime(2026, 12, 2, 0, 30, tzinfo=UTC), True),
        ("America/New_York", datetime(2026, 12, 2, 0, 30, tzinfo=UTC), False),
    ],
)
def test_the_sites_zone_decides_which_day_it_is(
    render: Render, zone: str, now: datetime, *, published: bool
) -> None:
    settings = f"title: T\ntimezone: {zone}\nowner: {{name: Ada, role: Tests, pitch: A pitch.}}\n"
    files = {"content/site.yaml": settings, "content/writing/late.md": FUTURE_TEXT}
    assert ("writing/late/index.html" in render(files, now=now).outputs) is published


def test_a_month_begins_on_its_first_day(render: Render) -> None:
    december = "---\ntitle: December\nsummary: Seen.\ndate: 2026-12\n---\n"
    built = render({"content/projects/december.md": december})
    assert "projects/december/index.html" in built.outputs
