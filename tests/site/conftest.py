"""What the tests of whole sites share: the command line, as its user sees it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from batcher_site.__main__ import main


@dataclass(frozen=True)
class Console:
    """What a command answered."""

    code: int
    out: str
    err: str


@pytest.fixture
def batcher(capsys: pytest.CaptureFixture[str]) -> Callable[..., Console]:
    """Give a function that runs one command in this process."""

    def run(*arguments: str | Path) -> Console:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:  # argparse's own way out
            code = int(stop.code or 0)
        written = capsys.readouterr()
        return Console(code, written.out, written.err)

    return run
