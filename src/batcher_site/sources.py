"""
The owner's files: listed, decoded, parsed and validated one by one, with every fault remembered.

The only module that reads `content/`. A `SourceReader` goes on after a fault, so that one run
names all of them.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

from msgspec import Raw, Struct, msgpack

from batcher_site import frontmatter, validation
from batcher_site.errors import ContentError, SiteErrors
from batcher_site.memo import Memo
from batcher_site.model import Notice, Source
from batcher_site.nodes import FORBIDDEN, Entries, Items, Node
from batcher_site.urls import CONTENT, SETTINGS

NOTHING = Entries((), 1, 1)
"""An empty file: a mapping without keys, so that its faults are the keys that it lacks."""

# From one fence to the next, as `frontmatter.split` takes them.
_FRONT_MATTER = re.compile(r"---[^\S\n]*\n(?:[^\n]*\n)*?---[^\S\n]*(?:\n|\Z)")
# What may follow a link in Markdown, HTML or YAML, and would not go on with it.
_END_OF_LINK = r"""(?=[\s#"'<>)\]},|`*]|$)"""

T = TypeVar("T", bound=Struct)
V = TypeVar("V")


class Document(Struct, Generic[T], frozen=True):
    """A Markdown file whose front matter fits its model; `node` is packed, and for faults only."""

    meta: T
    source: Source
    node: Raw


class SourceReader:
    """Reads the files below one site folder; `errors` and `notices` are what it found so far."""

    def __init__(self, root: str, memo: Memo | None = None) -> None:
        self._root = root
        self._memo = memo or Memo()
        self.errors: list[ContentError] = []
        self.notices: list[Notice] = []

    def list_files(self) -> tuple[str, ...]:
        """
        Give every file below `content/` by its path from the root, sorted; hidden ones are unseen.

        Raises ContentError where there is no such folder or no settings file in it.
        """
        folder = os.path.join(self._root, CONTENT)
        if os.path.isdir(folder) and not inside(folder, self._root):
            message = "the folder is a link that leads out of the site"
            raise ContentError(message, source=CONTENT, hint="copy the folder instead")
        if not os.path.isdir(folder):
            raise ContentError(
                f'there is no folder "{CONTENT}" in {os.path.abspath(self._root)}',
                source=CONTENT,
                hint='name the site\'s folder with --source, or make one with "batcher new DIR"',
            )
        names: list[str] = []
        self._walk(folder, CONTENT, os.path.realpath(folder), names)
        if SETTINGS not in names:
            raise ContentError(
                "there is no settings file",
                source=SETTINGS,
                hint=f"looked in {os.path.abspath(folder)} and found {_count(len(names))};"
                ' the settings need at least "title" and "owner"',
            )
        return tuple(sorted(names))

    def _walk(self, folder: str, name: str, real_folder: str, names: list[str]) -> None:
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            self.error(name, f"cannot be read: {error.strerror}", "check the folder's permissions")
            return
        for entry in entries:
            path = f"{name}/{entry.name}"
            if entry.name.startswith("."):
                continue
            if not _is_text(entry.name):
                self.error(repr(path)[1:-1], "the name is not UTF-8", "rename the file")
            elif entry.is_symlink() and not inside(entry.path, real_folder):
                self.error(path, f"the link leads out of {CONTENT}/", "copy the file instead")
            elif entry.is_dir(follow_symlinks=False):
                self._walk(entry.path, path, real_folder, names)
            elif os.path.isfile(entry.path):
                names.append(path)
            elif os.path.isdir(entry.path):
                self.error(path, "a folder that is a link is not read", "copy the folder instead")
            else:
                self.error(path, "neither a file nor a folder", "delete it")

    def document(self, path: str, kind: type[T]) -> Document[T] | None:
        """Read a Markdown file whose front matter is a `kind`; None where it has faults."""
        text = self.text(path)
        if text is None:
            return None
        # What stands below the front matter has no part in what it says.
        front = _FRONT_MATTER.match(text)
        record = self._record(_document, front[0] if front else text, path, kind)
        if record is None:
            return None
        source = Source(path, text[front.end() if front else 0 :], record.line)
        return Document(record.value, source, record.node)

    def value(self, path: str, kind: type[T]) -> tuple[T | None, Node]:
        """Read a YAML file that holds a `kind`; None where it has faults. The node is its text."""
        text = self.text(path)
        record = None if text is None else self._record(_mapping, text, path, kind)
        return (record.value, unpacked(record.node)) if record else (None, NOTHING)

    def values(self, path: str, kind: type[T]) -> tuple[list[T], Node]:
        """Read a YAML file that holds a list of `kind`; empty where it has faults."""
        text = self.text(path)
        record = None if text is None else self._record(_list, text, path, list[kind])  # type: ignore[valid-type]
        return (record.value, unpacked(record.node)) if record else ([], NOTHING)

    def _record(
        self, split: "Callable[[str, str], _Parts]", text: str, path: str, kind: type[V]
    ) -> "_Record[V] | None":
        """Give what a text holds; None where it has faults, which are not remembered."""
        key = self._memo.key("source", split.__name__, str(kind), path, text)
        record = self._memo.get(key, _Record[kind])  # type: ignore[valid-type]
        if record is not None:
            self.notices += record.notices
            return record
        try:
            node, line = split(text, path)
        except ContentError as error:
            self.errors.append(error)
            return None
        result = validation.convert(node, kind, path)
        self.errors += result.errors
        self.notices += result.notices
        if result.value is None:
            return None
        packed = Raw(msgpack.encode(node))
        record = _Record(result.value, packed, line, result.notices)
        self._memo.put(key, record)
        return record

    def bytes(self, path: str) -> bytes:
        """Read a file as it is; empty where it cannot be read."""
        try:
            with open(os.path.join(self._root, path), "rb") as file:
                return file.read()
        except OSError as error:
            self.error(path, f"cannot be read: {error.strerror}", "check the file's permissions")
            return b""

    def error(self, path: str, message: str, hint: str | None) -> None:
        """Remember a fault of a whole file."""
        self.errors.append(ContentError(message, source=path, line=1, column=1, hint=hint))

    def text(self, path: str) -> str | None:
        """Give a file's text with LF line ends and no byte order mark; None where it has faults."""
        faults = len(self.errors)
        data = self.bytes(path)
        if len(self.errors) > faults:
            return None
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            before = data[: error.start]
            self.errors.append(
                ContentError(
                    f"not UTF-8: the byte 0x{data[error.start]:02X}",
                    source=path,
                    line=before.count(b"\n") + 1,
                    column=error.start - (before.rfind(b"\n") + 1) + 1,
                    hint="save the file as UTF-8",
                )
            )
            return None
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        forbidden = FORBIDDEN.search(text)
        if forbidden is None:
            return text
        before_it = text[: forbidden.start()]
        self.errors.append(
            ContentError(
                f"the character U+{ord(forbidden[0]):04X} may not stand in a text",
                source=path,
                line=before_it.count("\n") + 1,
                column=forbidden.start() - before_it.rfind("\n"),
                hint="delete it; it may be invisible in the editor",
            )
        )
        return None


_Parts = tuple[Node, int]
"""A text taken apart: its node, and the line on which its Markdown starts."""


class _Record(Struct, Generic[V], frozen=True, array_like=True):
    """A text that was read: its value, its node, where its Markdown starts, what is to be said."""

    value: V
    node: Raw
    line: int
    notices: tuple[Notice, ...]


def _document(text: str, path: str) -> _Parts:
    node, source = frontmatter.split(text, path)
    return node, source.line


def _mapping(text: str, path: str) -> _Parts:
    return frontmatter.parse(text, path) or NOTHING, 1


def _list(text: str, path: str) -> _Parts:
    return frontmatter.parse(text, path) or Items((), 1, 1), 1


def unpacked(node: Raw) -> Node:
    """Give the node of a document or a file of data, where a fault in it is to be told."""
    return msgpack.decode(node, type=Node)


def read_files(root: str, paths: Mapping[str, str]) -> dict[str, bytes]:
    """Read files below the folder `root`; raise SiteErrors naming those that cannot be read."""
    reader = SourceReader(root)
    files = {name: reader.bytes(path) for name, path in sorted(paths.items())}
    if reader.errors:
        raise SiteErrors(reader.errors)
    return files


def find_links(root: str, links: Iterable[str]) -> dict[str, tuple[str, int, int]]:
    """
    Give the file, line and column of each link that a file below `content/` has as it is written.

    The files are those of a site that was read without a fault.
    """
    reader = SourceReader(root)
    left = {link: re.compile(re.escape(link) + _END_OF_LINK) for link in links}
    found: dict[str, tuple[str, int, int]] = {}
    for path in reader.list_files():
        if not left or not path.endswith((".md", ".yaml")):
            continue
        text = reader.bytes(path).decode("utf-8", "replace")
        for link, pattern in list(left.items()):
            match = pattern.search(text)
            if match:
                before = text[: match.start()]
                found[link] = (path, before.count("\n") + 1, match.start() - before.rfind("\n"))
                del left[link]
    return found


def _is_text(name: str) -> bool:
    """Tell whether a file's name is Unicode; the system gives other bytes as lone surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def inside(path: str, folder: str) -> bool:
    """Tell whether a path lies in a folder once every link is followed."""
    real = os.path.realpath(folder)
    return os.path.commonpath([os.path.realpath(path), real]) == real


def _count(files: int) -> str:
    return "no file" if not files else f"{files} file{'s' if files > 1 else ''}"
