"""
What must hold between the owner's files: names that point to each other, and names used once.

Pure: each function takes values with the nodes that they came from and gives the faults, each at
the line of the name that is wrong.
"""

import posixpath
import re
from collections.abc import Container, Iterable, Mapping
from difflib import get_close_matches

from msgspec import Struct

from batcher_site.errors import ContentError
from batcher_site.model import SECTION_TITLES, Project, PullRequest, Site, Writing
from batcher_site.nodes import Node, locate
from batcher_site.urls import CONTENT, slugify

PLACEHOLDERS = ("projects", "open_prs")
"""The counts that a section's intro may name in braces."""

_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".svg")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def fault(path: str, node: Node, message: str, hint: str | None, *steps: str | int) -> ContentError:
    """Give a fault at the place in `node` that `steps` lead to."""
    line, column = locate(node, *steps)
    return ContentError(message, source=path, line=line, column=column, hint=hint)


def nearest(name: str, names: Iterable[str], otherwise: str | None = None) -> str | None:
    """Give the hint that offers the name most like `name`."""
    near = get_close_matches(name, list(names), n=1)
    return f'did you mean "{near[0]}"?' if near else otherwise


def section_faults(path: str, site: Site, settings: Node) -> Iterable[ContentError]:
    """Sections must be known, stand once, have the first, and name only counts that there are."""
    seen: set[str] = set()
    if site.sections and all(section.id != "top" for section in site.sections):
        message = 'the section "top" is missing, which has the page\'s title'
        yield fault(path, settings, message, 'add "- {id: top, title: Top}"', "sections")
    for number, section in enumerate(site.sections):
        steps = ("sections", number)
        if section.id not in SECTION_TITLES:
            hint = nearest(section.id, SECTION_TITLES, f"one of {', '.join(SECTION_TITLES)}")
            message = f'there is no section "{section.id}"'
            yield fault(path, settings, message, hint, *steps, "id")
        if section.id in seen:
            message = f'the section "{section.id}" stands here twice'
            yield fault(path, settings, message, "keep one of the two", *steps, "id")
        seen.add(section.id)
        for name in _PLACEHOLDER.findall(section.intro or ""):
            if name not in PLACEHOLDERS:
                message = f"{{{name}}} in the intro stands for nothing"
                hint = f"known: {', '.join(f'{{{known}}}' for known in PLACEHOLDERS)}"
                yield fault(path, settings, message, hint, *steps, "intro")


class ProjectNames(Struct, frozen=True):
    """Which projects there are: published, held back with the reason, and with faults of theirs."""

    published: frozenset[str]
    held_back: Mapping[str, str]
    faulty: frozenset[str]


def result_faults(
    path: str, site: Site, settings: Node, projects: ProjectNames
) -> Iterable[ContentError]:
    """A measured result names a published project."""
    for number, result in enumerate(site.measured_results):
        steps = ("measured_results", number, "project")
        yield from _project_faults(path, settings, result.project, projects, *steps)


def writing_faults(
    writings: Iterable[Writing], projects: ProjectNames, documents: Mapping[str, Node]
) -> Iterable[ContentError]:
    """A write-up that names a project names a published one."""
    for writing in writings:
        slug, path = writing.meta.project, writing.source.path
        if slug is not None:
            yield from _project_faults(path, documents[path], slug, projects, "project")


def _project_faults(
    path: str, node: Node, slug: str, projects: ProjectNames, *steps: str | int
) -> Iterable[ContentError]:
    # A project whose own file has faults is there once they are mended.
    if slug in projects.published or slug in projects.faulty:
        return
    message = f'there is no published project "{slug}"'
    if slug in projects.held_back:
        hint: str | None = f"it is held back: {projects.held_back[slug]}"
    else:
        known = (*projects.published, *projects.held_back)
        hint = nearest(slug, known, f"files in {CONTENT}/projects/ name projects")
    yield fault(path, node, message, hint, *steps)


def headline_faults(
    projects: Iterable[Project], documents: Mapping[str, Node]
) -> Iterable[ContentError]:
    """A headline is the label of one of the project's metrics."""
    for project in projects:
        labels = [metric.label for metric in project.meta.metrics]
        headline, path = project.meta.headline, project.source.path
        if headline is not None and headline not in labels:
            hint = nearest(headline, labels, "it must be the label of a metric")
            message = f'no metric has the label "{headline}"'
            yield fault(path, documents[path], message, hint, "headline")


def slug_faults(
    projects: Iterable[Project], pull_request_ids: Container[str]
) -> Iterable[ContentError]:
    """A project's slug names its request in the simulation: no pull request's may be the same."""
    for project in projects:
        if project.slug in pull_request_ids:
            message = f'the name "{project.slug}" is that of a pull request'
            yield ContentError(message, source=project.source.path, hint="rename the file")


def cover_faults(
    projects: Iterable[Project], documents: Mapping[str, Node], names: Container[str]
) -> Iterable[ContentError]:
    """A cover is a file of the content, and says in words what it shows."""
    for project in projects:
        meta, path = project.meta, project.source.path
        if meta.cover is None:
            continue
        cover = posixpath.normpath(posixpath.join(posixpath.dirname(path), meta.cover))
        if cover not in names or not cover.lower().endswith(_PICTURES):
            message = f'there is no picture "{meta.cover}"'
            yield fault(path, documents[path], message, f"looked for {cover}", "cover")
        if meta.alt is None:
            hint = 'add "alt: …" with what the picture shows'
            message = "the cover has no text for its picture"
            yield fault(path, documents[path], message, hint, "cover")


def pull_request_faults(
    path: str, pull_requests: Iterable[PullRequest], node: Node
) -> Iterable[ContentError]:
    """A pull request stands in the list once."""
    seen: set[tuple[str, int]] = set()
    for number, item in enumerate(pull_requests):
        key = (slugify(item.repository), item.number)
        if key in seen:
            message = f"{item.repository} #{item.number} stands here twice"
            yield fault(path, node, message, "keep one of the two", number, "number")
        seen.add(key)
