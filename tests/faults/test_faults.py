"""
A build that is killed, refused or overtaken loses nothing: a sample of the trials of `series`.

The whole series, with the figures, are those of `make soak`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be copied there"),
]


def series(*arguments: str) -> dict[str, Any]:
    """Run trials in a process without threads, which can be copied."""
    answer = subprocess.run(
        [sys.executable, "-m", "tests.faults.series", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.stderr == ""
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def test_the_trials_find_a_writer_that_writes_straight_into_the_output() -> None:
    """A harness that finds nothing in a bad program says nothing about a good one."""
    found = series("--naive", "--only", "kill", "torn file", "--share", "0.25")
    for result in found.values():
        assert result["tries"] > 10
        assert len(result["bad"]) > result["tries"] / 2
    assert any(
        "neither old nor new" in str(faults) for faults in found["torn file"]["bad"].values()
    )


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("kill", 0.25),
        ("error", 0.02),
        ("random kill", 0.04),
        ("torn file", 0.06),
        ("few open files", 0.2),
        ("changing source", 0.01),
        ("two at once", 0.1),
    ],
)
def test_nothing_is_lost_and_the_next_build_is_the_fresh_one(name: str, share: float) -> None:
    """Files are old or new and whole, pages have their assets, sources and foreign files stay."""
    (result,) = series("--only", name, "--share", str(share)).values()
    assert result["tries"] >= 5
    assert result["bad"] == {}
