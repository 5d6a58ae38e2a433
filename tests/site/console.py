"""The command line as its user sees it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Console:
    """What a command answered."""

    code: int
    out: str
    err: str


Batcher = Callable[..., Console]
"""Runs one command in this process: `batcher("build", "--source", folder)`."""
