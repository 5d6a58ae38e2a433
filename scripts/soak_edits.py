"""
Edit a site at random, and compare every build that goes on with a fresh one.

    python -m scripts.soak_edits [--edits 1000]

prints one line; where the two differ, the shortest chain of edits that shows it, and exits with 1.
"""

import argparse
import sys
import time

from tests.property.test_incremental import run_edits

STEPS = 20


def main(arguments: list[str]) -> int:
    """Run chains of edits; a difference ends the program with its chain."""
    parser = argparse.ArgumentParser(description="Edit a site at random and build it.")
    parser.add_argument("--edits", type=int, default=1000)
    options = parser.parse_args(arguments)
    begin = time.monotonic()
    chains = -(-options.edits // STEPS)
    run_edits(examples=chains, steps=STEPS)()
    seconds = time.monotonic() - begin
    print(f"{chains} chains of up to {STEPS} edits: 0 differing bytes ({seconds:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
