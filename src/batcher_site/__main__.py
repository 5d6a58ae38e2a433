"""Entry of the command `batcher`; what needs no command line is answered before it is loaded."""

import sys
from collections.abc import Sequence
from time import perf_counter

from batcher_site import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code."""
    start = perf_counter()
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments == ["--version"]:
        sys.stdout.write(f"batcher {__version__}\n")
        return 0
    from batcher_site import unchanged

    request = unchanged.parse(arguments)
    finished = unchanged.look(request) if request else None
    if request and finished:
        from batcher_site.console import say_built

        say_built(finished.pages, (0, 0), finished.notes, request.output, start)
        return 0
    # The start of a command that needs nothing else stays as fast as Python itself.
    from batcher_site.cli import run

    return run(arguments, request)


if __name__ == "__main__":
    sys.exit(main())
