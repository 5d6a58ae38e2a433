"""One scheduler: what the page shows is what `batcher simulate` says, rule by rule."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from batcher_site.build import RenderedSite, simulate
from tests.site.console import Batcher
from tests.site.markup import Tag, rows, tags, text

Render = Callable[..., RenderedSite]

ROOT = Path(__file__).parents[2]
SCHEDULER = "static/js/simulation/scheduler.js"
SLOT_RULE = "running.length < config.slots &&"
LENGTHS = ((24, 18), (40, 30), (96, 12), (16, 44), (64, 22), (150, 10))
SIX = {
    f"content/projects/p{number}.md": (
        f"---\ntitle: Project {number}\nsummary: x\norder: {number}\n"
        f"request: {{prompt: {prompt}, output: {output}}}\n---\nText.\n"
    )
    for number, (prompt, output) in enumerate(LENGTHS, 1)
}


def settings(simulation: str) -> dict[str, str]:
    owner = "owner: {name: A, role: R, pitch: P.}"
    return {"content/site.yaml": f"title: T\n{owner}\nsimulation: {{{simulation}}}\n"}


def simulation_data(outputs: Mapping[str, bytes]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(outputs["simulation.json"])
    return data


def one(page: bytes, name: str | None = None, /, **attributes: str) -> Tag:
    (found,) = tags(page, name, **attributes)
    return found


def gauge(page: bytes, kind: str) -> Tag:
    return one(page, "div", class_="gauge", data_kind=kind)


def queue(page: bytes, group: str) -> list[str]:
    """The requests of one group of the queue."""
    return [tag.attributes["data-id"] for tag in tags(page, "li", data_kind=group)]


@pytest.fixture(scope="module")
def shipped_trace(shipped_site: Mapping[str, bytes]) -> dict[str, Any]:
    """What `batcher simulate` makes of the published `/simulation.json`."""
    trace: dict[str, Any] = json.loads(
        simulate(shipped_site["simulation.json"], "simulation.json", str(ROOT))
    )
    return trace


# --- the site that ships ------------------------------------------------------------------------


def test_the_shipped_run_takes_66_iterations_against_86(
    shipped_site: Mapping[str, bytes], shipped_trace: dict[str, Any]
) -> None:
    """The eight requests of the plan, 38 % padding and 23 of 64 blocks at the peak."""
    lengths = [(item["prompt"], item["output"]) for item in shipped_trace["requests"]]
    assert sorted(lengths) == sorted([*LENGTHS, (32, 36), (20, 16)])
    assert shipped_trace["metrics"]["iterations"] == 66
    assert max(row["blocks_used"] for row in shipped_trace["iterations"]) == 23
    top = text(shipped_site["index.html"], "top")
    assert "continuous · 66 iterations" in top or "takes 66 iterations" in top
    assert "static batching of the same requests takes 86" in top
    assert re.search(r"takes 86 and pads 38\s?% of its slot-iterations", top)


def test_the_iteration_shown_has_everything_to_see(
    shipped_site: Mapping[str, bytes], shipped_trace: dict[str, Any]
) -> None:
    """Four run, two or more wait, one or more are finished, and static batching already pads."""
    page = shipped_site["index.html"]
    at = simulation_data(shipped_site)["at"]
    row = shipped_trace["iterations"][at]
    earlier = shipped_trace["iterations"][:at]
    assert len(row["running"]) == 4
    assert len(row["waiting"]) >= 2
    assert sum(len(other["finished"]) for other in earlier) >= 1
    assert float(gauge(page, "padding").attributes["data-value"]) > 0
    shown = set(queue(page, "running")) | set(queue(page, "pinned"))
    assert set(row["running"]) <= shown
    assert set(row["waiting"]) <= set(queue(page, "waiting")) | set(queue(page, "pinned"))
    assert len(queue(page, "waiting")) >= 2 or "waiting" in str(tags(page, "li"))


def test_the_published_data_gives_the_numbers_of_the_page(
    shipped_site: Mapping[str, bytes], shipped_trace: dict[str, Any]
) -> None:
    """Anybody can run it again: queue, gauges, bars and table are that trace's."""
    page = shipped_site["index.html"]
    at = simulation_data(shipped_site)["at"]
    row = shipped_trace["iterations"][at]
    assert gauge(page, "batch").attributes["data-value"] == str(len(row["running"]))
    assert gauge(page, "tokens").attributes["data-value"] == str(
        sum(tokens for _, tokens in row["scheduled"])
    )
    blocks = row["blocks_used"] * 100 / shipped_trace["config"]["blocks"]
    assert abs(float(gauge(page, "kv").attributes["data-value"]) - blocks) < 1
    count = one(page, "span", class_="queue__count").attributes
    assert count["data-value"] == str(len(row["running"]) + len(row["waiting"]))
    counter = one(page, data_kind="iteration").attributes
    assert (counter["data-t"], counter["data-value"]) == (str(at), str(at))
    finished = {item["id"]: item["finish"] for item in shipped_trace["per_request"]}
    table = {
        tag.attributes["data-id"]: cells
        for tag, cells in zip(
            [tag for tag in tags(page, "tr") if "data-id" in tag.attributes],
            [cells for cells in rows(page) if len(cells) == 6 and cells[1].isdigit()],
            strict=True,
        )
    }
    assert {name: int(cells[5]) for name, cells in table.items()} == finished


def test_every_mark_of_the_figure_carries_its_data(shipped_site: Mapping[str, bytes]) -> None:
    page = shipped_site["index.html"]
    ids = [item["id"] for item in simulation_data(shipped_site)["requests"]]
    bars = tags(page, class_="bar", data_kind="request")
    assert {bar.attributes["data-id"] for bar in bars} == set(ids)
    assert all(bar.attributes["data-t"].isdigit() for bar in bars)
    marks = [tag for tag in tags(page, "path") if "data-value" in tag.attributes]
    assert {mark.attributes["data-kind"] for mark in marks} >= {"prefill", "decode", "padding"}
    for entry in tags(page, "li"):
        if "data-kind" in entry.attributes:
            assert entry.attributes["data-id"] in ids
            assert {"data-t", "data-value"} <= entry.attributes.keys()
    kinds = [tag.attributes["data-kind"] for tag in tags(page, "div", class_="gauge")]
    assert kinds == ["batch", "kv", "tokens", "padding"]


def test_every_request_leads_to_what_it_stands_for(shipped_site: Mapping[str, bytes]) -> None:
    page = shipped_site["index.html"]
    for item in simulation_data(shipped_site)["requests"]:
        name = item["id"]
        wanted = (
            f"/projects/{name}/" if f"projects/{name}/index.html" in shipped_site else f"/#{name}"
        )
        bars = tags(page, "a", class_="bar", data_id=name)
        assert {bar.attributes["href"] for bar in bars} == {wanted}


def test_a_projects_page_shows_its_own_request(shipped_site: Mapping[str, bytes]) -> None:
    for item in simulation_data(shipped_site)["requests"]:
        page = shipped_site.get(f"projects/{item['id']}/index.html")
        if page is not None:
            assert one(page, "figure", class_="life").attributes["data-id"] == item["id"]


# --- any site -----------------------------------------------------------------------------------


def test_a_changed_rule_changes_the_command_and_the_page(
    site: Callable[..., Path], batcher: Batcher, tmp_path: Path
) -> None:
    """There is no second scheduler: both run the file that the owner put before the theme's."""
    shipped = (ROOT / SCHEDULER).read_text()
    assert shipped.count(SLOT_RULE) == 1
    changed = shipped.replace(SLOT_RULE, "running.length < config.slots - 1 &&")

    def answers() -> tuple[dict[str, Any], bytes]:
        folder = tmp_path / "site"
        assert batcher("build", "--source", folder).code == 0
        workload = folder / "dist" / "simulation.json"
        trace = json.loads(batcher("simulate", workload, "--source", folder).out)
        return trace, (folder / "dist" / "index.html").read_bytes()

    site(SIX)
    trace, page = answers()
    site({SCHEDULER: changed})
    other_trace, other_page = answers()

    assert max(len(row["running"]) for row in trace["iterations"]) == 4
    assert max(len(row["running"]) for row in other_trace["iterations"]) == 3
    for made, shown in ((trace, page), (other_trace, other_page)):
        iterations = made["metrics"]["iterations"]
        at = int(one(shown, data_kind="iteration").attributes["data-value"])
        running = len(made["iterations"][at]["running"])
        assert gauge(shown, "batch").attributes["data-value"] == str(running)
        assert f"takes {iterations} iterations with continuous" in text(shown, "top")
    assert trace["metrics"]["iterations"] < other_trace["metrics"]["iterations"]


def test_a_module_that_does_not_parse_is_told_with_its_place(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    shipped = (ROOT / SCHEDULER).read_text()
    line = shipped.count("\n") + 1
    answer = batcher("build", "--source", site({**SIX, SCHEDULER: f"{shipped}const x = ;\n"}))
    assert answer.code == 1
    assert answer.err.startswith(f"{SCHEDULER}:{line}:")


def test_the_order_of_requests_is_pinned_then_projects_then_pull_requests(render: Render) -> None:
    pulls = "- {repository: Some Engine, number: 7, title: Fix, month: 2026-11, status: open}\n"
    pinned = SIX["content/projects/p4.md"].replace("summary", "pinned: true\nsummary")
    built = render({**SIX, "content/projects/p4.md": pinned, "content/open_source.yaml": pulls})
    ids = [item["id"] for item in simulation_data(built.outputs)["requests"]]
    assert ids == ["p4", "p1", "p2", "p3", "p5", "p6", "some-engine-7"]
    assert queue(built.outputs["index.html"], "pinned") == ["p4"]


def test_no_more_requests_enter_than_the_settings_say(render: Render) -> None:
    outputs = render({**SIX, **settings("include: 4")}).outputs
    assert [item["id"] for item in simulation_data(outputs)["requests"]] == ["p1", "p2", "p3", "p4"]
    assert "4 of 6 shown" in text(outputs["index.html"], "top")
    assert not tags(outputs["projects/p6/index.html"], "figure", class_="life")
    assert "shown" not in text(render(SIX).outputs["index.html"], "top")


@pytest.mark.parametrize(("wanted", "shown"), [(0, 0), (5, 5), (9999, None)])
def test_the_settings_may_choose_the_iteration(
    render: Render, wanted: int, shown: int | None
) -> None:
    """One beyond the end shows the last."""
    outputs = render({**SIX, **settings(f"at: {wanted}")}).outputs
    at = simulation_data(outputs)["at"]
    iterations = int(re.findall(rb"iter \d+ of (\d+)", outputs["index.html"])[0])
    assert at == (iterations - 1 if shown is None else shown)
    assert one(outputs["index.html"], data_kind="playhead").attributes["data-t"] == str(at)


def test_a_typo_mended_in_a_text_leaves_the_home_page_alone(render: Render) -> None:
    """Lengths come from the front matter only."""
    before = render(SIX).outputs
    longer = SIX["content/projects/p1.md"] + "\n\nMany more words. " * 50
    after = render({**SIX, "content/projects/p1.md": longer}).outputs
    assert after["index.html"] == before["index.html"]
    assert after["simulation.json"] == before["simulation.json"]
    assert after["projects/p1/index.html"] != before["projects/p1/index.html"]


@pytest.mark.parametrize(
    ("front_matter", "request_"),
    [
        ("summary: one two three four five", {"prompt": 20, "output": 8, "arrival": 0}),
        ("summary: one", {"prompt": 16, "output": 8, "arrival": 0}),
        (f"summary: {'word ' * 60}", {"prompt": 150, "output": 8, "arrival": 0}),
        (
            (
                "summary: one\nmetrics: [{label: A, values: [{value: 1}]},"
                " {label: B, values: [{value: 1}]}]"
            ),
            {"prompt": 16, "output": 20, "arrival": 0},
        ),
        ("summary: one\nrequest: {output: 5}", {"prompt": 16, "output": 5, "arrival": 0}),
        ("summary: one\nrequest: {arrival: 9}", {"prompt": 16, "output": 8, "arrival": 9}),
    ],
)
def test_lengths_are_derived_unless_they_are_given(
    render: Render, front_matter: str, request_: dict[str, int]
) -> None:
    """Four tokens a word of the summary, six a metric, each within its limits."""
    outputs = render({"content/projects/p.md": f"---\ntitle: P\n{front_matter}\n---\n"}).outputs
    assert simulation_data(outputs)["requests"] == [{"id": "p", **request_}]


def test_a_site_without_requests_has_no_simulation(render: Render) -> None:
    outputs = render({}).outputs
    assert "simulation.json" not in outputs
    assert tags(outputs["index.html"], "batch-simulation") == []


def test_simulate_reads_standard_input(batcher: Batcher, monkeypatch: pytest.MonkeyPatch) -> None:
    class Pipe:
        def __init__(self) -> None:
            self.buffer = self

        def read(self) -> bytes:
            return b'{"requests": [{"id": "a", "prompt": 3, "output": 2, "arrival": 0}], "at": 1}'

    monkeypatch.setattr("sys.stdin", Pipe())
    answer = batcher("simulate", "-")
    assert answer.code == 0
    trace = json.loads(answer.out)
    assert list(trace) == ["config", "requests", "iterations", "per_request", "static", "metrics"]
    assert trace["metrics"]["iterations"] == 2


def test_no_request_in_the_settings_leaves_the_figure_out(render: Render) -> None:
    site = render({**SIX, **settings("include: 0")})
    assert not [path for path in site.outputs if "simulation" in path or "drawer" in path]
    assert b"batch-simulation" not in site.outputs["index.html"]
