"""Entry of the command `batcher`; answers `--version` before anything else is imported."""

import sys
from collections.abc import Sequence

from batcher_site import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments == ["--version"]:
        sys.stdout.write(f"batcher {__version__}\n")
        return 0
    # The start of a command that needs nothing else stays as fast as Python itself.
    from batcher_site.cli import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
