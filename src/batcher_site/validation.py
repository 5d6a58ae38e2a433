"""
Nodes to the typed values of `model`: every field, list item and nested value is looked at.

The type of a field decides what its text means: `no` is a word, `1.10` keeps its zero, `012` is
not a number, and a date is what a date field makes of it. All faults are found together, each at
its own line and column; links without an address become notices.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin

from msgspec import NODEFAULT, Meta, Struct, ValidationError
from msgspec import convert as check_constraints
from msgspec.structs import FieldInfo, fields

from batcher_site.errors import ContentError
from batcher_site.model import Notice, PartialDate, Present
from batcher_site.nodes import Entries, Items, Node, Scalar, is_null, kind_of

PRESENT = ("present", "now", "today")
"""The words for the end of what goes on, in any capitals."""

T = TypeVar("T")

_NUMBER = re.compile(r"[-+]?(0|[1-9]\d*)(\.\d+)?")
_INTEGER = re.compile(r"[-+]?(0|[1-9]\d*)")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_LINK_FIELDS = ("url", "link")
_LONGEST_INTEGER = 18
_LONGEST_NUMBER = 40
_LONGEST_QUOTE = 60


class Converted(Struct, Generic[T], frozen=True):
    """A converted value with everything found on the way; `value` is None where errors are."""

    value: T | None
    errors: tuple[ContentError, ...]
    notices: tuple[Notice, ...]


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
        shape = _shape(kind)
        if shape.origin is Union:
            return self._union(node, shape.arguments, name)
        if shape.origin is list:
            return self._list(node, shape.arguments[0], shape.meta, name)
        if shape.origin is dict:
            return self._dict(node, shape.arguments, name)
        if shape.origin is Struct:
            return self._struct(node, shape.kind, name)
        return self._scalar(node, shape, name)

    def _union(self, node: Node, kinds: tuple[Any, ...], name: str) -> Any:  # noqa: ANN401
        if NoneType in kinds and is_null(node):
            return None
        if Present in kinds and isinstance(node, Scalar) and node.text.lower() in PRESENT:
            return Present()
        of_list, of_rest = _alternatives(kinds)
        if of_list is not None and isinstance(node, Items):
            return self.value(node, of_list, name)
        return self.value(node, of_rest, name)

    def _list(self, node: Node, kind: Any, meta: Meta | None, name: str) -> Any:  # noqa: ANN401
        if is_null(node):
            return []
        if not isinstance(node, Items):
            return self._expected(
                node, "a list", name, "put each item on a line that begins with -"
            )
        if meta is not None and len(node.nodes) < (meta.min_length or 0):
            return self._expected(node, "a list that is not empty", name, None)
        values = [
            self.value(item, kind, f"{name}[{n}]" if name else f"entry {n + 1}")
            for n, item in enumerate(node.nodes)
        ]
        return [value for value in values if value is not _FAULT]

    def _dict(self, node: Node, kinds: tuple[Any, ...], name: str) -> Any:  # noqa: ANN401
        if is_null(node):
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
        if is_null(node):
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

    def _scalar(self, node: Node, shape: "_Shape", name: str) -> Any:  # noqa: ANN401
        kind, meta = shape.kind, shape.meta
        if not isinstance(node, Scalar):
            return self._expected(node, _describe(kind, meta), name, None)
        if issubclass(kind, StrEnum):
            return self._enum(node, kind, name)
        value = _SCALARS[kind](node)
        if value is _FAULT:
            return self._expected(node, _describe(kind, meta), name, _HINTS.get(kind))
        if meta is not None:
            try:
                check_constraints(value, shape.constrained)
            except ValidationError:
                return self._expected(node, _describe(kind, meta), name, None)
        return value

    def _enum(self, node: Scalar, kind: type[StrEnum], name: str) -> Any:  # noqa: ANN401
        words = [str(member) for member in kind]
        if node.text in words:
            return kind(node.text)
        near = get_close_matches(node.text, words, n=1)
        hint = f'did you mean "{near[0]}"?' if near else None
        return self._expected(node, f"one of {', '.join(words)}", name, hint)

    def _expected(self, node: Node, expected: str, name: str, hint: str | None) -> _Fault:
        got = kind_of(node)
        if isinstance(node, Scalar) and got != "nothing":
            cut = node.text[:_LONGEST_QUOTE]
            got = f'"{cut}"' if cut == node.text else f'"{cut}…"'
        prefix = f"{name}: " if name else ""
        self._error(node, f"{prefix}expected {expected}, got {got}", hint)
        return _FAULT

    def _error(self, node: Node, message: str, hint: str | None) -> None:
        self.errors.append(
            ContentError(message, source=self._path, line=node.line, column=node.column, hint=hint)
        )


@cache
def _fields_by_key(kind: type[Struct]) -> dict[str, FieldInfo]:
    return {field.encode_name: field for field in fields(kind)}


class _Shape(Struct, frozen=True):
    """
    A type taken apart, once: its kind without the constraints, and the constraints.

    `origin` is Union, list, dict, Struct, or None for what a single value is made into.
    """

    kind: Any
    origin: Any
    arguments: tuple[Any, ...]
    meta: Meta | None
    constrained: Any


@cache
def _shape(kind: Any) -> _Shape:  # noqa: ANN401 -- types as values
    base, meta = kind, None
    if get_origin(kind) is Annotated:
        base, *extras = get_args(kind)
        meta = next((extra for extra in extras if isinstance(extra, Meta)), None)
    origin = get_origin(base)
    if origin is UnionType:
        origin = Union
    elif isinstance(base, type) and issubclass(base, Struct) and base not in _SCALARS:
        origin = Struct
    constrained = None if meta is None else Annotated[base, meta]
    return _Shape(base, origin, get_args(base), meta, constrained)


@cache
def _alternatives(kinds: tuple[Any, ...]) -> tuple[Any, Any]:
    """Give the kind of a union that is a list, and the one that is not."""
    others = [kind for kind in kinds if kind not in {NoneType, Present}]
    lists = [kind for kind in others if _shape(kind).origin is list]
    rest = [kind for kind in others if kind not in lists]
    return next(iter(lists), None), rest[0]


def _text(node: Scalar) -> object:
    if _CONTROL.search(node.text):
        return _FAULT
    # A text of blanks, or of signs without a width, is an empty one.
    seen = any(character.isprintable() and character != " " for character in node.text)
    return node.text if seen else ""


def _bool(node: Scalar) -> object:
    return {"true": True, "false": False}.get(node.text, _FAULT) if node.plain else _FAULT


def _int(node: Scalar) -> object:
    fits = node.plain and _INTEGER.fullmatch(node.text) and len(node.text) <= _LONGEST_INTEGER
    return int(node.text) if fits else _FAULT


def _decimal(node: Scalar) -> object:
    fits = node.plain and _NUMBER.fullmatch(node.text) and len(node.text) <= _LONGEST_NUMBER
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
