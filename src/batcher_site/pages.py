"""
The route table: every page of the site with the view that its template shows.

`plan` is pure: it takes what the earlier stages made and gives pages in the order of the table.
Sorting, grouping and counting happen here and in `cards`, formatting in `formatting`, so that
templates only place what they are given.
"""

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Self, TypeVar
from urllib.parse import quote

from markupsafe import Markup
from msgspec import Struct, json

from batcher_site import cards, previews, routes, structured_data, views
from batcher_site.formatting import date_view, metric_view
from batcher_site.model import (
    SECTION_TITLES,
    Content,
    Education,
    MeasuredResult,
    Prerendered,
    Present,
    Project,
    Prose,
    Writing,
)
from batcher_site.pictures import Shown, dress
from batcher_site.policy import content_security_policy
from batcher_site.urls import SETTINGS, Base

T = TypeVar("T")
U = TypeVar("U")

_MOST_RELATED = 3


class Head(Struct, frozen=True, kw_only=True):
    """What the assets give to the head of every page of one kind."""

    style: Markup
    theme_script: Markup
    scripts: tuple[str, ...] = ()


class Figure(Struct, frozen=True):
    """The prerendered run, and the addresses of what plays it and of what is loaded on demand."""

    run: Prerendered
    script: str
    controls: str
    drawer: str


class Parts(Struct, frozen=True, kw_only=True):
    """
    What other stages have made for the pages.

    `heads` goes by kinds of pages, `pictures` by the addresses that pages use; the figure is there
    if there are requests.
    """

    heads: Mapping[str, Head]
    figure: Figure | None
    pictures: Mapping[str, Shown]


class Page(Struct, frozen=True, kw_only=True):
    """
    One page before it is rendered.

    `view` is known to the template by the name `kind`; `source` is the file that the page is made
    from, for messages; `modified` is the date for the map, None where nothing states one.
    """

    site_path: str
    kind: str
    source: str
    page: views.PageView
    view: Struct
    modified: str | None = None


class Draft(Struct, frozen=True):
    """
    A page that is planned: `make` makes it from the texts that it shows, whose sources are `texts`.

    No other text is in its reach; besides them it depends only on what all pages are planned from.
    """

    site_path: str
    kind: str
    source: str
    make: Callable[..., Page]
    texts: tuple[str, ...] = ()


class Table(Struct, frozen=True, kw_only=True):
    """
    The route table: the frame, a draft for every page, and the write-ups for the feed.

    `previews` are what the pictures for other sites show, by their site paths.
    """

    site: views.SiteView
    drafts: tuple[Draft, ...]
    writings: tuple[tuple[views.WritingCard, str], ...]
    previews: Mapping[str, previews.Preview]


class Listing(Struct, frozen=True):
    """What lists of all pages say of one."""

    site_path: str
    kind: str
    title: str
    description: str
    modified: str | None
    is_draft: bool

    @classmethod
    def of(cls, page: Page) -> Self:
        """List a page by the last of its breadcrumbs, which only the home page has none of."""
        head = page.page
        title = head.breadcrumbs[-1].label if head.breadcrumbs else head.title
        return cls(page.site_path, page.kind, title, head.description, page.modified, head.is_draft)


class Plan(Struct, frozen=True, kw_only=True):
    """What the documents beside the pages need: the frame, all pages, and the write-ups."""

    site: views.SiteView
    pages: tuple[Listing, ...]
    writings: tuple[tuple[views.WritingCard, Prose], ...]


class Subject(Struct, frozen=True, kw_only=True):
    """What a page is about, as its head states it; `section` is the id of its section."""

    title: str
    description: str
    section: str | None = None
    things: Sequence[structured_data.Thing] = ()
    date: str | None = None
    updated: str | None = None
    is_draft: bool = False


def plan(content: Content, made: cards.Cards, parts: Parts, base: Base) -> Table:
    """Plan all pages; `made` is everything that they list."""
    planner = _Planner(content, made, parts, base)
    drafts = [
        planner.home(),
        *planner.projects(),
        planner.writings(),
        *planner.writing_pages(),
        *planner.tags(),
        planner.resume(),
        planner.not_found(),
    ]
    sources = [writing.source.path for writing in content.writings]
    return Table(
        site=planner.cards.site,
        drafts=tuple(drafts),
        writings=tuple(zip(planner.cards.writings, sources, strict=True)),
        previews=previews.plan(content, planner.cards, parts.figure.run if parts.figure else None),
    )


def paper(content: Content, made: cards.Cards, base: Base, *, has_address: bool) -> bytes:
    """
    Give as JSON what the résumé's template for paper sees: what its page does, and two things more.

    They are the title of its section, and what stands before the addresses of the site's own pages:
    nothing where those are not known.
    """
    given = {
        "title": _section_title(made.site.sections, "resume"),
        "origin": base.origin if has_address else None,
        "site": made.site,
        "resume": _resume_view(content, made, base),
    }
    return json.encode(given)


class _Planner:
    """Holds what every page is made from; each public method plans the pages of one kind."""

    def __init__(self, content: Content, made: cards.Cards, parts: Parts, base: Base) -> None:
        self.cards = made
        self._content = content
        self._base = base
        self._heads = parts.heads
        self._figure = parts.figure
        self._shown = parts.pictures
        self._images = routes.social_cards(content)

    def home(self) -> Draft:
        about = self._content.about
        texts = (about.source.path,) if about else ()
        return Draft(routes.HOME, "home", SETTINGS, self._home, texts)

    def _home(self, prose: Prose | None = None) -> Page:
        content, made = self._content, self.cards
        site, language = content.site, content.site.language
        about, now = content.about, content.now
        view = views.Home(
            results=tuple(map(self._result, site.measured_results)),
            simulation=self._simulation_view(),
            about=views.AboutView(
                html=dress(prose.html, self._shown), facts=tuple(about.meta.facts)
            )
            if about and prose
            else None,
            now=views.NowView(
                month=date_view(now.month, language),
                items=tuple((item.tag, item.text) for item in now.items),
            )
            if now
            else None,
            projects=tuple(made.projects),
            log=tuple(made.log),
            stations=made.stations,
            pull_requests=made.pull_requests,
            writings=made.writings,
            notes=made.notes,
        )
        subject = Subject(
            title=f"{site.title} · {site.owner.role}",
            description=site.description or site.owner.pitch,
            section="top",
            things=[
                structured_data.person(site, self._base),
                structured_data.web_site(site, self._base),
            ],
        )
        return self._page(routes.HOME, "home", SETTINGS, view, subject)

    def _result(self, result: MeasuredResult) -> views.MetricView:
        card = next(card for card in self.cards.projects if card.id == result.project)
        return metric_view(result, project=views.Link(label=card.title, href=card.href))

    def _simulation_view(self) -> views.SimulationView | None:
        figure = self._figure
        if figure is None:
            return None
        made = figure.run
        return views.SimulationView(
            queue=made.html.queue,
            mode=made.html.mode,
            timeline=made.html.timeline,
            gauges=made.html.gauges,
            table=made.html.table,
            summary=made.html.summary,
            shown=len(made.lives),
            total=len(self.cards.log),
            data=self._base.href(routes.SIMULATION_DATA),
            controls=figure.controls,
            drawer=figure.drawer,
        )

    def projects(self) -> Iterable[Draft]:
        for number, project in enumerate(self._content.projects):
            path = project.source.path
            make = partial(self._project, number)
            yield Draft(routes.project(project.slug), "project", path, make, (path,))

    def _project(self, number: int, prose: Prose) -> Page:
        lives = self._figure.run.lives if self._figure else {}
        project = self._content.projects[number]
        meta, site_path = project.meta, routes.project(project.slug)
        view = views.ProjectPage(
            card=self.cards.projects[number],
            html=dress(prose.html, self._shown),
            toc=_contents(prose),
            life=lives.get(project.slug, Markup()),
            cover=self._cover(project),
            writings=tuple(
                card
                for card, writing in self._paired(self.cards.writings, self._content.writings)
                if writing.meta.project == project.slug
            ),
            related=self._related(meta.tags, project.slug, project.slug),
            edit=self._edit(project.source.path),
            previous=_link(_neighbour(self.cards.projects, number - 1)),
            next=_link(_neighbour(self.cards.projects, number + 1)),
        )
        subject = Subject(
            title=meta.title,
            description=meta.summary,
            section="work",
            things=[structured_data.source_code(project, self._base, site_path)],
            date=str(meta.date) if meta.date else None,
            is_draft=meta.draft,
        )
        return self._page(site_path, "project", project.source.path, view, subject)

    def _cover(self, project: Project) -> views.Picture | None:
        path = cover_path(project)
        if path is None:
            return None
        href = self._base.href(routes.content_file(path))
        # A drawing without a size of its own takes the shape of the frame.
        picture = self._shown.get(href, Shown(1200, 630))
        return views.Picture(
            href=href,
            alt=project.meta.alt or "",
            width=picture.width,
            height=picture.height,
            srcset=picture.srcset,
            sizes=picture.sizes,
        )

    def writings(self) -> Draft:
        return Draft(routes.WRITINGS, "writings", SETTINGS, self._writings)

    def _writings(self) -> Page:
        view = views.WritingsPage(
            writings=self.cards.writings,
            tags=tuple(
                views.Link(label=name, href=self._base.href(path)) for name, path in self._tags()
            ),
        )
        subject = Subject(
            title=_section_title(self.cards.site.sections, "writing"),
            description=f"Write-ups by {self._content.site.owner.name}, newest first.",
            section="writing",
        )
        return self._page(routes.WRITINGS, "writings", SETTINGS, view, subject)

    def writing_pages(self) -> Iterable[Draft]:
        for number, writing in enumerate(self._content.writings):
            path = writing.source.path
            make = partial(self._writing, number)
            yield Draft(routes.writing(writing.slug), "writing", path, make, (path,))

    def _writing(self, number: int, prose: Prose) -> Page:
        writing = self._content.writings[number]
        about = [
            card
            for card, project in zip(self.cards.projects, self._content.projects, strict=True)
            if project.slug == writing.meta.project
        ]
        view = views.WritingPage(
            card=self.cards.writings[number],
            html=dress(prose.html, self._shown),
            toc=_contents(prose),
            project=_link(next(iter(about), None)),
            related=self._related(writing.meta.tags, writing.slug, writing.meta.project),
            edit=self._edit(writing.source.path),
            previous=_link(_neighbour(self.cards.writings, number + 1)),
            next=_link(_neighbour(self.cards.writings, number - 1)),
        )
        site_path, subject = routes.writing(writing.slug), self._writing_subject(writing)
        return self._page(site_path, "writing", writing.source.path, view, subject)

    def _writing_subject(self, writing: Writing) -> Subject:
        meta, site_path = writing.meta, routes.writing(writing.slug)
        language = self._content.site.language
        return Subject(
            title=meta.title,
            description=meta.summary or meta.title,
            section="writing",
            things=[structured_data.blog_posting(writing, self._base, site_path, language)],
            date=str(meta.date),
            updated=str(meta.updated) if meta.updated else None,
            is_draft=meta.draft,
        )

    def tags(self) -> Iterable[Draft]:
        for name, path in self._tags():
            yield Draft(path, "tag", SETTINGS, partial(self._tag, name, path))

    def _tag(self, name: str, path: str) -> Page:
        projects, writings = self._tagged
        view = views.TagPage(
            name=name,
            projects=tuple(self.cards.projects[number] for number in projects.get(path, ())),
            writings=tuple(self.cards.writings[number] for number in writings.get(path, ())),
        )
        subject = Subject(
            title=name,
            description=f"Projects and write-ups by {self._content.site.owner.name} on {name}.",
            section="writing",
        )
        return self._page(path, "tag", SETTINGS, view, subject)

    @cached_property
    def _tagged(self) -> tuple[Mapping[str, Sequence[int]], Mapping[str, Sequence[int]]]:
        """The places of the projects and of the write-ups under each tag, by its site path."""
        return (
            self._places(item.meta.tags for item in self._content.projects),
            self._places(item.meta.tags for item in self._content.writings),
        )

    def _places(self, tags_of_items: Iterable[Iterable[str]]) -> Mapping[str, Sequence[int]]:
        places: dict[str, list[int]] = {}
        for number, tags in enumerate(tags_of_items):
            for path in {self.cards.tags[tag] for tag in tags}:
                places.setdefault(path, []).append(number)
        return places

    def _related(
        self, tags: Iterable[str], slug: str, project: str | None
    ) -> tuple[views.Link, ...]:
        """
        Give what shares most tags with the project or write-up `slug`, projects first.

        What the page links to anyway, as it is about the same `project`, is left out.
        """
        projects, writings = self._tagged
        shared: Counter[tuple[bool, int]] = Counter()
        for path in {self.cards.tags[tag] for tag in tags}:
            shared.update((False, number) for number in projects.get(path, ()))
            shared.update((True, number) for number in writings.get(path, ()))
        content = self._content
        found = []
        for is_writing, number in sorted(shared, key=lambda item: (-shared[item], item)):
            if is_writing:
                other = content.writings[number]
                is_here = other.slug == slug or other.meta.project == project is not None
            else:
                is_here = content.projects[number].slug == project
            if not is_here:
                found.append((is_writing, number))
        made = (
            self.cards.writings[number] if is_writing else self.cards.projects[number]
            for is_writing, number in found[:_MOST_RELATED]
        )
        return tuple(views.Link(label=card.title, href=card.href) for card in made)

    def _edit(self, path: str) -> str | None:
        """Give the address under which a source file can be edited, where the settings know it."""
        start = self._content.site.edit_url
        return f"{start.rstrip('/')}/{quote(path)}" if start else None

    def _tags(self) -> list[tuple[str, str]]:
        """Give each tag in its first spelling with its site path, in the order of the alphabet."""
        first: dict[str, str] = {}
        for name, path in self.cards.tags.items():
            first.setdefault(path, name)
        return sorted(((name, path) for path, name in first.items()), key=_folded)

    def resume(self) -> Draft:
        return Draft(routes.RESUME, "resume", SETTINGS, self._resume)

    def _resume(self) -> Page:
        owner = self._content.site.owner
        view = _resume_view(self._content, self.cards, self._base)
        subject = Subject(
            title=_section_title(self.cards.site.sections, "resume"),
            description=f"{owner.name}: {owner.role}.",
            section="resume",
        )
        return self._page(routes.RESUME, "resume", SETTINGS, view, subject)

    def not_found(self) -> Draft:
        return Draft(routes.NOT_FOUND, "not_found", SETTINGS, self._not_found)

    def _not_found(self) -> Page:
        view = views.NotFound(sections=self.cards.site.sections)
        subject = Subject(title="Not found", description="There is no page at this address.")
        return self._page(routes.NOT_FOUND, "not_found", SETTINGS, view, subject)

    def _page(self, site_path: str, kind: str, source: str, view: Struct, subject: Subject) -> Page:
        head, site = self._heads[kind], self._content.site
        figure = [self._figure.script] if self._figure and kind == "home" else []
        section = self._section(subject.section)
        crumbs = self._breadcrumbs(site_path, subject.title, section) if kind != "home" else ()
        trail = [structured_data.breadcrumb_list(crumbs, self._base)] if crumbs else []
        json_ld = structured_data.markup(*subject.things, *trail)
        return Page(
            site_path=site_path,
            kind=kind,
            source=source,
            view=view,
            modified=subject.updated or subject.date,
            page=views.PageView(
                kind=kind,
                url=self._base.href(site_path),
                canonical=self._base.absolute(site_path),
                image=self._image(site_path),
                title=subject.title if kind == "home" else f"{subject.title} · {site.title}",
                description=subject.description,
                language=site.language,
                date=subject.date,
                updated=subject.updated,
                section=section,
                breadcrumbs=crumbs,
                json_ld=json_ld,
                is_draft=subject.is_draft,
                open_graph_type="article" if kind == "writing" else "website",
                content_security_policy=content_security_policy(
                    head.style, head.theme_script, json_ld
                ),
                style=head.style,
                theme_script=head.theme_script,
                scripts=(*head.scripts, *figure),
            ),
        )

    def _image(self, site_path: str) -> str | None:
        path = self._images.get(site_path, self._images.get(routes.HOME))
        return self._base.absolute(path) if path else None

    def _breadcrumbs(
        self, site_path: str, title: str, section: views.SectionView | None
    ) -> tuple[views.Link, ...]:
        between = [views.Link(label=section.title, href=section.href)] if section else []
        return (
            views.Link(label=self._content.site.title, href=self._base.href(routes.HOME)),
            *(link for link in between if link.label != title),
            views.Link(label=title, href=self._base.href(site_path)),
        )

    def _section(self, name: str | None) -> views.SectionView | None:
        return next((item for item in self.cards.site.sections if item.id == name), None)

    @staticmethod
    def _paired(made: Sequence[T], items: Sequence[U]) -> Iterable[tuple[T, U]]:
        return zip(made, items, strict=True)


def cover_path(project: Project) -> str | None:
    """Give the content file that is a project's cover."""
    if project.meta.cover is None:
        return None
    folder = posixpath.dirname(project.source.path)
    return posixpath.normpath(posixpath.join(folder, project.meta.cover))


def _resume_view(content: Content, made: cards.Cards, base: Base) -> views.ResumePage:
    extras, language = content.resume, content.site.language
    return views.ResumePage(
        education=tuple(_education(item, language) for item in extras.education),
        skills=tuple((group.name, tuple(group.keywords)) for group in extras.skills),
        stations=made.stations,
        projects=tuple(made.projects),
        pull_requests=made.pull_requests,
        writings=made.writings,
        json=base.href(routes.RESUME_JSON),
    )


def _education(item: Education, language: str) -> views.EducationView:
    known = [date_view(item.start, language).text] if item.start else []
    if isinstance(item.end, Present):
        known.append("present")
    elif item.end is not None:
        known.append(date_view(item.end, language).text)
    return views.EducationView(
        institution=item.institution,
        study=", ".join(part for part in (item.degree, item.area) if part),
        when=item.when or "–".join(known),
    )


def _section_title(sections: Iterable[views.SectionView], name: str) -> str:
    return next((item.title for item in sections if item.id == name), SECTION_TITLES[name])


def _folded(item: tuple[str, str]) -> str:
    return item[0].casefold()


def _contents(prose: Prose) -> tuple[views.TocEntry, ...]:
    return tuple(
        views.TocEntry(id=heading.id, text=heading.text, level=heading.level)
        for heading in prose.headings
    )


def _neighbour(items: Sequence[T], index: int) -> T | None:
    return items[index] if 0 <= index < len(items) else None


def _link(card: views.ProjectCard | views.WritingCard | None) -> views.Link | None:
    return None if card is None else views.Link(label=card.title, href=card.href)
