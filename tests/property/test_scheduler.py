"""The shipped scheduler on drawn workloads: against the oracle, and for the spec's properties."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from batcher_site.linker import link
from batcher_site.simulation import Simulator
from tests.oracle.engine import Engine, shipped_modules
from tests.oracle.model import trace
from tests.oracle.properties import check_properties
from tests.oracle.worked_examples import WORKED_EXAMPLES
from tests.property.workloads import CASES, Workload, sample, submissions, workloads

WORKLOADS = 2000

# Derandomized, so that a change of ours is the only thing that can turn a pass into a failure.
# How long a draw takes is left out of it for the same reason.
steady = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=(HealthCheck.too_slow,),
)
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(shipped_modules())


@pytest.fixture(scope="module")
def simulator() -> Simulator:
    return Simulator(link(shipped_modules(), "prerender.js", global_name="BatcherSimulation"))


@pytest.mark.slow
@every_case
@settings(steady, max_examples=WORKLOADS // len(CASES))
@given(data=st.data())
def test_a_run_is_that_of_the_oracle_and_keeps_the_properties(
    case: tuple[str, int], engine: Engine, data: st.DataObject
) -> None:
    """The trace is, to the byte, the oracle's one as JSON; section 8 is checked without it."""
    workload = data.draw(workloads(*case))
    made = engine.trace(workload).encode()
    expected = trace(workload)
    if made != msgspec.json.encode(expected):
        assert json.loads(made) == expected
        pytest.fail("equal in value, but not in the order of keys or the form of numbers")
    check_properties(expected)


@every_case
@settings(steady, max_examples=15)
@given(data=st.data())
def test_the_same_workload_gives_the_same_bytes_in_an_engine_of_its_own(
    case: tuple[str, int], engine: Engine, simulator: Simulator, data: st.DataObject
) -> None:
    """P18, and that the engine that has run others before keeps nothing of them."""
    workload = data.draw(workloads(*case))
    made = engine.trace(workload)
    assert engine.trace(workload) == made
    assert simulator.simulate(json.dumps(workload).encode()) == made


@every_case
@settings(steady, max_examples=25)
@given(data=st.data())
def test_a_request_submitted_while_others_run_gives_the_same_rows(
    case: tuple[str, int], engine: Engine, data: st.DataObject
) -> None:
    """P21: each is submitted up to eight iterations before its arrival, or just before it."""
    workload = data.draw(workloads(*case))
    times = data.draw(submissions(workload))
    assert engine.replay(workload, times) == json.loads(engine.trace(workload))["iterations"]


@pytest.mark.parametrize("name", WORKED_EXAMPLES)
def test_a_run_worked_out_by_hand_is_reproduced(name: str, engine: Engine) -> None:
    example = WORKED_EXAMPLES[name]
    workload = {key: example[key] for key in ("config", "requests")}
    made = json.loads(engine.trace(workload))
    rows = [{key: row[key] for key in ("scheduled", "preempted")} for row in made["iterations"]]
    assert rows == example["iterations"]
    assert made == trace(workload)


@pytest.mark.slow
def test_the_drawn_workloads_come_to_every_rule() -> None:
    """Else the properties could hold because nothing happens in the runs."""
    seen = {what for case in CASES for workload in sample(*case, 100) for what in _events(workload)}
    assert seen == {
        "a request that can never fit",
        "an idle iteration",
        "a prefill in chunks",
        "a queue before full slots",
        "a queue before full memory",
        "a victim that is not the last by admission",
        "several victims in one iteration",
        "a recompute in chunks",
        "a front that blocks",
        "a hit in the prefix cache",
        "a hit after a preemption",
        "static batching in several batches",
    }


def _events(workload: Workload) -> Iterator[str]:
    made = trace(workload)
    config = made["config"]
    before: list[str] = []
    for row in made["iterations"]:
        yield from _events_of_row(row, config)
        gone = [id_ for id_ in before if id_ in row["preempted"]]
        if gone and gone != before[-len(gone) :]:
            yield "a victim that is not the last by admission"
        before = [id_ for id_ in row["running"] if id_ not in row["finished"]]
    if made["metrics"]["rejected"]:
        yield "a request that can never fit"
    if len(made["static"]) > 1:
        yield "static batching in several batches"


def _events_of_row(row: dict[str, Any], config: dict[str, Any]) -> Iterator[str]:
    if not row["scheduled"]:
        yield "an idle iteration"
    if row["waiting"] and not row["preempted"]:
        full = len(row["running"]) == config["slots"]
        yield "a queue before full slots" if full else "a queue before full memory"
    if len(row["preempted"]) > 1:
        yield "several victims in one iteration"
    if row.get("skips") and row["skips"][0][1] >= config["skip_threshold"] > 0:
        yield "a front that blocks"
    kinds = {id_: kind for (id_, _), kind in zip(row["scheduled"], row["kinds"], strict=True)}
    for id_, kind in kinds.items():
        if id_ not in row["emitted"]:
            yield f"a {kind} in chunks"
    for id_, tokens in row.get("cached", []):
        if tokens:
            yield "a hit in the prefix cache"
            if kinds[id_] == "recompute":
                yield "a hit after a preemption"
