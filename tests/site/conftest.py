"""What the tests of whole sites share: the command line."""

from pathlib import Path

import pytest

from batcher_site.__main__ import main
from tests.site.console import Batcher, Console


@pytest.fixture
def batcher(capsys: pytest.CaptureFixture[str]) -> Batcher:
    """Give a function that runs one command in this process."""

    def run(*arguments: str | Path) -> Console:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:  # argparse's own way out
            code = int(stop.code or 0)
        written = capsys.readouterr()
        return Console(code, written.out, written.err)

    return run
