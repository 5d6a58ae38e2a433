"""
The strict reader of YAML and front matter: text to nodes with line marks.

YAML is read for its structure only: scalars stay text, and nothing is guessed. Anchors, aliases,
tags, repeated keys and second documents are refused. What a scalar means is decided by the type of
the field that it fills (`validation`).
"""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from batcher_site.errors import ContentError
from batcher_site.model import Source
from batcher_site.nodes import FORBIDDEN, Entries, Items, Node, Scalar, kind_of

MAX_DEPTH = 12
"""How deep lists and mappings may lie in each other."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FENCE = "---"
_ENCLOSED = re.compile(r"quoted scalar|flow (?:sequence|mapping)")
_COLON_IN_TEXT = re.compile(r"^(\s*(?:- )?[^\s:#][^:#]*): (.+)$")


# --- text to nodes ------------------------------------------------------------------------------


def split(text: str, path: str) -> tuple[Entries, Source]:
    """
    Take a Markdown file apart into its front matter and the text below it.

    Raises ContentError where the front matter is missing, does not close, or is not a mapping.
    """
    lines = text.split("\n")
    if lines[0].rstrip() != _FENCE:
        raise ContentError(
            "the file has no front matter",
            source=path,
            line=1,
            column=1,
            hint=f'begin the file with a line "{_FENCE}", then keys such as "title: …", then "---"',
        )
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None)
    if end is None:
        raise ContentError(
            "the front matter opens here and does not close",
            source=path,
            line=1,
            column=1,
            hint=f'add a line "{_FENCE}" at its end, without spaces before it',
        )
    node = parse("\n".join(lines[1:end]), path, first_line=2)
    if node is None:
        node = Entries((), 1, 1)
    if not isinstance(node, Entries):
        raise ContentError(
            f"the front matter is {kind_of(node)}, not a mapping",
            source=path,
            line=node.line,
            column=node.column,
            hint='write keys and values, such as "title: My project"',
        )
    return node, Source(path, "\n".join(lines[end + 1 :]), end + 2)


def parse(text: str, path: str, *, first_line: int = 1) -> Node | None:
    """
    Read one YAML document; None where it is empty.

    `first_line` is the line of the file on which `text` begins. Raises ContentError for anything
    that is not plain YAML: a tab, a repeated key, an alias, a tag, a second document, too deep.
    """
    forbidden = FORBIDDEN.search(text)
    if forbidden is not None:
        before = text[: forbidden.start()]
        raise ContentError(
            f"the character U+{ord(forbidden[0]):04X} may not stand in YAML",
            source=path,
            line=first_line + before.count("\n"),
            column=len(before) - before.rfind("\n"),
            hint="delete it; it may be invisible in the editor",
        )
    try:
        return _Composer(text, path, first_line).document()
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(error, text, path, first_line) from None


class _Composer:
    """Builds nodes from libyaml's events, which carry the marks."""

    def __init__(self, text: str, path: str, first_line: int) -> None:
        self._path = path
        self._first_line = first_line
        self._events: Iterator[Any] = iter(yaml.parse(text, Loader=_LOADER))

    def document(self) -> Node | None:
        next(self._events)
        if isinstance(next(self._events), yaml.StreamEndEvent):
            return None
        node = self._node(next(self._events), 1)
        next(self._events)
        second = next(self._events)
        if isinstance(second, yaml.DocumentStartEvent):
            raise self._refusal(second, "a second YAML document begins here", "keep one document")
        return None if isinstance(node, Scalar) and node.plain and not node.text else node

    def _node(self, event: Any, depth: int) -> Node:  # noqa: ANN401 -- yaml has no types
        if depth > MAX_DEPTH:
            raise self._refusal(event, f"nested more than {MAX_DEPTH} deep", "flatten the data")
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise self._refusal(
                event,
                "anchors (&) and aliases (*) are not read",
                "write the value out, or put quotes around a text that begins with & or *",
            )
        if event.tag is not None:
            raise self._refusal(
                event,
                f'the tag "{event.tag}" is not read',
                "write a plain value, or put quotes around a text that begins with !",
            )
        line, column = self._place(event)
        if isinstance(event, yaml.ScalarEvent):
            return Scalar(event.value, event.style in {None, ""}, line, column)
        if isinstance(event, yaml.SequenceStartEvent):
            return Items(tuple(self._children(depth + 1)), line, column)
        return self._entries(depth + 1, line, column)

    def _children(self, depth: int) -> Iterator[Node]:
        for event in self._events:
            if isinstance(event, yaml.CollectionEndEvent):
                return
            yield self._node(event, depth)

    def _entries(self, depth: int, line: int, column: int) -> Entries:
        pairs: dict[str, tuple[Scalar, Node]] = {}
        children = self._children(depth)
        for key in children:
            value = next(children)
            if not isinstance(key, Scalar):
                raise ContentError(
                    "a key must be a word",
                    source=self._path,
                    line=key.line,
                    column=key.column,
                    hint="put quotes around a text that begins with [ or {",
                )
            if key.text in pairs:
                first = pairs[key.text][0].line
                raise ContentError(
                    f'the key "{key.text}" stands here again (first on line {first})',
                    source=self._path,
                    line=key.line,
                    column=key.column,
                    hint="keep one of the two",
                )
            pairs[key.text] = (key, value)
        return Entries(tuple(pairs.values()), line, column)

    def _place(self, event: Any) -> tuple[int, int]:  # noqa: ANN401 -- yaml has no types
        mark = event.start_mark
        return self._first_line + mark.line, mark.column + 1

    def _refusal(self, event: Any, message: str, hint: str) -> ContentError:  # noqa: ANN401
        line, column = self._place(event)
        return ContentError(message, source=self._path, line=line, column=column, hint=hint)


def _syntax_error(
    error: yaml.MarkedYAMLError, text: str, path: str, first_line: int
) -> ContentError:
    mark = _mark(error)
    row, column = (mark.line, mark.column) if mark else (0, 0)
    lines = text.split("\n")
    if row >= len(lines):
        # The end of the text is noticed on a line that no file has.
        row, column = len(lines) - 1, len(lines[-1])
    written = lines[row]
    message, hint = _explain(str(error.problem or error.context), written, column)
    if message.startswith("indented by a tab"):
        column = written.index("\t")
    return ContentError(message, source=path, line=first_line + row, column=column + 1, hint=hint)


def _mark(error: yaml.MarkedYAMLError) -> Any:  # noqa: ANN401 -- yaml has no types
    """Where to look: a quote or bracket that is not closed is noticed only lines later."""
    noticed, opened = error.problem_mark, error.context_mark
    if noticed and opened and noticed.line > opened.line and _ENCLOSED.search(error.context or ""):
        return opened
    return noticed or opened


def _explain(problem: str, written: str, column: int) -> tuple[str, str]:
    if "\t" in written[: len(written) - len(written.lstrip())]:
        return "indented by a tab; YAML needs spaces", "put two spaces where the tab is"
    colon = _COLON_IN_TEXT.match(written)
    # At the first colon of a line it is the indentation that is wrong.
    if "mapping values are not allowed" in problem and colon and ": " in written[:column]:
        key, value = colon.groups()
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return (
            "a text with a colon and a space in it needs quotes",
            f'write {key.strip()}: "{quoted}"',
        )
    return (
        f"not valid YAML: {problem}",
        "check the indentation, the colons after keys, and that quotes and brackets are closed",
    )
