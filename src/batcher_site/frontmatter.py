"""
The strict reader of YAML: text to nodes with line marks, and nodes to the typed values of `model`.

YAML is read for its structure only. Scalars stay text until a field's type asks for something
else, so nothing is guessed: `no` is a word, `1.10` keeps its zero, `012` is not octal, and a date
is what a date field makes of it. Anchors, aliases, tags and repeated keys are refused.
All faults of a file are reported together, each at its own line and column.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin

import yaml
from msgspec import NODEFAULT, Meta, Struct, ValidationError
from msgspec import convert as check_constraints
from msgspec.structs import FieldInfo, fields

from batcher_site.errors import ContentError
from batcher_site.model import Notice, PartialDate, Present, Source

MAX_DEPTH = 12

T = TypeVar("T")

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FENCE = "---"
_NUMBER = re.compile(r"[-+]?(0|[1-9]\d*)(\.\d+)?")
_INTEGER = re.compile(r"[-+]?(0|[1-9]\d*)")
_NULLS = frozenset({"", "~", "null"})
_PRESENT = frozenset({"present", "now", "today"})
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_COLON_IN_TEXT = re.compile(r"^(\s*(?:- )?[^\s:#][^:#]*): (.+)$")
_LINK_FIELDS = ("url", "link")


# --- nodes --------------------------------------------------------------------------------------


class Scalar(Struct, frozen=True):
    """One value as it is written; `plain` where it has no quotes. Lines, columns count from 1."""

    text: str
    plain: bool
    line: int
    column: int


class Items(Struct, frozen=True):
    """A list."""

    nodes: tuple["Node", ...]
    line: int
    column: int


class Entries(Struct, frozen=True):
    """A mapping: pairs of key and value in the order of the file, no key twice."""

    pairs: tuple[tuple[Scalar, "Node"], ...]
    line: int
    column: int


Node = Scalar | Items | Entries


class Converted(Struct, Generic[T], frozen=True):
    """A converted value with everything found on the way; `value` is None where errors are."""

    value: T | None
    errors: tuple[ContentError, ...]
    notices: tuple[Notice, ...]


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
            hint=f'begin the file with a line "{_FENCE}", then keys such as "title: …", then "---"',
        )
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None)
    if end is None:
        raise ContentError(
            "the front matter opens here and does not close",
            source=path,
            line=1,
            hint=f'add a line "{_FENCE}" at its end, without spaces before it',
        )
    node = parse("\n".join(lines[1:end]), path, first_line=2)
    if node is None:
        node = Entries((), 1, 1)
    if not isinstance(node, Entries):
        raise ContentError(
            f"the front matter is {_kind_of(node)}, not a mapping",
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
    try:
        return _Composer(text, path, first_line).document()
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(error, text, path, first_line) from None
    except yaml.reader.ReaderError as error:
        raise ContentError(
            f"the character U+{ord(error.character):04X} may not stand in YAML"
            if isinstance(error.character, str)
            else "a character that may not stand in YAML",
            source=path,
            line=first_line + text[: error.position].count("\n"),
            hint="delete it; it may be invisible in the editor",
        ) from None


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
        if event.tag is not None and event.tag != "!":
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
    mark = error.problem_mark or error.context_mark
    row, column = (mark.line, mark.column) if mark else (0, 0)
    lines = text.split("\n")
    written = lines[row] if row < len(lines) else ""
    message, hint = _explain(str(error.problem or error.context), written)
    if message.startswith("indented by a tab"):
        column = written.index("\t")
    return ContentError(message, source=path, line=first_line + row, column=column + 1, hint=hint)


def _explain(problem: str, written: str) -> tuple[str, str]:
    if "\t" in written[: len(written) - len(written.lstrip())]:
        return "indented by a tab; YAML needs spaces", "put two spaces where the tab is"
    colon = _COLON_IN_TEXT.match(written)
    if "mapping values are not allowed" in problem and colon:
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


def _kind_of(node: Node) -> str:
    if isinstance(node, Scalar):
        return "nothing" if node.plain and node.text in _NULLS else "a single value"
    return "a list" if isinstance(node, Items) else "a mapping"


# --- nodes to typed values ----------------------------------------------------------------------


def convert(node: Node, kind: type[T], path: str, *, name: str = "") -> Converted[T]:
    """
    Make a value of the type `kind` out of a node.

    `name` is the word for the whole in messages. Every field, list item and nested value is looked
    at, so that all faults are found at once; missing links become notices.
    """
    converter = _Converter(path)
    value = converter.value(node, kind, name)
    return Converted(
        None if converter.errors else value, tuple(converter.errors), tuple(converter.notices)
    )


class _Fault(Struct, frozen=True):
    """Stands for a value that could not be made; the error is on the converter's list."""


_FAULT = _Fault()


class _Converter:
    """Walks a node and a type side by side and collects what does not fit."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.errors: list[ContentError] = []
        self.notices: list[Notice] = []

    def value(self, node: Node, kind: Any, name: str) -> Any:  # noqa: ANN401 -- types as values
        kind, meta = _unwrap(kind)
        if get_origin(kind) in {Union, UnionType}:
            return self._union(node, get_args(kind), name)
        if get_origin(kind) is list:
            return self._list(node, get_args(kind)[0], meta, name)
        if get_origin(kind) is dict:
            return self._dict(node, get_args(kind), name)
        if isinstance(kind, type) and issubclass(kind, Struct) and kind not in _SCALARS:
            return self._struct(node, kind, name)
        return self._scalar(node, kind, meta, name)

    def _union(self, node: Node, kinds: tuple[Any, ...], name: str) -> Any:  # noqa: ANN401
        if NoneType in kinds and _is_null(node):
            return None
        others = [kind for kind in kinds if kind is not NoneType]
        if Present in others and isinstance(node, Scalar) and node.text.lower() in _PRESENT:
            return Present()
        others = [kind for kind in others if kind is not Present]
        lists = [kind for kind in others if get_origin(_unwrap(kind)[0]) is list]
        if lists and isinstance(node, Items):
            return self.value(node, lists[0], name)
        rest = [kind for kind in others if kind not in lists]
        return self.value(node, rest[0], name)

    def _list(self, node: Node, kind: Any, meta: Meta | None, name: str) -> Any:  # noqa: ANN401
        if _is_null(node):
            return []
        if not isinstance(node, Items):
            return self._expected(node, "a list", name, "put each item on a line that begins with -")
        if meta is not None and len(node.nodes) < (meta.min_length or 0):
            return self._expected(node, "a list that is not empty", name, None)
        values = [self.value(item, kind, f"{name}[{n}]") for n, item in enumerate(node.nodes)]
        return [value for value in values if value is not _FAULT]

    def _dict(self, node: Node, kinds: tuple[Any, ...], name: str) -> Any:  # noqa: ANN401
        if _is_null(node):
            return {}
        if not isinstance(node, Entries):
            return self._expected(node, "a mapping of names to values", name, None)
        key_kind, value_kind = kinds
        return {
            self.value(key, key_kind, f"the name {key.text}"): self.value(
                value, value_kind, f"{name}.{key.text}"
            )
            for key, value in node.pairs
        }

    def _struct(self, node: Node, kind: type[Struct], name: str) -> Any:  # noqa: ANN401
        if not isinstance(node, Entries):
            keys = ", ".join(_fields_by_key(kind))
            return self._expected(node, "a mapping", name, f"its keys are {keys}")
        known = _fields_by_key(kind)
        given = {key.text: (key, value) for key, value in node.pairs}
        faults = len(self.errors)
        self._unknown_keys(given, known, name)
        values = {}
        for key, field in known.items():
            inner = f"{name}.{key}" if name else key
            if key in given:
                values[field.name] = self._field(given[key], field, inner)
            elif field.required:
                self._error(node, f"{inner} is missing", f'add "{key}: …"')
            elif key in _LINK_FIELDS:
                self._missing_link(node, name)
        return kind(**values) if len(self.errors) == faults else _FAULT

    def _field(self, entry: tuple[Scalar, Node], field: FieldInfo, name: str) -> Any:  # noqa: ANN401
        key, node = entry
        if _is_null(node):
            if field.required:
                self._error(key, f"{name} is empty", f'write a value after "{key.text}:"')
                return _FAULT
            if field.encode_name in _LINK_FIELDS:
                self._missing_link(key, name.rpartition(".")[0])
            return field.default if field.default is not NODEFAULT else field.default_factory()
        return self.value(node, field.type, name)

    def _unknown_keys(
        self,
        given: Mapping[str, tuple[Scalar, Node]],
        known: Mapping[str, FieldInfo],
        name: str,
    ) -> None:
        for key, (scalar, _) in given.items():
            if key in known:
                continue
            near = get_close_matches(key, known, n=1)
            where = f" in {name}" if name else ""
            hint = f'did you mean "{near[0]}"?' if near else f"known keys: {', '.join(known)}"
            if key == "slug":
                hint = "the file's name is the slug: rename the file instead"
            self._error(scalar, f'unknown key "{key}"{where}', hint)

    def _missing_link(self, node: Node, name: str) -> None:
        self.notices.append(
            Notice(self._path, node.line, f"{name} has no url" if name else "there is no url")
        )

    def _scalar(self, node: Node, kind: Any, meta: Meta | None, name: str) -> Any:  # noqa: ANN401
        expected = _describe(kind, meta)
        if not isinstance(node, Scalar):
            return self._expected(node, expected, name, None)
        if issubclass(kind, StrEnum):
            return self._enum(node, kind, name)
        value = _SCALARS[kind](node)
        if value is _FAULT:
            return self._expected(node, expected, name, _HINTS.get(kind))
        if meta is not None:
            try:
                check_constraints(value, Annotated[kind, meta])
            except ValidationError:
                return self._expected(node, expected, name, None)
        return value

    def _enum(self, node: Scalar, kind: type[StrEnum], name: str) -> Any:  # noqa: ANN401
        words = [str(member) for member in kind]
        if node.text in words:
            return kind(node.text)
        near = get_close_matches(node.text, words, n=1)
        hint = f'did you mean "{near[0]}"?' if near else None
        return self._expected(node, f"one of {', '.join(words)}", name, hint)

    def _expected(self, node: Node, expected: str, name: str, hint: str | None) -> _Fault:
        got = _kind_of(node)
        if isinstance(node, Scalar) and got != "nothing":
            got = f'"{node.text}"' if len(node.text) <= 60 else f'"{node.text[:57]}…"'  # noqa: PLR2004 -- a line of a terminal
        prefix = f"{name}: " if name else ""
        self._error(node, f"{prefix}expected {expected}, got {got}", hint)
        return _FAULT

    def _error(self, node: Node, message: str, hint: str | None) -> None:
        self.errors.append(
            ContentError(message, source=self._path, line=node.line, column=node.column, hint=hint)
        )


@lru_cache(maxsize=None)
def _fields_by_key(kind: type[Struct]) -> dict[str, FieldInfo]:
    return {field.encode_name: field for field in fields(kind)}


def _unwrap(kind: Any) -> tuple[Any, Meta | None]:  # noqa: ANN401 -- types as values
    if get_origin(kind) is Annotated:
        base, *extras = get_args(kind)
        return base, next((extra for extra in extras if isinstance(extra, Meta)), None)
    return kind, None


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.plain and node.text in _NULLS


def _text(node: Scalar) -> object:
    return _FAULT if _CONTROL.search(node.text) else node.text


def _bool(node: Scalar) -> object:
    return {"true": True, "false": False}.get(node.text, _FAULT) if node.plain else _FAULT


def _int(node: Scalar) -> object:
    fits = node.plain and _INTEGER.fullmatch(node.text) and len(node.text) < 20  # noqa: PLR2004 -- 64 bits
    return int(node.text) if fits else _FAULT


def _decimal(node: Scalar) -> object:
    fits = node.plain and _NUMBER.fullmatch(node.text) and len(node.text) < 40  # noqa: PLR2004 -- no bombs
    return Decimal(node.text) if fits else _FAULT


def _date(node: Scalar) -> object:
    try:
        return PartialDate.parse(node.text)
    except ValueError:
        return _FAULT


_SCALARS: dict[Any, Any] = {
    str: _text,
    bool: _bool,
    int: _int,
    Decimal: _decimal,
    PartialDate: _date,
}
_HINTS: dict[Any, str] = {
    bool: "only true and false are truth values; yes, no, on, off are words",
    int: "write digits only, without quotes and without a zero before them",
    Decimal: "write digits and a point, without quotes, commas or a unit",
    PartialDate: "such as 2026-10-05, or 2026-10 where the day does not matter",
}


def _describe(kind: Any, meta: Meta | None) -> str:  # noqa: ANN401 -- types as values
    if meta is not None and meta.description:
        return meta.description
    words = {
        str: "text",
        bool: "true or false",
        int: "a whole number",
        Decimal: "a number",
        PartialDate: "a date (YYYY, YYYY-MM or YYYY-MM-DD)",
    }
    word = words.get(kind, "text")
    if meta is not None and meta.ge is not None:
        return f"{word} from {meta.ge} to {meta.le}" if meta.le else f"{word}, {meta.ge} or more"
    return word
