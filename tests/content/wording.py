"""Runs of words as hashes, so that a text can be known again without being kept."""

import re
from collections.abc import Iterator
from hashlib import sha256

RUN = 8
"""As many words in a row make a copied sentence."""

_WORD = re.compile(r"\w+(?:[-.,'’/+]\w+)*")


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Give every run of words in a text, without its signs and capitals."""
    words = _WORD.findall(text.casefold())
    for start in range(len(words) - RUN + 1):
        yield tuple(words[start : start + RUN])


def mark(run: tuple[str, ...]) -> str:
    """Give the hash under which a run is remembered."""
    return sha256(" ".join(run).encode()).hexdigest()[:16]
