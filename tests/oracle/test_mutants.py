"""How sharp the traces, the properties and the oracle are: each wrong rule must be noticed."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import _quickjs
import pytest

from tests.oracle.engine import Engine, shipped_modules
from tests.oracle.model import trace
from tests.oracle.mutants import MUTANTS, Mutant, mutate
from tests.oracle.properties import check_properties
from tests.oracle.worked_examples import WORKED_EXAMPLES
from tests.property.workloads import CASES, Workload, sample

TRACES = sorted((Path(__file__).parents[1] / "traces").glob("*/*.json"))

Judge = Callable[[dict[str, Any], dict[str, Any]], bool]


@pytest.fixture(scope="module")
def expected() -> list[dict[str, Any]]:
    """Give the recorded traces and the examples worked out by hand; none is the oracle's."""
    return [json.loads(path.read_bytes()) for path in TRACES] + list(WORKED_EXAMPLES.values())


@pytest.fixture(scope="module")
def of_the_oracle(expected: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """
    Give the oracle's traces, which are workloads as well, of drawn workloads and of `expected`.

    What is drawn depends on the constants in all modules that happen to be loaded, so a rule that
    decides few runs may be missed by the drawn ones alone.
    """
    drawn = [workload for case in CASES for workload in sample(*case, 60)]
    given = [{key: of[key] for key in ("config", "requests")} for of in expected]
    return [trace(workload) for workload in drawn + given]


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.rule)
def test_a_wrong_rule_is_noticed(
    mutant: Mutant, expected: list[dict[str, Any]], of_the_oracle: list[dict[str, Any]]
) -> None:
    """By a trace that is not the oracle's, or a property; and by the oracle as well."""
    engine = Engine(mutate(shipped_modules(), mutant), seconds=1)
    by_trace = notices(engine, expected, reproduces)
    assert by_trace or notices(engine, of_the_oracle, keeps_properties)
    assert notices(engine, of_the_oracle, reproduces)


@pytest.mark.slow
def test_the_shipped_rules_pass_what_the_wrong_ones_must_not(
    expected: list[dict[str, Any]], of_the_oracle: list[dict[str, Any]]
) -> None:
    engine = Engine(shipped_modules())
    assert not notices(engine, expected, reproduces)
    assert not notices(engine, of_the_oracle, reproduces)
    assert not notices(engine, of_the_oracle, keeps_properties)


def notices(engine: Engine, runs: Iterable[dict[str, Any]], holds: Judge) -> bool:
    """Whether a run fails, never ends, or is not what is expected of it."""
    return any(not _holds(engine, of, holds) for of in runs)


def _holds(engine: Engine, of: dict[str, Any], holds: Judge) -> bool:
    workload: Workload = {key: of[key] for key in ("config", "requests")}
    try:
        made = json.loads(engine.trace(workload))
    except _quickjs.JSException as error:
        # A name that is not there is a fault of the mutant, not a wrong rule that was noticed.
        if "ReferenceError" in str(error):
            raise
        return False
    return holds(made, of)


def reproduces(made: dict[str, Any], of: dict[str, Any]) -> bool:
    """Whether a trace is the expected one in every field that this has."""
    rows = made["iterations"], of["iterations"]
    if len(rows[0]) != len(rows[1]):
        return False
    for row, given in zip(*rows, strict=True):
        if any(row[key] != value for key, value in given.items()):
            return False
    keys = of.keys() & {"per_request", "static", "metrics"}
    return all(made[key] == of[key] for key in keys)


def keeps_properties(made: dict[str, Any], _: dict[str, Any]) -> bool:
    """Whether a trace keeps the properties of section 8."""
    try:
        check_properties(made)
    except (AssertionError, LookupError, ValueError):
        return False
    return True
