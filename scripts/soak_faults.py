"""
Run every trial of `tests/faults`, and keep the figures.

    python -m scripts.soak_faults [--seed N]

runs the series that have no figures of today yet, so that a run that was broken off goes on where
it was, and writes the table of `docs/reliability.md`. The exit code is 1 where anything was bad.
"""

import argparse
import json
import platform
import random
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.faults.series import ALL, run

ROOT = Path(__file__).parents[1]
STATE = ROOT / "build" / "soak" / "faults.json"
REPORT = ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- scripts/soak_faults.py writes this table -->", "<!-- end of the table -->"
CONFIDENCE_FACTOR = 3  # 0 bad of n bounds the rate at 3/n with 95 % confidence


def main(arguments: list[str]) -> int:
    """Run what is left to run, and write the report."""
    parser = argparse.ArgumentParser(description="Run every trial of tests/faults.")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    options = parser.parse_args(arguments)
    today = datetime.now(UTC).date().isoformat()
    figures: dict[str, Any] = json.loads(STATE.read_text()) if STATE.exists() else {}
    if figures.get("date") != today:
        figures = {"date": today, "series": {}}
    for name in ALL:
        if name in figures["series"]:
            continue
        for _, tries, bad in run([name], options.seed, share=1):
            figures["series"][name] = {"tries": tries, "bad": bad, "seed": options.seed}
            print(f"{name}: {len(bad)} bad of {tries}", flush=True)
        STATE.parent.mkdir(parents=True, exist_ok=True)
        STATE.write_text(json.dumps(figures, indent=1))
    _, tries, bad = next(run(["kill"], options.seed, share=1, is_naive=True))
    figures["naive"] = {"tries": tries, "bad": len(bad)}
    report(figures)
    for name, result in figures["series"].items():
        for label, faults in result["bad"].items():
            print(f"{name}, {label}: {'; '.join(faults)}", file=sys.stderr)
    return int(any(result["bad"] for result in figures["series"].values()))


def report(figures: dict[str, Any]) -> None:
    """Write the figures between the two marks of the report."""
    lines = ["| series | tries | bad | bound of the rate (95 %) |", "| --- | --: | --: | --: |"]
    for name, result in figures["series"].items():
        tries, bad = result["tries"], len(result["bad"])
        bound = "–" if bad else f"{CONFIDENCE_FACTOR / tries:.2%}"
        lines.append(f"| {name} | {tries:,} | {bad} | {bound} |")
    naive = figures["naive"]
    seeds = sorted({str(result["seed"]) for result in figures["series"].values()})
    machine = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    told = (
        f"{figures['date']}, {machine}, seed {', '.join(seeds)}. A program that writes straight"
        f" into the output fails {naive['bad']} of {naive['tries']} kills."
    )
    lines += ["", told]
    before, begin, rest = REPORT.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{REPORT} lacks the marks {BEGIN} and {END}")
    REPORT.write_text("\n".join([before + begin, "", *lines, "", end]) + after, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
