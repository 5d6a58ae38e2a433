"""
The route table: every page of the site with the view that its template shows.

`plan` is pure: it takes what the earlier stages made and gives pages in the order of their
addresses. Sorting, grouping, counting and formatting happen here or in `formatting`, so that
templates only place what they are given.
"""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from markupsafe import Markup
from msgspec import Struct

from batcher_site import structured_data, views
from batcher_site.formatting import date_view, fill_counts, metric_view, size_text, span_text
from batcher_site.model import (
    SECTION_TITLES,
    Content,
    Education,
    Hardware,
    LinkKind,
    Metric,
    OwnerLink,
    Present,
    Project,
    ProjectLink,
    PullRequest,
    PullRequestStatus,
    SectionSettings,
    Station,
    Status,
    Writing,
)
from batcher_site.prose import Prose
from batcher_site.simulation import Prerendered
from batcher_site.urls import CONTENT, Base, numbered, slugify
from batcher_site.workload import pull_request_id

HOME = "/"
RESUME = "/resume/"
WRITINGS = "/writing/"
FEED = "/feed.xml"
SIMULATION_DATA = "/simulation.json"
NOT_FOUND = "/404.html"

WORDS_PER_MINUTE = 220
"""The reading speed behind the minutes of a write-up."""

T = TypeVar("T")

_STATUS_TEXTS = {
    Status.DONE: "done",
    Status.IN_PROGRESS: "in progress",
    Status.PLANNED: "planned",
    PullRequestStatus.OPEN: "open",
    PullRequestStatus.IN_REVIEW: "in review",
    PullRequestStatus.MERGED: "merged",
    PullRequestStatus.CLOSED: "closed",
}
_LINK_LABELS = {
    LinkKind.REPO: "Repo",
    LinkKind.WRITEUP: "Write-up",
    LinkKind.PAPER: "Paper",
    LinkKind.DEMO: "Demo",
    LinkKind.PDF: "PDF",
}


class Head(Struct, frozen=True, kw_only=True):
    """What the assets give to the head of every page of one kind."""

    style: Markup
    theme_script: Markup
    content_security_policy: str
    scripts: tuple[str, ...] = ()


class Page(Struct, frozen=True, kw_only=True):
    """
    One page before it is rendered.

    `view` is known to the template by the name `kind`; `source` is the file whose change changes
    the page, for messages; `modified` is the date for the map, None where nothing states one.
    """

    site_path: str
    kind: str
    source: str
    page: views.PageView
    view: Struct
    modified: str | None = None


class Plan(Struct, frozen=True, kw_only=True):
    """All pages, and what the documents beside them need."""

    site: views.SiteView
    pages: tuple[Page, ...]
    writings: tuple[tuple[views.WritingCard, Prose], ...]


def known_addresses(content: Content) -> dict[str, str]:
    """Map every file of `content/` that a text may link to onto its site path."""
    known = {path: path.removeprefix(CONTENT) for path in content.files}
    known |= {project.source.path: project_path(project.slug) for project in content.projects}
    known |= {writing.source.path: writing_path(writing.slug) for writing in content.writings}
    if content.about:
        known[content.about.source.path] = HOME + "#about"
    return known


def project_path(slug: str) -> str:
    """Give the site path of a project."""
    return f"/projects/{slug}/"


def writing_path(slug: str) -> str:
    """Give the site path of a write-up."""
    return f"{WRITINGS}{slug}/"


def tag_slug(tag: str) -> str:
    """Give a tag's part of its address; signs that tell languages apart are spelled out."""
    return slugify(tag.replace("#", " sharp ").replace("+", " plus ").replace(".", " dot "))


def plan(
    content: Content,
    proses: Mapping[str, Prose],
    simulation: Prerendered | None,
    base: Base,
    heads: Mapping[str, Head],
) -> Plan:
    """
    Make all pages.

    `proses` maps source paths to their rendered texts, `heads` page kinds to what their head needs.
    """
    return _Planner(content, proses, simulation, base, heads).plan()


class _Planner:
    """Holds what every page is made from; each method makes one kind of view or page."""

    def __init__(
        self,
        content: Content,
        proses: Mapping[str, Prose],
        simulation: Prerendered | None,
        base: Base,
        heads: Mapping[str, Head],
    ) -> None:
        self._content = content
        self._proses = proses
        self._simulation = simulation
        self._base = base
        self._heads = heads
        self._language = content.site.language
        self._tags = _tag_paths(content)
        self._sections = self._section_views()
        self._projects = tuple(
            self._project_card(number, project)
            for number, project in enumerate(content.projects, 1)
        )
        self._writings = tuple(self._writing_card(writing) for writing in content.writings)
        self._pull_requests = tuple(map(self._pull_request, content.pull_requests))
        self._stations = tuple(map(self._station, content.stations))

    def plan(self) -> Plan:
        """Give every page in the order of the route table."""
        pages = [
            self._home(),
            *self._project_pages(),
            self._writings_page(),
            *self._writing_pages(),
            *self._tag_pages(),
            self._resume(),
            self._not_found(),
        ]
        proses = [self._proses[writing.source.path] for writing in self._content.writings]
        return Plan(
            site=self._site(),
            pages=tuple(pages),
            writings=tuple(zip(self._writings, proses, strict=True)),
        )

    # --- the frame ------------------------------------------------------------------------------

    def _site(self) -> views.SiteView:
        site = self._content.site
        return views.SiteView(
            title=site.title,
            wordmark=site.wordmark or site.title,
            language=site.language,
            home=self._base.href(HOME),
            resume=self._base.href(RESUME),
            feed=self._base.href(FEED),
            writings=self._base.href(WRITINGS),
            owner=self._person(),
            hardware=_hardware(site.hardware),
            sections=self._sections,
        )

    def _person(self) -> views.PersonView:
        owner = self._content.site.owner
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

    def _section_views(self) -> tuple[views.SectionView, ...]:
        settings = self._content.site.sections or [
            SectionSettings(id=name, title=title) for name, title in SECTION_TITLES.items()
        ]
        shown = [section for section in settings if has_content(self._content, section.id)]
        open_requests = (PullRequestStatus.OPEN, PullRequestStatus.IN_REVIEW)
        counts = {
            "projects": len(self._content.projects),
            "open_prs": sum(
                item.status in open_requests for item in self._content.pull_requests
            ),
        }
        return tuple(
            views.SectionView(
                id=section.id,
                number=f"{number if section.number is None else section.number:02}",
                title=section.title,
                href=self._base.href(HOME if section.id == "top" else f"{HOME}#{section.id}"),
                eyebrow=section.eyebrow,
                intro=fill_counts(section.intro, counts) if section.intro else None,
            )
            for number, section in enumerate(shown)
        )

    def _section(self, name: str) -> views.SectionView | None:
        return next((section for section in self._sections if section.id == name), None)

    def _page(
        self,
        site_path: str,
        kind: str,
        source: str,
        view: Struct,
        *,
        title: str,
        description: str,
        section: str | None = None,
        things: Sequence[structured_data.Thing] = (),
        date: str | None = None,
        updated: str | None = None,
        is_draft: bool = False,
    ) -> Page:
        head = self._heads[kind]
        section_view = self._section(section) if section else None
        crumbs = self._breadcrumbs(site_path, title, section_view) if kind != "home" else ()
        trail = [structured_data.breadcrumb_list(crumbs, self._base)] if crumbs else []
        site_title = self._content.site.title
        return Page(
            site_path=site_path,
            kind=kind,
            source=source,
            view=view,
            modified=updated or date,
            page=views.PageView(
                kind=kind,
                url=self._base.href(site_path),
                canonical=self._base.absolute(site_path),
                title=title if kind == "home" else f"{title} · {site_title}",
                description=description,
                language=self._language,
                date=date,
                updated=updated,
                section=section_view,
                breadcrumbs=crumbs,
                json_ld=structured_data.markup(*things, *trail),
                is_draft=is_draft,
                open_graph_type="article" if kind == "writing" else "website",
                content_security_policy=head.content_security_policy,
                style=head.style,
                theme_script=head.theme_script,
                scripts=head.scripts,
            ),
        )

    def _breadcrumbs(
        self, site_path: str, title: str, section: views.SectionView | None
    ) -> tuple[views.Link, ...]:
        crumbs = [views.Link(label=self._content.site.title, href=self._base.href(HOME))]
        if section is not None and section.title != title:
            crumbs.append(views.Link(label=section.title, href=section.href))
        crumbs.append(views.Link(label=title, href=self._base.href(site_path)))
        return tuple(crumbs)

    # --- pages ----------------------------------------------------------------------------------

    def _home(self) -> Page:
        content = self._content
        view = views.Home(
            results=tuple(map(self._result, content.site.measured_results)),
            simulation=self._simulation_view(),
            about=views.AboutView(
                html=self._proses[content.about.source.path].html,
                facts=tuple(content.about.meta.facts),
            )
            if content.about
            else None,
            now=views.NowView(
                month=date_view(content.now.month, self._language),
                items=tuple((item.tag, item.text) for item in content.now.items),
            )
            if content.now
            else None,
            projects=self._projects,
            log=self._log(),
            stations=self._stations,
            pull_requests=self._pull_requests,
            writings=self._writings,
            notes=self._notes(),
        )
        site = content.site
        return self._page(
            HOME,
            "home",
            f"{CONTENT}/site.yaml",
            view,
            title=f"{site.title} · {site.owner.role}",
            description=site.description or site.owner.pitch,
            section="top",
            things=[
                structured_data.person(site, self._base),
                structured_data.web_site(site, self._base),
            ],
        )

    def _result(self, result: Metric) -> views.MetricView:
        view = metric_view(result)
        slug = getattr(result, "project", "")
        href = self._base.href(project_path(slug))
        title = next(card.title for card in self._projects if card.id == slug)
        values = {name: getattr(view, name) for name in view.__struct_fields__}
        return views.MetricView(**{**values, "project": views.Link(label=title, href=href)})

    def _simulation_view(self) -> views.SimulationView | None:
        made = self._simulation
        if made is None:
            return None
        return views.SimulationView(
            queue=made.html.queue,
            mode=made.html.mode,
            timeline=made.html.timeline,
            gauges=made.html.gauges,
            table=made.html.table,
            summary=made.html.summary,
            shown=len(made.lives),
            total=len(self._content.projects) + len(self._content.pull_requests),
            data=self._base.href(SIMULATION_DATA),
        )

    def _log(self) -> tuple[views.LogRow, ...]:
        projects = [
            views.LogRow(
                id=card.log_id,
                request_id=card.id,
                title=card.title,
                href=card.href,
                headline=_headline(project),
                status=card.status,
                status_text=card.status_text,
            )
            for card, project in zip(self._projects, self._content.projects, strict=True)
        ]
        pull_requests = [
            views.LogRow(
                id=f"#{view.number}",
                request_id=view.id,
                title=f"{view.repository}: {view.title}",
                href=self._base.href(f"{HOME}#{view.id}"),
                headline=item.headline or "",
                status=view.status,
                status_text=view.status_text,
            )
            for view, item in zip(self._pull_requests, self._content.pull_requests, strict=True)
        ]
        return (*projects, *pull_requests)

    def _notes(self) -> tuple[views.NoteTopic, ...]:
        topics: dict[str, list[views.NoteView]] = {}
        for item in self._content.notes:
            topics.setdefault(item.note.topic, []).append(
                views.NoteView(
                    title=item.note.title,
                    label=item.note.label,
                    href=self._base.href(item.path.removeprefix(CONTENT)),
                    pages=item.pages,
                    size=size_text(item.size),
                )
            )
        return tuple(
            views.NoteTopic(topic=topic, notes=tuple(notes)) for topic, notes in topics.items()
        )

    def _project_pages(self) -> Iterable[Page]:
        lives = self._simulation.lives if self._simulation else {}
        for number, project in enumerate(self._content.projects):
            card = self._projects[number]
            prose = self._proses[project.source.path]
            cover = None
            if project.meta.cover:
                folder = posixpath.dirname(project.source.path)
                path = posixpath.normpath(posixpath.join(folder, project.meta.cover))
                cover = views.Picture(
                    href=self._base.href(path.removeprefix(CONTENT)), alt=project.meta.alt or ""
                )
            view = views.ProjectPage(
                card=card,
                html=prose.html,
                toc=_contents(prose),
                life=lives.get(project.slug, Markup()),
                cover=cover,
                writings=tuple(
                    writing_card
                    for writing_card, writing in self._paired_writings()
                    if writing.meta.project == project.slug
                ),
                previous=_card_link(_neighbour(self._projects, number - 1)),
                next=_card_link(_neighbour(self._projects, number + 1)),
            )
            site_path = project_path(project.slug)
            yield self._page(
                site_path,
                "project",
                project.source.path,
                view,
                title=project.meta.title,
                description=project.meta.summary,
                section="work",
                things=[structured_data.source_code(project, self._base, site_path)],
                date=str(project.meta.date) if project.meta.date else None,
                is_draft=project.meta.draft,
            )

    def _paired_writings(self) -> Iterable[tuple[views.WritingCard, Writing]]:
        return zip(self._writings, self._content.writings, strict=True)

    def _writings_page(self) -> Page:
        section = self._section("writing")
        title = section.title if section else SECTION_TITLES["writing"]
        tags = tuple(
            views.Link(label=name, href=self._base.href(path))
            for name, path in sorted(_shown_tags(self._tags).items(), key=_folded)
        )
        return self._page(
            WRITINGS,
            "writings",
            f"{CONTENT}/site.yaml",
            views.WritingsPage(writings=self._writings, tags=tags),
            title=title,
            description=f"Write-ups by {self._content.site.owner.name}, newest first.",
            section="writing",
        )

    def _writing_pages(self) -> Iterable[Page]:
        cards = {card.id: card for card in self._projects}
        for number, (card, writing) in enumerate(self._paired_writings()):
            prose = self._proses[writing.source.path]
            view = views.WritingPage(
                card=card,
                html=prose.html,
                toc=_contents(prose),
                project=_card_link(cards.get(writing.meta.project or "")),
                previous=_card_link(_neighbour(self._writings, number + 1)),
                next=_card_link(_neighbour(self._writings, number - 1)),
            )
            site_path = writing_path(writing.slug)
            meta = writing.meta
            yield self._page(
                site_path,
                "writing",
                writing.source.path,
                view,
                title=meta.title,
                description=card.summary or meta.title,
                section="writing",
                things=[
                    structured_data.blog_posting(writing, self._base, site_path, self._language)
                ],
                date=str(meta.date),
                updated=str(meta.updated) if meta.updated else None,
                is_draft=meta.draft,
            )

    def _tag_pages(self) -> Iterable[Page]:
        for name, path in sorted(_shown_tags(self._tags).items(), key=_folded):
            view = views.TagPage(
                name=name,
                projects=tuple(
                    card
                    for card, project in zip(self._projects, self._content.projects, strict=True)
                    if path in {self._tags[tag] for tag in project.meta.tags}
                ),
                writings=tuple(
                    card
                    for card, writing in self._paired_writings()
                    if path in {self._tags[tag] for tag in writing.meta.tags}
                ),
            )
            yield self._page(
                path,
                "tag",
                f"{CONTENT}/site.yaml",
                view,
                title=name,
                description=f"Projects and write-ups by {self._content.site.owner.name} on {name}.",
                section="writing",
            )

    def _resume(self) -> Page:
        extras = self._content.resume
        section = self._section("resume")
        view = views.ResumePage(
            education=tuple(map(self._education, extras.education)),
            skills=tuple((group.name, tuple(group.keywords)) for group in extras.skills),
            stations=self._stations,
            projects=self._projects,
            pull_requests=self._pull_requests,
            writings=self._writings,
        )
        return self._page(
            RESUME,
            "resume",
            f"{CONTENT}/resume.yaml",
            view,
            title=section.title if section else SECTION_TITLES["resume"],
            description=f"{self._content.site.owner.name}: {self._content.site.owner.role}.",
            section="resume",
        )

    def _education(self, item: Education) -> views.EducationView:
        start, end = item.start, item.end
        known = [date_view(start, self._language).text] if start else []
        if isinstance(end, Present):
            known.append("present")
        elif end is not None:
            known.append(date_view(end, self._language).text)
        return views.EducationView(
            institution=item.institution,
            study=", ".join(part for part in (item.degree, item.area) if part),
            when=item.when or "–".join(known),
        )

    def _not_found(self) -> Page:
        return self._page(
            NOT_FOUND,
            "not_found",
            f"{CONTENT}/site.yaml",
            views.NotFound(sections=self._sections),
            title="Not found",
            description="There is no page at this address.",
        )

    # --- things in lists ------------------------------------------------------------------------

    def _project_card(self, number: int, project: Project) -> views.ProjectCard:
        meta = project.meta
        return views.ProjectCard(
            id=project.slug,
            log_id=f"P{number:02}",
            title=meta.title,
            name=project.slug,
            href=self._base.href(project_path(project.slug)),
            summary=meta.summary,
            date=date_view(meta.date, self._language) if meta.date else None,
            stack=tuple(meta.stack),
            tags=self._tag_links(meta.tags),
            status=str(meta.status),
            status_text=meta.status_text or _STATUS_TEXTS[meta.status],
            metrics=tuple(map(metric_view, meta.metrics)),
            links=(
                *(self._project_link(link, project) for link in meta.links),
                *self._writeup_links(project),
            ),
            hardware=_hardware(meta.hardware),
        )

    def _project_link(self, link: ProjectLink, project: Project) -> views.Link:
        label = link.label or f"{_LINK_LABELS[link.kind]}: {project.slug}"
        return views.Link(
            label=label, href=link.url, kind=str(link.kind), external=link.url is not None
        )

    def _writeup_links(self, project: Project) -> Iterable[views.Link]:
        for writing in self._content.writings:
            if writing.meta.project == project.slug:
                yield views.Link(
                    label=f"Write-up: {writing.meta.title}",
                    href=self._base.href(writing_path(writing.slug)),
                    kind=str(LinkKind.WRITEUP),
                )

    def _writing_card(self, writing: Writing) -> views.WritingCard:
        meta = writing.meta
        words = self._proses[writing.source.path].words
        return views.WritingCard(
            title=meta.title,
            href=self._base.href(writing_path(writing.slug)),
            date=date_view(meta.date, self._language),
            updated=date_view(meta.updated, self._language) if meta.updated else None,
            summary=meta.summary or "",
            minutes=max(1, round(words / WORDS_PER_MINUTE)),
            words=words,
            tags=self._tag_links(meta.tags),
        )

    def _tag_links(self, tags: Iterable[str]) -> tuple[views.Link, ...]:
        return tuple(views.Link(label=tag, href=self._base.href(self._tags[tag])) for tag in tags)

    def _pull_request(self, item: PullRequest) -> views.PullRequestView:
        return views.PullRequestView(
            id=pull_request_id(item),
            repository=item.repository,
            number=item.number,
            title=item.title,
            month=date_view(item.month, self._language),
            status=str(item.status),
            status_text=item.status_text or _STATUS_TEXTS[item.status],
            link=views.Link(
                label=f"PR #{item.number}", href=item.link, external=item.link is not None
            ),
            note=item.note,
        )

    def _station(self, station: Station) -> views.StationView:
        return views.StationView(
            when=span_text(station, self._language),
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


def tag_spellings(content: Content) -> dict[str, tuple[str, ...]]:
    """Map each tag's folded spelling to all spellings in use, the first one found first."""
    found: dict[str, list[str]] = {}
    metas = chain(
        (project.meta for project in content.projects),
        (writing.meta for writing in content.writings),
    )
    for meta in metas:
        for tag in meta.tags:
            spellings = found.setdefault(tag.casefold(), [])
            if tag not in spellings:
                spellings.append(tag)
    return {folded: tuple(spellings) for folded, spellings in found.items()}


def _tag_paths(content: Content) -> dict[str, str]:
    """Map each spelling of a tag to its page; spellings that differ in case share one."""
    taken: set[str] = set()
    paths = {}
    for folded, spellings in tag_spellings(content).items():
        slug = numbered(tag_slug(folded) or "tag", taken)
        paths |= dict.fromkeys(spellings, f"/tags/{slug}/")
    return paths


def _shown_tags(paths: Mapping[str, str]) -> dict[str, str]:
    first: dict[str, str] = {}
    for tag, path in paths.items():
        first.setdefault(path, tag)
    return {tag: path for path, tag in first.items()}


def _folded(item: tuple[str, str]) -> str:
    return item[0].casefold()


def _hardware(hardware: Hardware | None) -> views.HardwareView | None:
    if hardware is None:
        return None
    details = [
        part
        for part in (
            hardware.architecture,
            hardware.compute_capability,
            hardware.memory,
            hardware.cuda,
        )
        if part
    ]
    chip = ", ".join(part for part in (hardware.architecture, hardware.compute_capability) if part)
    inner = " · ".join(part for part in (chip, hardware.memory, hardware.cuda) if part)
    return views.HardwareView(
        gpu=hardware.gpu,
        details=tuple(details),
        text=f"{hardware.gpu} ({inner})" if inner else hardware.gpu,
    )


def _owner_link(kind: str, link: OwnerLink) -> views.Link:
    return views.Link(
        label=link.label, href=link.url, kind=kind, external=link.url is not None
    )


def _headline(project: Project) -> str:
    """Give the metric that stands for a project: the one it names, else its first."""
    metrics = project.meta.metrics
    if not metrics:
        return ""
    named = [metric for metric in metrics if metric.label == project.meta.headline]
    metric = metric_view((named or metrics)[0])
    return f"{metric.label}: {metric.text}"


def _contents(prose: Prose) -> tuple[views.TocEntry, ...]:
    return tuple(
        views.TocEntry(id=heading.id, text=heading.text, level=heading.level)
        for heading in prose.headings
    )


def _neighbour(items: Sequence[T], index: int) -> T | None:
    return items[index] if 0 <= index < len(items) else None


def _card_link(card: views.ProjectCard | views.WritingCard | None) -> views.Link | None:
    return None if card is None else views.Link(label=card.title, href=card.href)
