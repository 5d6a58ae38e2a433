"""
Reading the owner's folder: `load` gives everything that is published, or every fault at once.

Drafts and future dates are taken out here, once, before any list is made, so that no later stage
can publish them. Every file below `content/` is either read, offered to links, or refused by name.
"""

import os
import posixpath
import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from difflib import get_close_matches
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

from batcher_site.errors import ContentError, SiteErrors
from batcher_site.frontmatter import Entries, Node, convert, locate, parse, split
from batcher_site.model import (
    About,
    AboutMeta,
    Content,
    LeftOut,
    Note,
    NoteFile,
    Notice,
    Now,
    PartialDate,
    Project,
    ProjectMeta,
    PullRequest,
    SECTION_TITLES,
    ResumeExtras,
    Selection,
    Site,
    Source,
    Station,
    Writing,
    WritingMeta,
)
from batcher_site.urls import CONTENT, slugify

T = TypeVar("T", bound=Struct)

_PLACEHOLDER = re.compile(r"\{([a-z_]*)\}")
PLACEHOLDERS = ("projects", "open_prs")

_SETTINGS = f"{CONTENT}/site.yaml"
_ABOUT = f"{CONTENT}/about.md"
_NOW = f"{CONTENT}/now.yaml"
_EXPERIENCE = f"{CONTENT}/experience.yaml"
_OPEN_SOURCE = f"{CONTENT}/open_source.yaml"
_RESUME = f"{CONTENT}/resume.yaml"
_NOTES = f"{CONTENT}/notes/notes.yaml"
_SINGLE_FILES = (_SETTINGS, _ABOUT, _NOW, _EXPERIENCE, _OPEN_SOURCE, _RESUME, _NOTES)
_FOLDERS = (f"{CONTENT}/projects", f"{CONTENT}/writing")
_READ_SUFFIXES = (".md", ".markdown", ".yaml", ".yml")
_PDF_PAGE = re.compile(rb"/Type\s*/Page(?![a-zA-Z])")


def load(root: str, selection: Selection) -> Content:
    """
    Read `content/` below the folder `root`.

    Raises SiteErrors with all faults of the folder: unreadable files, bad YAML, unknown keys,
    values that do not fit, names that point nowhere, two files for one address.
    """
    reader = _Reader(root)
    names = reader.list_files()
    site, settings = reader.data(_SETTINGS, Site)
    projects = [reader.text(path, ProjectMeta) for path in names if _is_text_of(path, "projects")]
    writings = [reader.text(path, WritingMeta) for path in names if _is_text_of(path, "writing")]
    about = reader.text(_ABOUT, AboutMeta) if _ABOUT in names else None
    now, _ = reader.data(_NOW, Now)
    stations, _ = reader.data_list(_EXPERIENCE, Station)
    pull_requests, pull_request_nodes = reader.data_list(_OPEN_SOURCE, PullRequest)
    notes, note_nodes = reader.data_list(_NOTES, Note)
    resume, _ = reader.data(_RESUME, ResumeExtras)
    reader.refuse_unread(names)
    if site is None or settings is None:
        raise SiteErrors(reader.errors)

    gate = _Gate(selection, reader.today(site, settings, selection))
    published_projects = tuple(
        Project(slug=slug, meta=item.meta, source=item.source)
        for slug, item in reader.by_slug(projects)
        if gate.lets_through(item.source.path, item.meta.draft, item.meta.date)
    )
    published_writings = tuple(
        Writing(slug=slug, meta=item.meta, source=item.source)
        for slug, item in reader.by_slug(writings)
        if gate.lets_through(item.source.path, item.meta.draft, item.meta.date)
    )
    published_requests = tuple(
        item
        for item in pull_requests
        if gate.lets_through(f"{_OPEN_SOURCE}: #{item.number}", draft=False, day=item.month)
    )
    note_files = reader.note_files(notes, note_nodes, names)
    documents = {item.source.path: item.node for item in (*projects, *writings) if item}
    reader.errors += [
        *_section_errors(site, settings),
        *_result_errors(site, settings, published_projects),
        *_headline_errors(published_projects, documents),
        *_project_name_errors(published_writings, published_projects, documents),
        *_repeated_requests(pull_requests, pull_request_nodes),
        *_cover_errors(published_projects, documents, names),
    ]
    if reader.errors:
        raise SiteErrors(reader.errors)
    return Content(
        site=site,
        projects=tuple(sorted(published_projects, key=_project_order)),
        writings=tuple(sorted(published_writings, key=_writing_order)),
        about=About(meta=about.meta, source=about.source) if about else None,
        now=now,
        stations=tuple(stations),
        pull_requests=published_requests,
        notes=note_files,
        resume=resume or ResumeExtras(),
        files=frozenset(path for path in names if not path.endswith(_READ_SUFFIXES)),
        left_out=tuple(sorted(gate.left_out)),
        notices=tuple(sorted(reader.notices)),
    )


def read_files(root: str, paths: Mapping[str, str]) -> dict[str, bytes]:
    """Read files below the folder `root`; raise SiteErrors naming those that cannot be read."""
    files, errors = {}, []
    for name, path in sorted(paths.items()):
        try:
            with open(os.path.join(root, path), "rb") as file:
                files[name] = file.read()
        except OSError as error:
            message = f"cannot be read: {error.strerror}"
            errors.append(ContentError(message, source=path, hint="check its permissions"))
    if errors:
        raise SiteErrors(errors)
    return files


class _Document(Struct, frozen=True):
    """A Markdown file whose front matter fits its model."""

    meta: AboutMeta | ProjectMeta | WritingMeta
    source: Source
    node: Entries


class _Reader:
    """Reads files below one folder and keeps what is wrong with them."""

    def __init__(self, root: str) -> None:
        self._root = root
        self.errors: list[ContentError] = []
        self.notices: list[Notice] = []

    def list_files(self) -> frozenset[str]:
        """Give every file below `content/`, by its path from the root; hidden ones are not seen."""
        folder = os.path.join(self._root, CONTENT)
        if not os.path.isdir(folder):
            raise ContentError(
                f'there is no folder "{CONTENT}" in {self._root}',
                source=CONTENT,
                hint='name the site\'s folder with --source, or make one with "batcher new DIR"',
            )
        names: set[str] = set()
        real_folder = os.path.realpath(folder)
        self._walk(folder, CONTENT, real_folder, names)
        if _SETTINGS not in names:
            raise SiteErrors(
                [
                    ContentError(
                        "there is no settings file",
                        source=_SETTINGS,
                        hint=f'looked in {folder}; it needs at least "title" and "owner"',
                    )
                ]
            )
        return frozenset(names)

    def _walk(self, folder: str, name: str, real_folder: str, names: set[str]) -> None:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda item: item.name):
                path = f"{name}/{entry.name}"
                if entry.name.startswith("."):
                    continue
                if entry.is_symlink() and not _inside(os.path.realpath(entry.path), real_folder):
                    self._error(path, f"the link leads out of {CONTENT}/", "copy the file instead")
                elif entry.is_dir():
                    if not entry.is_symlink():
                        self._walk(entry.path, path, real_folder, names)
                elif entry.is_file():
                    names.add(path)
                else:
                    self._error(path, "neither a file nor a folder", "delete it")

    def read(self, path: str) -> str | None:
        """Give a file's text with LF line ends and no byte order mark; None where it cannot be."""
        try:
            with open(os.path.join(self._root, path), "rb") as file:
                data = file.read()
        except OSError as error:
            self._error(path, f"cannot be read: {error.strerror}", "check the file's permissions")
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
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def text(self, path: str, kind: type[AboutMeta | ProjectMeta | WritingMeta]) -> _Document | None:
        """Read a Markdown file with a front matter of the given kind."""
        text = self.read(path)
        if text is None:
            return None
        try:
            node, source = split(text, path)
        except ContentError as error:
            self.errors.append(error)
            return None
        meta = self._convert(node, kind, path)
        return None if meta is None else _Document(meta, source, node)

    def data(self, path: str, kind: type[T]) -> tuple[T | None, Node | None]:
        """Read a YAML file that holds one value; nothing where there is no such file."""
        node = self._node(path)
        return (None, None) if node is None else (self._convert(node, kind, path), node)

    def data_list(self, path: str, kind: type[T]) -> tuple[list[T], Node | None]:
        """Read a YAML file that holds a list; nothing where there is no such file."""
        node = self._node(path)
        if node is None:
            return [], None
        return self._convert(node, list[kind], path) or [], node  # type: ignore[valid-type]

    def _node(self, path: str) -> Node | None:
        if not os.path.isfile(os.path.join(self._root, path)):
            return None
        text = self.read(path)
        if text is None:
            return None
        try:
            return parse(text, path) or Entries((), 1, 1) if path == _SETTINGS else parse(text, path)
        except ContentError as error:
            self.errors.append(error)
            return None

    def _convert(self, node: Node, kind: type[T], path: str) -> T | None:
        result = convert(node, kind, path)
        self.errors += result.errors
        self.notices += result.notices
        return result.value

    def refuse_unread(self, names: Iterable[str]) -> None:
        """Name every text or data file that no rule reads, so that none vanishes in silence."""
        for path in names:
            read = path in _SINGLE_FILES or any(_is_text_of(path, part) for part in ("projects", "writing"))
            if read or not path.endswith(_READ_SUFFIXES):
                continue
            near = get_close_matches(path, _SINGLE_FILES, n=1, cutoff=0.75)
            folder = get_close_matches(posixpath.dirname(path), _FOLDERS, n=1, cutoff=0.75)
            guess = near[0] if near else f"{folder[0]}/{posixpath.basename(path)}" if folder else ""
            self._error(
                path,
                "nothing reads this file",
                f"did you mean {guess}?"
                if guess and guess != path
                else f"texts lie in {' or '.join(_FOLDERS)}, data in {', '.join(_SINGLE_FILES)}",
            )

    def today(self, site: Site, settings: Node, selection: Selection) -> date:
        """Give the day that counts as today in the site's zone."""
        if selection.day is not None:
            return selection.day
        try:
            return selection.now.astimezone(ZoneInfo(site.timezone)).date()
        except (ZoneInfoNotFoundError, ValueError, OSError):
            line, column = locate(settings, "timezone")
            self.errors.append(
                ContentError(
                    f'there is no time zone "{site.timezone}"',
                    source=_SETTINGS,
                    line=line,
                    column=column,
                    hint='write a name such as "Europe/Berlin" or "UTC"',
                )
            )
            return selection.now.date()

    def by_slug(self, documents: Iterable[_Document | None]) -> list[tuple[str, _Document]]:
        """Pair each document with its slug; two for one address, or none, are errors."""
        found: dict[str, _Document] = {}
        for document in documents:
            if document is None:
                continue
            path = document.source.path
            slug = slugify(_stem(path))
            if not slug or path.count("/") == 2 and _stem(path) == "index":  # noqa: PLR2004 -- content/x/index.md
                self._error(path, "the file's name gives no address", "use letters or digits")
            elif slug in found:
                other = found[slug].source.path
                self._error(
                    path,
                    f'this file and {other} both claim the address "{slug}"',
                    "rename one of the two",
                )
            else:
                found[slug] = document
        return list(found.items())

    def note_files(
        self, notes: list[Note], nodes: Node | None, names: frozenset[str]
    ) -> tuple[NoteFile, ...]:
        """Find the PDF of each note."""
        found = []
        for number, note in enumerate(notes):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(_NOTES), note.file))
            if path not in names or not path.endswith(".pdf"):
                line, column = locate(nodes, number, "file") if nodes else (1, 1)
                self.errors.append(
                    ContentError(
                        f'there is no PDF "{note.file}" beside the notes',
                        source=_NOTES,
                        line=line,
                        column=column,
                        hint=_nearest(path, (name for name in names if name.endswith(".pdf"))),
                    )
                )
                continue
            with open(os.path.join(self._root, path), "rb") as file:
                data = file.read()
            pages = len(_PDF_PAGE.findall(data)) or None
            found.append(NoteFile(note=note, path=path, size=len(data), pages=pages))
        return tuple(found)

    def _error(self, path: str, message: str, hint: str) -> None:
        self.errors.append(ContentError(message, source=path, hint=hint))


class _Gate:
    """Holds back drafts and what lies in the future, and remembers what it held back."""

    def __init__(self, selection: Selection, today: date) -> None:
        self._selection = selection
        self._today = today
        self.left_out: list[LeftOut] = []

    def lets_through(self, path: str, draft: bool, day: PartialDate | None) -> bool:  # noqa: FBT001
        if draft and not self._selection.drafts:
            self.left_out.append(LeftOut(path, "draft"))
            return False
        if day is not None and day.first_day > self._today and not self._selection.future:
            days = (day.first_day - self._today) // timedelta(days=1)
            self.left_out.append(LeftOut(path, f"{day} is {days} day{'s'[: days != 1]} ahead"))
            return False
        return True


def _is_text_of(path: str, folder: str) -> bool:
    """Tell whether a path is `content/FOLDER/x.md` or `content/FOLDER/x/index.md`."""
    parts = path.split("/")
    if parts[:2] != [CONTENT, folder] or not parts[-1].endswith(".md"):
        return False
    return len(parts) == 3 or (len(parts) == 4 and parts[3] == "index.md")  # noqa: PLR2004


def _stem(path: str) -> str:
    parts = path.split("/")
    return parts[2] if len(parts) == 4 else parts[-1].removesuffix(".md")  # noqa: PLR2004


def _inside(path: str, folder: str) -> bool:
    return os.path.commonpath([path, folder]) == folder


def _nearest(path: str, names: Iterable[str]) -> str | None:
    near = get_close_matches(path, list(names), n=1)
    return f'did you mean "{posixpath.basename(near[0])}"?' if near else None


def _project_order(project: Project) -> tuple[bool, int, int, str]:
    meta = project.meta
    day = meta.date.first_day.toordinal() if meta.date else 0
    return (meta.order is None, meta.order or 0, -day, project.slug)


def _writing_order(writing: Writing) -> tuple[int, str]:
    return (-writing.meta.date.first_day.toordinal(), writing.slug)


def _at(path: str, node: Node, message: str, hint: str | None, *steps: str | int) -> ContentError:
    line, column = locate(node, *steps)
    return ContentError(message, source=path, line=line, column=column, hint=hint)


def _section_errors(site: Site, settings: Node) -> list[ContentError]:
    errors = []
    seen: set[str] = set()
    for number, section in enumerate(site.sections):
        steps = ("sections", number, "id")
        if section.id not in SECTION_TITLES:
            near = get_close_matches(section.id, SECTION_TITLES, n=1)
            hint = f'did you mean "{near[0]}"?' if near else f"one of {', '.join(SECTION_TITLES)}"
            message = f'there is no section "{section.id}"'
            errors.append(_at(_SETTINGS, settings, message, hint, *steps))
        if section.id in seen:
            message = f'the section "{section.id}" stands here twice'
            errors.append(_at(_SETTINGS, settings, message, "keep one of the two", *steps))
        for name in _PLACEHOLDER.findall(section.intro or ""):
            if name not in PLACEHOLDERS:
                message = f"{{{name}}} in the intro stands for nothing"
                hint = f"known: {', '.join(f'{{{known}}}' for known in PLACEHOLDERS)}"
                errors.append(_at(_SETTINGS, settings, message, hint, *steps[:2], "intro"))
        seen.add(section.id)
    return errors


def _result_errors(site: Site, settings: Node, projects: Iterable[Project]) -> list[ContentError]:
    slugs = {project.slug for project in projects}
    return [
        _unknown_project(
            _SETTINGS, settings, result.project, slugs, "measured_results", number, "project"
        )
        for number, result in enumerate(site.measured_results)
        if result.project not in slugs
    ]


def _unknown_project(
    path: str, node: Node, slug: str, slugs: set[str], *steps: str | int
) -> ContentError:
    near = get_close_matches(slug, slugs, n=1)
    hint = f'did you mean "{near[0]}"?' if near else f"files in {CONTENT}/projects/ name projects"
    return _at(path, node, f'there is no published project "{slug}"', hint, *steps)


def _headline_errors(
    projects: Iterable[Project], documents: Mapping[str, Node]
) -> list[ContentError]:
    errors = []
    for project in projects:
        labels = [metric.label for metric in project.meta.metrics]
        headline = project.meta.headline
        if headline is not None and headline not in labels:
            near = get_close_matches(headline, labels, n=1)
            hint = f'did you mean "{near[0]}"?' if near else "it must be the label of a metric"
            node = documents[project.source.path]
            message = f'no metric has the label "{headline}"'
            errors.append(_at(project.source.path, node, message, hint, "headline"))
    return errors


def _project_name_errors(
    writings: Iterable[Writing], projects: Iterable[Project], documents: Mapping[str, Node]
) -> list[ContentError]:
    slugs = {project.slug for project in projects}
    return [
        _unknown_project(
            writing.source.path,
            documents[writing.source.path],
            writing.meta.project,
            slugs,
            "project",
        )
        for writing in writings
        if writing.meta.project is not None and writing.meta.project not in slugs
    ]


def _repeated_requests(
    pull_requests: Iterable[PullRequest], nodes: Node | None
) -> list[ContentError]:
    errors = []
    seen: set[tuple[str, int]] = set()
    for number, item in enumerate(pull_requests):
        key = (slugify(item.repository), item.number)
        if key in seen and nodes is not None:
            message = f"{item.repository} #{item.number} stands here twice"
            errors.append(_at(_OPEN_SOURCE, nodes, message, "keep one of the two", number, "number"))
        seen.add(key)
    return errors


def _cover_errors(
    projects: Iterable[Project], documents: Mapping[str, Node], names: frozenset[str]
) -> list[ContentError]:
    errors = []
    for project in projects:
        path, meta, node = project.source.path, project.meta, documents[project.source.path]
        if meta.cover is None:
            continue
        cover = posixpath.normpath(posixpath.join(posixpath.dirname(path), meta.cover))
        if cover not in names:
            hint = _nearest(cover, names)
            errors.append(_at(path, node, f'there is no picture "{meta.cover}"', hint, "cover"))
        if meta.alt is None:
            hint = 'add "alt: …" with what the picture shows'
            errors.append(_at(path, node, "the cover has no text for its picture", hint, "cover"))
    return errors


