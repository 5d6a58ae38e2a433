"""
Everything that is published: `load` gives it, or every fault of the folder at once.

Drafts and future dates are taken out here, once, before any list is made, so that no later stage
can publish them. Every text and data file below `content/` is read or refused by name.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from difflib import get_close_matches
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Raw, Struct, structs

from batcher_site import crosschecks, routes
from batcher_site.errors import SiteErrors
from batcher_site.memo import Memo
from batcher_site.model import (
    ALWAYS,
    About,
    AboutMeta,
    Content,
    LeftOut,
    Note,
    NoteFile,
    Now,
    PartialDate,
    Project,
    ProjectMeta,
    PullRequest,
    ResumeExtras,
    Selection,
    Site,
    Source,
    Station,
    Writing,
    WritingMeta,
)
from batcher_site.nodes import Node
from batcher_site.sources import NOTHING, Document, SourceReader, unpacked
from batcher_site.urls import (
    ABOUT,
    EXPERIENCE,
    NOTES,
    NOW,
    OPEN_SOURCE,
    PROJECTS,
    RESUME,
    SETTINGS,
    WRITING,
    slugify,
)

T = TypeVar("T", bound=Struct)

_SINGLE_FILES = (SETTINGS, ABOUT, NOW, EXPERIENCE, OPEN_SOURCE, RESUME, NOTES)
_READ_SUFFIXES = (".md", ".markdown", ".yaml", ".yml")
_BUNDLE = "index"
_CHART_FILE = re.compile(r"""^[ \t>]*file:[ \t]*["']?(.+?\.csv)["']?[ \t]*$""", re.MULTILINE)
_PDF_PAGE = re.compile(rb"/Type\s*/Page(?![a-zA-Z])")


def load(root: str, selection: Selection, memo: Memo | None = None) -> Content:
    """
    Read `content/` below the folder `root`; what `memo` knows is not parsed again.

    Raises SiteErrors with all faults of the folder: unreadable files, bad YAML, unknown keys,
    values that do not fit, names that point nowhere, two files for one address.
    """
    reader = SourceReader(root, memo)
    names = reader.list_files()
    site, settings = reader.value(SETTINGS, Site)
    project_files = _documents(reader, names, PROJECTS, ProjectMeta)
    writing_files = _documents(reader, names, WRITING, WritingMeta)
    about = reader.document(ABOUT, AboutMeta) if ABOUT in names else None
    now = reader.value(NOW, Now)[0] if NOW in names else None
    stations = reader.values(EXPERIENCE, Station)[0] if EXPERIENCE in names else []
    pull_requests, requests_node = _list(reader, names, OPEN_SOURCE, PullRequest)
    notes, notes_node = _list(reader, names, NOTES, Note)
    resume = reader.value(RESUME, ResumeExtras)[0] if RESUME in names else None
    note_files = tuple(_note_files(reader, notes, notes_node, names))
    _refuse_unread(reader, names)
    if site is None:
        raise SiteErrors(reader.errors)

    zone = _zone(reader, site, settings)
    today = selection.day or selection.now.astimezone(zone).date()
    gate = _PublicationFilter(selection, today)
    projects = [
        Project(slug=slug, meta=item.meta, source=_with_tables(item.source, names, reader))
        for slug, item in _by_slug(reader, project_files)
        if gate.lets_through(item.source.path, item.meta.date, draft=item.meta.draft)
    ]
    writings = [
        Writing(slug=slug, meta=item.meta, source=_with_tables(item.source, names, reader))
        for slug, item in _by_slug(reader, writing_files)
        if gate.lets_through(item.source.path, item.meta.date, draft=item.meta.draft)
    ]
    known_projects = _project_names(names, projects, gate.left_out)
    packed = {item.source.path: item.node for item in project_files}
    nodes = _Nodes(packed | {item.source.path: item.node for item in writing_files})
    reader.errors += [
        *crosschecks.section_faults(SETTINGS, site, settings),
        *crosschecks.result_faults(SETTINGS, site, settings, known_projects),
        *crosschecks.headline_faults(projects, nodes),
        *crosschecks.writing_faults(writings, known_projects, nodes),
        *crosschecks.cover_faults(projects, nodes, names),
        *crosschecks.slug_faults(projects, {*map(routes.pull_request_id, pull_requests)}),
        *crosschecks.pull_request_faults(OPEN_SOURCE, pull_requests, requests_node),
    ]
    if reader.errors:
        raise SiteErrors(reader.errors)
    return Content(
        site=site,
        projects=tuple(sorted(projects, key=_project_order)),
        writings=tuple(sorted(writings, key=_writing_order)),
        about=About(meta=about.meta, source=about.source) if about else None,
        now=now,
        stations=tuple(stations),
        pull_requests=tuple(
            item
            for item in pull_requests
            if gate.lets_through(f"{OPEN_SOURCE}: #{item.number}", item.month, draft=False)
        ),
        notes=note_files,
        resume=resume or ResumeExtras(),
        files=frozenset(path for path in names if not path.endswith(_READ_SUFFIXES)),
        left_out=tuple(sorted(gate.left_out)),
        notices=tuple(sorted(reader.notices)),
        same_between=ALWAYS if selection.day else gate.same_between(zone),
    )


def _with_tables(source: Source, names: Sequence[str], reader: SourceReader) -> Source:
    """Read the CSV files that the charts of a text draw, so that they are a part of it."""
    if "chart" not in source.text:
        return source
    folder = posixpath.dirname(source.path)
    named = {
        posixpath.normpath(posixpath.join(folder, match[1]))
        for match in _CHART_FILE.finditer(source.text)
    }
    tables = {path: reader.text(path) or "" for path in sorted(named.intersection(names))}
    return structs.replace(source, tables=tables)


class _Nodes(Mapping[str, Node]):
    """Nodes by their files, unpacked when a fault needs its place."""

    def __init__(self, packed: Mapping[str, Raw]) -> None:
        self._packed = packed

    def __getitem__(self, path: str) -> Node:
        return unpacked(self._packed[path])

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def _documents(
    reader: SourceReader, names: Iterable[str], folder: str, kind: type[T]
) -> list[Document[T]]:
    paths = [path for path in names if _is_text_of(path, folder)]
    return [item for path in paths if (item := reader.document(path, kind)) is not None]


def _is_text_of(path: str, folder: str) -> bool:
    """Tell whether a path is `FOLDER/x.md` or `FOLDER/x/index.md`."""
    parent, name = posixpath.split(path)
    if not name.endswith(".md"):
        return False
    return parent == folder or (posixpath.dirname(parent) == folder and name == f"{_BUNDLE}.md")


def _list(
    reader: SourceReader, names: Iterable[str], path: str, kind: type[T]
) -> tuple[list[T], Node]:
    return reader.values(path, kind) if path in names else ([], NOTHING)


def _note_files(
    reader: SourceReader, notes: Iterable[Note], node: Node, names: Sequence[str]
) -> Iterable[NoteFile]:
    """Find the PDF of each note."""
    folder = posixpath.dirname(NOTES)
    for number, note in enumerate(notes):
        path = posixpath.normpath(posixpath.join(folder, note.file))
        if path in names and path.endswith(".pdf"):
            data = reader.bytes(path)
            pages = len(_PDF_PAGE.findall(data)) or None
            yield NoteFile(note=note, path=path, size=len(data), pages=pages)
            continue
        files = [posixpath.basename(name) for name in names if name.endswith(".pdf")]
        hint = crosschecks.nearest(note.file, files, f"put the file into {folder}/")
        message = f'there is no PDF "{note.file}" beside the notes'
        reader.errors.append(crosschecks.fault(NOTES, node, message, hint, number, "file"))


def _refuse_unread(reader: SourceReader, names: Iterable[str]) -> None:
    """Name every text or data file that no rule reads, so that none vanishes in silence."""
    folders = (PROJECTS, WRITING)
    for path in names:
        read = path in _SINGLE_FILES or any(_is_text_of(path, folder) for folder in folders)
        if read or not path.lower().endswith(_READ_SUFFIXES):
            continue
        near = get_close_matches(path, _SINGLE_FILES, n=1, cutoff=0.75)
        like = get_close_matches(posixpath.dirname(path), folders, n=1, cutoff=0.75)
        guesses = [*near, *(f"{folder}/{posixpath.basename(path)}" for folder in like)]
        hint = next((f"did you mean {guess}?" for guess in guesses if guess != path), None)
        known = f"texts lie in {PROJECTS}/ and {WRITING}/, data in {', '.join(_SINGLE_FILES)}"
        reader.error(path, "nothing reads this file", hint or known)


def _zone(reader: SourceReader, site: Site, settings: Node) -> tzinfo:
    """Give the zone in which the site's days begin."""
    try:
        return ZoneInfo(site.timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        message = f'there is no time zone "{site.timezone}"'
        hint = 'write a name such as "Europe/Berlin" or "UTC"'
        reader.errors.append(crosschecks.fault(SETTINGS, settings, message, hint, "timezone"))
        return UTC


def _by_slug(
    reader: SourceReader, documents: Iterable[Document[T]]
) -> list[tuple[str, Document[T]]]:
    """Pair each document with its slug; two for one address, or none, are errors."""
    found: dict[str, Document[T]] = {}
    for document in documents:
        path = document.source.path
        slug = _slug(path)
        if not slug:
            reader.error(path, "the file's name gives no address", "rename it: letters and digits")
        elif slug in found:
            other = found[slug].source.path
            message = f'this file and {other} both claim the address "{slug}"'
            reader.error(path, message, "rename one of the two")
        else:
            found[slug] = document
    return list(found.items())


def _slug(path: str) -> str:
    """Give the slug of `FOLDER/x.md` or `FOLDER/x/index.md`; empty where the name gives none."""
    parent, name = posixpath.split(path)
    stem = name.removesuffix(".md")
    if stem == _BUNDLE:
        stem = "" if parent in {PROJECTS, WRITING} else posixpath.basename(parent)
    return slugify(stem)


def _project_names(
    names: Iterable[str], projects: Iterable[Project], left_out: Iterable[LeftOut]
) -> crosschecks.ProjectNames:
    published = frozenset(project.slug for project in projects)
    held_back = {
        _slug(item.source): item.reason for item in left_out if _is_text_of(item.source, PROJECTS)
    }
    every = {_slug(path) for path in names if _is_text_of(path, PROJECTS)}
    return crosschecks.ProjectNames(
        published, held_back, frozenset(every) - published - held_back.keys()
    )


class _PublicationFilter:
    """Holds back drafts and what lies in the future, and remembers what it held back."""

    def __init__(self, selection: Selection, today: date) -> None:
        self._selection = selection
        self._today = today
        self._first = date.min
        self._last = date.max
        self.left_out: list[LeftOut] = []

    def lets_through(self, path: str, day: PartialDate | None, *, draft: bool) -> bool:
        if draft and not self._selection.drafts:
            self.left_out.append(LeftOut(path, "draft"))
            return False
        if day is None or self._selection.future:
            return True
        if day.first_day > self._today:
            # Tomorrow it is a day less.
            self._first = self._last = self._today
            days = (day.first_day - self._today) // timedelta(days=1)
            reason = f"dated {day}, {days} day{'' if days == 1 else 's'} ahead"
            self.left_out.append(LeftOut(path, reason))
            return False
        self._first = max(self._first, day.first_day)
        return True

    def same_between(self, zone: tzinfo) -> tuple[float, float]:
        """Give the moments at which what was let through, and what was said of it, changes."""
        begin, end = ALWAYS
        if self._first > date.min:
            begin = datetime.combine(self._first, time.min, zone).timestamp()
        if self._last < date.max:
            end = datetime.combine(self._last + timedelta(days=1), time.min, zone).timestamp()
        return begin, end


def _project_order(project: Project) -> tuple[bool, int, int, str]:
    meta = project.meta
    day = meta.date.first_day.toordinal() if meta.date else 0
    return (meta.order is None, meta.order or 0, -day, project.slug)


def _writing_order(writing: Writing) -> tuple[int, str]:
    return (-writing.meta.date.first_day.toordinal(), writing.slug)
