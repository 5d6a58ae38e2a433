"""
Run the shipped scheduler and its oracle against each other on many random workloads.

    python -m scripts.soak_scheduler [--workloads 100000] [--seed N] [--processes N]

prints one line with what was run and the seed that gives the same workloads again. Where the two
differ, or a property fails, it prints the smallest such workload instead and exits with 1.
"""

import argparse
import json
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.oracle.engine import Engine, shipped_modules
from tests.oracle.model import trace
from tests.oracle.properties import check_properties
from tests.property.workloads import CASES, Workload, workloads

CHUNK = 250
FIGURES = ("iterations", "preemptions", "rejected", "cached_tokens")


class Chunk(NamedTuple):
    """So many workloads of one policy, drawn from one seed."""

    policy: str
    prefix_cache: int
    size: int
    seed: int


class Result(NamedTuple):
    """The figures of a chunk, the digests of its workloads, and a failure if there was one."""

    figures: Counter[str]
    digests: set[bytes]
    failure: str


def main(arguments: list[str]) -> int:
    """Run the workloads on all processors; the exit code is 1 where anything differs."""
    parser = argparse.ArgumentParser(description="Soak the scheduler against its oracle.")
    parser.add_argument("--workloads", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    begin = time.monotonic()
    figures: Counter[str] = Counter()
    digests: set[bytes] = set()
    with multiprocessing.Pool(options.processes) as pool:
        for result in pool.imap_unordered(run_chunk, chunks(options.workloads, options.seed)):
            if result.failure:
                print(f"{result.failure}\nseed {options.seed}", file=sys.stderr)
                return 1
            figures += result.figures
            digests |= result.digests
    print(
        f"{figures['workloads']} workloads ({len(digests)} distinct), "
        f"{figures['iterations']} iterations, {figures['preemptions']} preemptions, "
        f"{figures['rejected']} rejected requests, {figures['cached_tokens']} tokens from the "
        f"prefix cache: shipped modules and oracle agree in every field, all properties hold "
        f"(seed {options.seed}, {time.monotonic() - begin:.0f} s)"
    )
    return 0


def chunks(count: int, first_seed: int) -> Iterator[Chunk]:
    """Share the workloads out over the policies, in chunks with seeds of their own."""
    for number, start in enumerate(range(0, count, CHUNK)):
        case = CASES[number % len(CASES)]
        yield Chunk(*case, min(CHUNK, count - start), first_seed + number)


def run_chunk(chunk: Chunk) -> Result:
    """Compare the two on one chunk; a failure is shrunk before it is told."""
    engine = Engine(shipped_modules())
    figures: Counter[str] = Counter()
    digests: set[bytes] = set()
    failing: list[Workload] = []

    @seed(chunk.seed)
    @settings(
        max_examples=chunk.size,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=(HealthCheck.too_slow,),
    )
    @given(workloads(chunk.policy, chunk.prefix_cache))
    def compare(workload: Workload) -> None:
        failing[:] = [workload]
        made = json.loads(engine.trace(workload))
        assert made == trace(workload), "the shipped modules and the oracle differ"  # noqa: S101
        check_properties(made)
        text = json.dumps(workload).encode()
        digests.add(blake2b(text, digest_size=8).digest())
        figures["workloads"] += 1
        figures.update({key: made["metrics"][key] for key in FIGURES})

    try:
        compare()
    except Exception as error:  # noqa: BLE001 - a failure of any kind is told with its workload
        return Result(figures, digests, f"{error!r}\n{json.dumps(failing[0])}")
    return Result(figures, digests, "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
