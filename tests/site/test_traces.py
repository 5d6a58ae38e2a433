"""Every recorded trace, through the engine that builds the site, in every field that it has."""

import json
from pathlib import Path

import pytest

from batcher_site.linker import link
from batcher_site.simulation import Simulator

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "static" / "js" / "simulation"
TRACES = sorted((ROOT / "tests" / "traces").glob("*/*.json"))


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.fixture(scope="module")
def simulator() -> Simulator:
    modules = {path.name: path.read_text() for path in MODULES.glob("*.js")}
    return Simulator(link(modules, "prerender.js", global_name="BatcherSimulation"))


@pytest.mark.parametrize("path", TRACES, ids=_name)
def test_a_recorded_trace_is_reproduced_in_every_field(path: Path, simulator: Simulator) -> None:
    text = path.read_bytes()
    recorded = json.loads(text)
    made = json.loads(simulator.simulate(text, source=path.name))
    rows = zip(made["iterations"], recorded["iterations"], strict=True)
    assert [{key: row[key] for key in of} for row, of in rows] == recorded["iterations"]
    for key in recorded.keys() & {"per_request", "static", "metrics", "requests"}:
        assert made[key] == recorded[key]
    assert recorded["config"].items() <= made["config"].items()


@pytest.mark.parametrize("path", [p for p in TRACES if p.parent.name == "reference"], ids=_name)
def test_a_trace_has_the_keys_of_the_reference_in_their_order(
    path: Path, simulator: Simulator
) -> None:
    """Under `lookahead` the rows also carry `skips`, which the author's traces have."""
    recorded = json.loads(path.read_bytes())
    made = json.loads(simulator.simulate(path.read_bytes()))
    assert list(made) == [key for key in recorded if key != "name"]
    assert list(made["config"]) == list(recorded["config"])
    assert list(made["metrics"]) == list(recorded["metrics"])
    lookahead = recorded["config"]["policy"] == "lookahead"
    for row, of in zip(made["iterations"], recorded["iterations"], strict=True):
        assert ("skips" in row) == lookahead
        assert [key for key in row if key != "skips"] == list(of)


def test_the_page_may_name_the_number_of_recorded_workloads(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The number that the page may name is that of the shipped policy, recorded from vLLM."""
    configs = [
        json.loads(path.read_text())["config"] for path in TRACES if path.parent.name == "vllm"
    ]
    shipped = [c for c in configs if c["policy"] == "fcfs" and not c.get("prefix_cache")]
    with capsys.disabled():
        print(f" {len(TRACES)} traces, {len(configs)} of vLLM, {len(shipped)} of its fcfs")  # noqa: T201
    assert (len(TRACES), len(configs), len(shipped)) == (160, 101, 55)
