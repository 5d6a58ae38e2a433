"""Every recorded trace, through the engine that builds the site, in every field that it has."""

import json
from pathlib import Path
from typing import Any

import pytest

from batcher_site.simulation import Simulator, link

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "static" / "js" / "simulation"
TRACES = sorted((ROOT / "tests" / "traces").glob("*/*.json"))


@pytest.fixture(scope="module")
def simulator() -> Simulator:
    modules = {path.name: path.read_text() for path in MODULES.glob("*.js")}
    return Simulator(link(modules, "prerender.js", global_name="BatcherSimulation"))


@pytest.mark.parametrize("path", TRACES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_recorded_trace_is_reproduced_in_every_field(path: Path, simulator: Simulator) -> None:
    text = path.read_bytes()
    recorded = json.loads(text)
    made = json.loads(simulator.simulate(text, source=path.name))
    assert [_same_keys(row, of) for row, of in _pairs(made, recorded)] == recorded["iterations"]
    for key in recorded.keys() & {"per_request", "static", "metrics", "requests"}:
        assert made[key] == recorded[key]
    assert recorded["config"].items() <= made["config"].items()


def _pairs(made: Any, recorded: Any) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return list(zip(made["iterations"], recorded["iterations"], strict=True))


def _same_keys(row: dict[str, Any], recorded: dict[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in recorded}


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
