"""
Series of trials, and what came of them.

    python -m tests.faults.series [--seed N] [--share 0.05] [--only kill …] [--naive]

prints one JSON object: for each series the tries, and the bad ones with what did not hold.
"""

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.faults import trial
from tests.faults.trial import ERRORS, NEW, Ground

Try = tuple[str, Callable[[Ground], list[str]]]
Series = Callable[[random.Random, Ground], list[Try]]

RANDOM_KILLS = 200
CHANGES_EACH = 200
PAIRS = 50
TORN = 100
_CHANGES = ("deleted", "cut", "renamed", "replaced")
_READS = 14


def kills(_: random.Random, ground: Ground) -> list[Try]:
    """Kill at every write."""
    return [
        (f"write {number}", partial(trial.killed_at_write, number=number))
        for number in range(1, ground.writes + 1)
    ]


def errors(_: random.Random, ground: Ground) -> list[Try]:
    """Let every write fail with every error: alone, and with all that come after."""
    return [
        (
            f"write {number}, error {error}{', lasting' if lasting else ''}",
            partial(trial.refused_at_write, number=number, error=error, lasting=lasting),
        )
        for error in ERRORS
        for lasting in (False, True)
        for number in range(1, ground.writes + 1)
    ]


def random_kills(draw: random.Random, ground: Ground) -> list[Try]:
    """Kill at moments that are spread evenly over the time of a build."""
    moments = [draw.uniform(0, ground.seconds) for _ in range(RANDOM_KILLS)]
    return [(f"{at:.4f} s", partial(trial.at_moment, seconds=at)) for at in moments]


def torn_files(draw: random.Random, _: Ground) -> list[Try]:
    """Let no file grow beyond a size."""
    sizes = [int(10 ** draw.uniform(0, 5)) for _ in range(TORN)]
    return [(f"{size} bytes", partial(trial.with_torn_files, size=size)) for size in sizes]


def few_files(_: random.Random, __: Ground) -> list[Try]:
    """Let few files be open at once."""
    return [
        (f"{count} open files", partial(trial.with_few_open_files, count=count))
        for count in range(4, 33)
    ]


def changes(draw: random.Random, _: Ground) -> list[Try]:
    """Change a source while sources are read."""
    paths = sorted(path for path in NEW if path.startswith("content/"))
    found: list[Try] = []
    for change in _CHANGES:
        for _number in range(CHANGES_EACH):
            at, path = draw.randint(1, _READS), draw.choice(paths)
            doing = partial(trial.while_reading, number=at, path=path, change=change)
            found.append((f"{path} {change} at read {at}", doing))
    return found


def pairs(draw: random.Random, ground: Ground) -> list[Try]:
    """Run two builds into one folder at once."""
    offsets = [draw.uniform(0, ground.seconds) for _ in range(PAIRS)]
    return [(f"offset {at:.4f} s", partial(trial.two_at_once, offset=at)) for at in offsets]


ALL: dict[str, Series] = {
    "kill": kills,
    "error": errors,
    "random kill": random_kills,
    "torn file": torn_files,
    "few open files": few_files,
    "changing source": changes,
    "two at once": pairs,
}


def run(
    names: list[str], seed: int, share: float, *, is_naive: bool = False
) -> Iterator[tuple[str, int, dict[str, list[str]]]]:
    """Run a share of each series; give its name, the tries, and the bad ones by their label."""
    way = {"way": trial.naive_build} if is_naive else {}
    with tempfile.TemporaryDirectory() as folder:
        ground = trial.prepare(Path(folder), **way)
        for name in names:
            draw = random.Random(f"{seed} {name}")  # noqa: S311 -- a test's choice
            tries = ALL[name](draw, ground)
            chosen = draw.sample(tries, max(1, round(len(tries) * share)))
            found = {label: attempt(ground, **way) for label, attempt in chosen}
            yield name, len(chosen), {label: faults for label, faults in found.items() if faults}


def main(arguments: list[str]) -> int:
    """Run series and print what came of them; the exit code is 1 where anything is bad."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--only", nargs="+", choices=ALL, default=list(ALL))
    parser.add_argument("--naive", action="store_true")
    options = parser.parse_args(arguments)
    series = run(options.only, options.seed, options.share, is_naive=options.naive)
    found = {name: {"tries": tries, "bad": bad} for name, tries, bad in series}
    json.dump(found, sys.stdout, indent=1)
    return int(any(result["bad"] for result in found.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
