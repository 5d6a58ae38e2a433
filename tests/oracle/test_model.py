"""The oracle itself against every recorded trace, so that it is no copy of one mistake."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.model import trace

TRACES = sorted((Path(__file__).parents[1] / "traces").glob("*/*.json"))
REFERENCE = [path for path in TRACES if path.parent.name == "reference"]


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def _run(recorded: dict[str, Any]) -> dict[str, Any]:
    return trace({key: recorded[key] for key in ("config", "requests")})


@pytest.mark.parametrize("path", TRACES, ids=_name)
def test_the_oracle_reproduces_a_recorded_trace_in_every_field(path: Path) -> None:
    recorded = json.loads(path.read_bytes())
    made = _run(recorded)
    rows = zip(made["iterations"], recorded["iterations"], strict=True)
    assert [{key: row[key] for key in of} for row, of in rows] == recorded["iterations"]
    for key in recorded.keys() & {"requests", "per_request", "static", "metrics"}:
        assert made[key] == recorded[key]
    assert recorded["config"].items() <= made["config"].items()


@pytest.mark.parametrize("path", REFERENCE, ids=_name)
def test_the_oracle_writes_the_keys_of_the_reference_in_their_order(path: Path) -> None:
    recorded = json.loads(path.read_bytes())
    made = _run(recorded)
    assert list(made) == [key for key in recorded if key != "name"]
    for key in ("config", "metrics"):
        assert list(made[key]) == list(recorded[key])
    for row, of in zip(made["iterations"], recorded["iterations"], strict=True):
        assert [key for key in row if key != "skips"] == list(of)
