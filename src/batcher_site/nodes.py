"""
What a YAML text holds, as nodes that know their lines, and the characters that no text may have.

Scalars are text: what one means is decided by the type of the field that it fills (`validation`).
"""

import re

from msgspec import Struct

_NULLS = frozenset({"", "~", "null"})
# What YAML forbids, and the three signs that it alone takes for line ends: no editor counts them.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


class Scalar(Struct, frozen=True, tag=True, array_like=True):
    """One value as it is written; `plain` where it has no quotes. Lines, columns count from 1."""

    text: str
    plain: bool
    line: int
    column: int


class Items(Struct, frozen=True, tag=True, array_like=True):
    """A list."""

    nodes: tuple["Node", ...]
    line: int
    column: int


class Entries(Struct, frozen=True, tag=True, array_like=True):
    """A mapping: pairs of key and value in the order of the file, no key twice."""

    pairs: tuple[tuple[Scalar, "Node"], ...]
    line: int
    column: int


Node = Scalar | Items | Entries


def locate(node: Node, *path: str | int) -> tuple[int, int]:
    """Give line and column of what stands at `path`, or of its nearest holder that is there."""
    for step in path:
        if isinstance(step, int):
            if not isinstance(node, Items) or step >= len(node.nodes):
                break
            node = node.nodes[step]
        else:
            pairs = node.pairs if isinstance(node, Entries) else ()
            inner = next((value for key, value in pairs if key.text == step), None)
            if inner is None:
                break
            node = inner
    return node.line, node.column


def is_null(node: Node) -> bool:
    """Tell whether a node is an empty value: nothing, `~` or `null` without quotes."""
    return isinstance(node, Scalar) and node.plain and node.text in _NULLS


def kind_of(node: Node) -> str:
    """Give the word for a node in messages."""
    if isinstance(node, Scalar):
        return "nothing" if is_null(node) else "a single value"
    return "a list" if isinstance(node, Items) else "a mapping"
