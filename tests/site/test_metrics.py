"""Metrics as a reader sees them: the exact value, its unit, its baseline and its outcome."""

from collections.abc import Callable

import pytest

from batcher_site.build import RenderedSite
from tests.site.markup import attribute, rows, tags, text

Render = Callable[..., RenderedSite]


def page(render: Render, metric: str) -> bytes:
    project = f"---\ntitle: P\nsummary: x\nmetrics:\n  - {metric}\n---\n"
    return render({"content/projects/p.md": project}).outputs["projects/p/index.html"]


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("{label: L, values: [{value: 1030, unit: tok/s}]}", "1,030 tok/s"),
        ("{label: L, values: [{value: 46.40, unit: '%'}]}", "46.40%"),
        ("{label: L, values: [{value: 3.5, unit: x}]}", "3.5x"),
        ("{label: L, values: [{value: 0.005, approx: true, bound: within}]}", "within ~0.005"),
        ("{label: L, values: [{value: 129, unit: '%', signed: true}]}", "+129%"),
        (
            "{label: L, values: [{value: 1030, unit: tok/s}], from: {value: 82, unit: tok/s}}",
            "82 → 1,030 tok/s",
        ),
        (
            "{label: L, values: [{value: 2.5, unit: ms}, {value: 99.5, unit: '% agree'}]}",
            "2.5 ms · 99.5% agree",
        ),
    ],
)
def test_a_value_is_shown_exactly_as_it_is_written(render: Render, metric: str, value: str) -> None:
    """In the figure and in the table of the project's page."""
    shown = page(render, metric)
    assert ["L", value] in [row[:2] for row in rows(shown)]
    assert text(shown).count(value) >= 2 or "→" in value


def test_a_page_without_a_number_shows_the_status_and_claims_no_measurement(
    render: Render,
) -> None:
    """The words once, with what is pending; no table, no machine."""
    shown = page(render, "{label: L, values: measuring, outcome: pending}")
    assert all(words in text(shown) for words in ("Status", "measuring", "pending"))
    assert "Measured" not in text(shown)
    assert list(rows(shown)) == []


def test_a_loss_is_told_as_plainly_as_a_win(render: Render) -> None:
    built = render(
        {
            "content/projects/p.md": """\
---
title: P
summary: x
metrics:
  - {label: Ahead, values: [{value: 9, unit: ms}], baseline: {label: theirs, value: 10, unit: ms},
     better: lower, outcome: win}
  - {label: Behind, values: [{value: 9, unit: ms}], baseline: {label: theirs, value: 7, unit: ms},
     better: lower, outcome: loss}
---
"""
        }
    )
    for path in ("index.html", "projects/p/index.html"):
        shown = built.outputs[path]
        metrics = [
            tag for tag in tags(shown, "div", class_="metric") if tag.attributes.get("data-outcome")
        ]
        assert [tag.attributes["data-outcome"] for tag in metrics] == ["win", "loss"]
        assert all(words in text(shown) for words in ("Ahead", "Behind", "theirs", "7 ms"))
    assert ["Behind", "9 ms", "theirs 7 ms", "behind"] in list(
        rows(built.outputs["projects/p/index.html"])
    )


def test_a_bar_is_drawn_only_between_numbers_of_one_unit(render: Render) -> None:
    same = page(
        render,
        "{label: L, values: [{value: 50, unit: ms}], baseline: {label: B, value: 100, unit: ms}}",
    )
    other = page(
        render,
        "{label: L, values: [{value: 50, unit: ms}], baseline: {label: B, value: 100, unit: s}}",
    )
    assert attribute(same, "rect", "width")[:2] == ["50.0%", "100.0%"]
    assert tags(other, "svg", class_="bar") == []
    assert "100 s" in text(other)


def test_the_first_screen_shows_the_measured_results_with_their_projects(render: Render) -> None:
    settings = """\
title: T
owner: {name: A, role: R, pitch: P.}
measured_results:
  - {label: Served, project: p, values: [{value: 1030, unit: tok/s}],
     baseline: {label: alone, value: 82, unit: tok/s}, outcome: win}
hardware: {gpu: Card, architecture: Arch, compute_capability: sm_1, memory: 16 GB, cuda: CUDA 1}
"""
    home = render(
        {
            "content/site.yaml": settings,
            "content/projects/p.md": "---\ntitle: Paged\nsummary: x\n---\n",
        }
    ).outputs["index.html"]
    top = text(home, "top")
    for words in ("Served", "1,030 tok/s", "alone", "82 tok/s", "Paged"):
        assert words in top
    assert "Card · Arch · sm_1 · 16 GB · CUDA 1" in top
    assert "Card (Arch, sm_1 · 16 GB · CUDA 1)" in top


def test_evidence_is_a_link(render: Render) -> None:
    shown = page(render, "{label: L, values: [{value: 1}], evidence: 'https://proof.test/run'}")
    assert "https://proof.test/run" in attribute(shown, "a", "href")
