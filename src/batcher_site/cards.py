"""
Things as they stand in lists: the site's frame, projects, write-ups, pull requests, stations.

Each is made once from the content and shown by every page that lists it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar, overload

from msgspec import Struct, structs

from batcher_site import routes, views
from batcher_site.formatting import date_view, fill_counts, metric_view, size_text, span_text
from batcher_site.model import (
    SECTION_TITLES,
    Content,
    Hardware,
    LinkKind,
    OwnerLink,
    Project,
    ProjectLink,
    PullRequest,
    PullRequestStatus,
    SectionSettings,
    Station,
    Status,
    TextFacts,
    Writing,
)
from batcher_site.urls import Base

T = TypeVar("T")

WORDS_PER_MINUTE = 220
"""The reading speed behind the minutes of a write-up."""

_STATUS_TEXTS: dict[Status | PullRequestStatus, str] = {
    Status.DONE: "done",
    Status.IN_PROGRESS: "in progress",
    Status.PLANNED: "planned",
    PullRequestStatus.OPEN: "open",
    PullRequestStatus.IN_REVIEW: "in review",
    PullRequestStatus.MERGED: "merged",
    PullRequestStatus.CLOSED: "closed",
}
_OPEN = (PullRequestStatus.OPEN, PullRequestStatus.IN_REVIEW)
_LINK_LABELS = {
    LinkKind.REPO: "Repo",
    LinkKind.WRITEUP: "Write-up",
    LinkKind.PAPER: "Paper",
    LinkKind.DEMO: "Demo",
    LinkKind.PDF: "PDF",
}


class Cards(Struct, frozen=True, kw_only=True):
    """
    Everything that is listed anywhere, in the order in which it is listed.

    `projects`, `writings` and `pull_requests` run parallel to the lists of the content. `tags` maps
    each spelling of a tag to its site path. A card of a project, and its row of the log, is made
    when it is first looked at: most pages show few.
    """

    site: views.SiteView
    projects: Sequence[views.ProjectCard]
    writings: tuple[views.WritingCard, ...]
    pull_requests: tuple[views.PullRequestView, ...]
    stations: tuple[views.StationView, ...]
    log: Sequence[views.LogRow]
    notes: tuple[views.NoteTopic, ...]
    tags: Mapping[str, str]


class _Lazy(Sequence[T]):
    """A sequence whose items are made when they are first looked at."""

    def __init__(self, count: int, make: Callable[[int], T]) -> None:
        self._items: list[T | None] = [None] * count
        self._make = make

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        item = self._items[place]
        if item is None:
            item = self._items[place] = self._make(place)
        return item


def make(content: Content, texts: Mapping[str, TextFacts], base: Base) -> Cards:
    """Make every card; `texts` maps source paths to what is known of the rendered texts."""
    tags = routes.tags(content)
    language = content.site.language
    projects = _Lazy(
        len(content.projects),
        lambda index: _project(index + 1, content.projects[index], content, tags, base),
    )
    writings = tuple(
        _writing(writing, texts[writing.source.path].words, language, tags, base)
        for writing in content.writings
    )
    pull_requests = tuple(_pull_request(item, language) for item in content.pull_requests)
    rows = [
        _pull_request_row(view, item, content, base)
        for view, item in zip(pull_requests, content.pull_requests, strict=True)
    ]
    return Cards(
        site=_site(content, base),
        projects=projects,
        writings=writings,
        pull_requests=pull_requests,
        stations=tuple(_station(station, language) for station in content.stations),
        log=_Lazy(
            len(projects) + len(pull_requests),
            lambda index: (
                _project_row(projects[index], content.projects[index])
                if index < len(projects)
                else rows[index - len(projects)]
            ),
        ),
        notes=_notes(content, base),
        tags=tags,
    )


def with_paper(made: Cards, base: Base) -> Cards:
    """Give the cards of a site that has its résumé as a PDF, too."""
    site = structs.replace(made.site, resume_pdf=base.href(routes.RESUME_PDF))
    return structs.replace(made, site=site)


def has_content(content: Content, section: str) -> bool:
    """Tell whether a section of the home page has anything to show."""
    things: dict[str, object] = {
        "about": content.about or content.now,
        "work": content.projects or content.pull_requests,
        "experience": content.stations,
        "open-source": content.pull_requests,
        "writing": content.writings,
        "contact": content.site.owner.email or content.site.owner.links,
        "notes": content.notes,
    }
    return bool(things.get(section, True))


def _site(content: Content, base: Base) -> views.SiteView:
    site = content.site
    wordmark = site.wordmark or site.title
    name, space, rest = wordmark.partition(f"{site.owner.name} ")
    is_split = space and not name
    return views.SiteView(
        title=site.title,
        wordmark=wordmark,
        wordmark_name=site.owner.name if is_split else wordmark,
        wordmark_rest=rest if is_split else "",
        language=site.language,
        home=base.href(routes.HOME),
        resume=base.href(routes.RESUME),
        resume_pdf=None,
        manifest=base.href(routes.MANIFEST),
        feed=base.href(routes.FEED),
        writings=base.href(routes.WRITINGS),
        owner=_person(content),
        hardware=_hardware(site.hardware),
        sections=_sections(content, base),
    )


def _person(content: Content) -> views.PersonView:
    owner = content.site.owner
    return views.PersonView(
        name=owner.name,
        role=owner.role,
        pitch=owner.pitch,
        studies=owner.studies,
        graduating=owner.graduating,
        seeking=owner.seeking,
        location=owner.location,
        approach=owner.approach,
        email=owner.email,
        email_href=f"mailto:{owner.email}" if owner.email else None,
        links=tuple(_owner_link(kind, link) for kind, link in owner.links.items()),
    )


def _owner_link(kind: str, link: OwnerLink) -> views.Link:
    return views.Link(label=link.label, href=link.url, kind=kind, external=link.url is not None)


def _hardware(hardware: Hardware | None) -> views.HardwareView | None:
    if hardware is None:
        return None
    chip = (hardware.architecture, hardware.compute_capability)
    rest = (hardware.memory, hardware.cuda)
    inner = " · ".join(part for part in (", ".join(part for part in chip if part), *rest) if part)
    return views.HardwareView(
        gpu=hardware.gpu,
        details=tuple(part for part in (*chip, *rest) if part),
        text=f"{hardware.gpu} ({inner})" if inner else hardware.gpu,
    )


def _sections(content: Content, base: Base) -> tuple[views.SectionView, ...]:
    settings = content.site.sections or [
        SectionSettings(id=name, title=title) for name, title in SECTION_TITLES.items()
    ]
    shown = [section for section in settings if has_content(content, section.id)]
    counts = {
        "projects": len(content.projects),
        "open_prs": sum(item.status in _OPEN for item in content.pull_requests),
    }
    return tuple(
        views.SectionView(
            id=section.id,
            number=f"{number if section.number is None else section.number:02}",
            title=section.title,
            href=base.href(routes.section(section.id)),
            eyebrow=section.eyebrow,
            intro=fill_counts(section.intro, counts) if section.intro else None,
        )
        for number, section in enumerate(shown)
    )


def _project(
    number: int, project: Project, content: Content, tags: Mapping[str, str], base: Base
) -> views.ProjectCard:
    meta = project.meta
    metrics = tuple(map(metric_view, meta.metrics))
    return views.ProjectCard(
        id=project.slug,
        log_id=f"P{number:02}",
        title=meta.title,
        name=project.slug,
        href=base.href(routes.project(project.slug)),
        summary=meta.summary,
        date=date_view(meta.date, content.site.language) if meta.date else None,
        stack=tuple(meta.stack),
        tags=_tag_links(meta.tags, tags, base),
        status=str(meta.status),
        status_text=meta.status_text or _STATUS_TEXTS[meta.status],
        metrics=metrics,
        has_readings=any(metric.readings for metric in metrics),
        links=(
            *(_project_link(link, project.slug) for link in meta.links),
            *_writeup_links(project.slug, content.writings, base),
        ),
        hardware=_hardware(meta.hardware),
    )


def _project_link(link: ProjectLink, slug: str) -> views.Link:
    return views.Link(
        label=link.label or f"{_LINK_LABELS[link.kind]}: {slug}",
        href=link.url,
        kind=str(link.kind),
        external=link.url is not None,
    )


def _writeup_links(slug: str, writings: Iterable[Writing], base: Base) -> Iterable[views.Link]:
    """A write-up on this site names its project; the project's card links back."""
    for writing in writings:
        if writing.meta.project == slug:
            yield views.Link(
                label=f"{_LINK_LABELS[LinkKind.WRITEUP]}: {writing.meta.title}",
                href=base.href(routes.writing(writing.slug)),
                kind=str(LinkKind.WRITEUP),
            )


def _tag_links(names: Iterable[str], tags: Mapping[str, str], base: Base) -> tuple[views.Link, ...]:
    return tuple(views.Link(label=name, href=base.href(tags[name])) for name in names)


def _writing(
    writing: Writing, words: int, language: str, tags: Mapping[str, str], base: Base
) -> views.WritingCard:
    meta = writing.meta
    return views.WritingCard(
        title=meta.title,
        href=base.href(routes.writing(writing.slug)),
        date=date_view(meta.date, language),
        updated=date_view(meta.updated, language) if meta.updated else None,
        summary=meta.summary or "",
        minutes=max(1, round(words / WORDS_PER_MINUTE)),
        words_text=f"{words:,} word{'' if words == 1 else 's'}",
        tags=_tag_links(meta.tags, tags, base),
    )


def _pull_request(item: PullRequest, language: str) -> views.PullRequestView:
    return views.PullRequestView(
        id=routes.pull_request_id(item),
        repository=item.repository,
        number=item.number,
        title=item.title,
        month=date_view(item.month, language),
        status=str(item.status),
        status_text=item.status_text or _STATUS_TEXTS[item.status],
        link=views.Link(label=f"PR #{item.number}", href=item.link, external=item.link is not None),
        note=item.note,
    )


def _station(station: Station, language: str) -> views.StationView:
    return views.StationView(
        when=span_text(station, language),
        start=str(station.start),
        role=station.role,
        place=station.place,
        what=station.what,
        badge=station.badge,
        links=tuple(
            views.Link(
                label=link.label,
                href=link.url,
                external=link.url is not None,
                new_tab=link.url is not None,
            )
            for link in station.links
        ),
    )


def _project_row(card: views.ProjectCard, project: Project) -> views.LogRow:
    return views.LogRow(
        id=card.log_id,
        request_id=card.id,
        title=card.title,
        href=card.href,
        headline=_headline(project, card.metrics),
        status=card.status,
        status_text=card.status_text,
    )


def _headline(project: Project, metrics: tuple[views.MetricView, ...]) -> str:
    """Give the metric that stands for a project: the one it names, else its first."""
    named = [metric for metric in metrics if metric.label == project.meta.headline]
    metric = next(iter(named or metrics), None)
    return f"{metric.label}: {metric.text}" if metric else ""


def _pull_request_row(
    view: views.PullRequestView, item: PullRequest, content: Content, base: Base
) -> views.LogRow:
    return views.LogRow(
        id=f"#{view.number}",
        request_id=view.id,
        title=f"{view.repository}: {view.title}",
        href=base.href(routes.pull_request(item, content)),
        headline=item.headline or "",
        status=view.status,
        status_text=view.status_text,
    )


def _notes(content: Content, base: Base) -> tuple[views.NoteTopic, ...]:
    topics: dict[str, list[views.NoteView]] = {}
    for item in content.notes:
        topics.setdefault(item.note.topic, []).append(
            views.NoteView(
                title=item.note.title,
                label=item.note.label,
                href=base.href(routes.content_file(item.path)),
                pages=item.pages,
                size=size_text(item.size),
            )
        )
    return tuple(
        views.NoteTopic(topic=topic, notes=tuple(notes)) for topic, notes in topics.items()
    )
