"""
What a template sees: every value formatted, sorted and addressed, so that templates only place it.

Three names reach a template: `site` (SiteView), `page` (PageView), and the view of the page's kind.
Texts are plain strings that the templates escape; fields of type Markup are finished HTML, made in
`prose`, `simulation` and `assets`. Addresses (`href`) are ready to print: they carry the base path.
Changing a field here is a breaking change for template overrides.
"""

from markupsafe import Markup
from msgspec import Struct


class Link(Struct, frozen=True, kw_only=True):
    """A link, or text where `href` is None; `external` ones lead to another host."""

    label: str
    href: str | None = None
    kind: str = ""
    external: bool = False
    new_tab: bool = False


class SectionView(Struct, frozen=True, kw_only=True):
    """A section of the home page and its entry in every menu; `number` has two digits."""

    id: str
    number: str
    title: str
    href: str
    eyebrow: str | None = None
    intro: str | None = None


class PersonView(Struct, frozen=True, kw_only=True):
    """The owner, and the ways to reach the owner in the order of the settings."""

    name: str
    role: str
    pitch: str
    studies: str | None
    graduating: str | None
    seeking: str | None
    location: str | None
    approach: str | None
    email: str | None
    email_href: str | None
    links: tuple[Link, ...]


class HardwareView(Struct, frozen=True, kw_only=True):
    """The machine of the measurements; `text` is the whole line, `details` what follows the gpu."""

    gpu: str
    details: tuple[str, ...]
    text: str


class SiteView(Struct, frozen=True, kw_only=True):
    """
    What is the same on every page.

    `wordmark_rest` is what follows the owner's name in the wordmark, "" where that does not begin
    with it; `wordmark_name` is all before. `resume_pdf` is None where there is no such file.
    """

    title: str
    wordmark: str
    wordmark_name: str
    wordmark_rest: str
    language: str
    home: str
    resume: str
    resume_pdf: str | None
    feed: str
    manifest: str
    writings: str
    owner: PersonView
    hardware: HardwareView | None
    sections: tuple[SectionView, ...]


class PageView(Struct, frozen=True, kw_only=True):
    """
    What the document's head and frame need of one page.

    `url` is the site path, `canonical` the whole address, `image` that of its picture for other
    sites, None without one. `section` is the id of the section that
    the page belongs to. `style` is the page's style sheet, `theme_script` the one inline script;
    `content_security_policy` has the hashes of both. `scripts` are addresses of deferred scripts.
    """

    kind: str
    url: str
    canonical: str
    image: str | None
    title: str
    description: str
    language: str
    date: str | None
    updated: str | None
    section: SectionView | None
    breadcrumbs: tuple[Link, ...]
    json_ld: Markup
    is_draft: bool
    open_graph_type: str
    content_security_policy: str
    style: Markup
    theme_script: Markup
    scripts: tuple[str, ...]


class DateView(Struct, frozen=True, kw_only=True):
    """A date for <time>: `iso` for the machine, `text` for people."""

    iso: str
    text: str


class ReadingView(Struct, frozen=True, kw_only=True):
    """One formatted value: `prefix` is "~", "+", "within ~" or empty; `text` is the whole."""

    prefix: str
    number: str
    unit: str
    name: str
    text: str


class Bar(Struct, frozen=True, kw_only=True):
    """
    A number drawn to scale: `length` of 1000 is the longest of its metric.

    `role` says whose it is: "value" the owner's, "start" the owner's before, "baseline" the other
    side's. `label` is its name beside it.
    """

    role: str
    label: str
    text: str
    length: int


class MetricView(Struct, frozen=True, kw_only=True):
    """
    A metric, formatted.

    `text` is the whole value in one line ("82 → 1,030 tok/s"). `start` is the value before, without
    a unit that `text` says once for both. `bars` is empty unless two numbers share a unit; the
    owner's comes first. `better` is "higher" or "lower". `outcome` is "", "win", "loss", "tie" or
    "pending".
    """

    label: str
    text: str
    start: str
    readings: tuple[ReadingView, ...]
    plain: str
    baseline_label: str
    baseline_text: str
    outcome: str
    outcome_text: str
    better: str
    conditions: str
    evidence: str | None
    bars: tuple[Bar, ...]
    project: Link | None = None


class ProjectCard(Struct, frozen=True, kw_only=True):
    """
    A project in a list.

    `status` is "done", "in-progress" or "planned". `has_readings` tells whether a metric has a
    number.
    """

    id: str
    log_id: str
    title: str
    name: str
    href: str
    summary: str
    date: DateView | None
    stack: tuple[str, ...]
    tags: tuple[Link, ...]
    status: str
    status_text: str
    metrics: tuple[MetricView, ...]
    has_readings: bool
    links: tuple[Link, ...]
    hardware: HardwareView | None


class LogRow(Struct, frozen=True, kw_only=True):
    """A row of the request log: `id` is P01… or #61901; the status is the owner's word."""

    id: str
    request_id: str
    title: str
    href: str
    headline: str
    status: str
    status_text: str


class StationView(Struct, frozen=True, kw_only=True):
    """A station of the experience; `when` is shown, `start` is for the machine."""

    when: str
    start: str
    role: str
    place: str | None
    what: str | None
    badge: str | None
    links: tuple[Link, ...]


class PullRequestView(Struct, frozen=True, kw_only=True):
    """A pull request; `status` is "open", "in-review", "merged" or "closed"."""

    id: str
    repository: str
    number: int
    title: str
    month: DateView
    status: str
    status_text: str
    link: Link
    note: str | None


class WritingCard(Struct, frozen=True, kw_only=True):
    """A write-up in a list; `minutes` is its reading time, `words_text` like "838 words"."""

    title: str
    href: str
    date: DateView
    updated: DateView | None
    summary: str
    minutes: int
    words_text: str
    tags: tuple[Link, ...]


class NoteView(Struct, frozen=True, kw_only=True):
    """A PDF: `pages` is None where the file does not tell; `size` is text like "84 kB"."""

    title: str
    label: str | None
    href: str
    pages: int | None
    size: str


class NoteTopic(Struct, frozen=True, kw_only=True):
    """Notes under one topic."""

    topic: str
    notes: tuple[NoteView, ...]


class TocEntry(Struct, frozen=True, kw_only=True):
    """A heading of a text, `level` 2 to 4, with its anchor."""

    id: str
    text: str
    level: int


class SimulationView(Struct, frozen=True, kw_only=True):
    """
    The prerendered simulation, and how many of the site's requests it shows.

    `data` is the address of the run's input; `controls` and `drawer` are those of the script and
    of the markup and style for what a visitor can change.
    """

    queue: Markup
    mode: Markup
    timeline: Markup
    gauges: Markup
    table: Markup
    summary: Markup
    shown: int
    total: int
    data: str
    controls: str
    drawer: str


class NowView(Struct, frozen=True, kw_only=True):
    """What is going on, and since when the page says so."""

    month: DateView
    items: tuple[tuple[str, str], ...]


class AboutView(Struct, frozen=True, kw_only=True):
    """The person's own words and the facts beside them."""

    html: Markup
    facts: tuple[str, ...]


class Home(Struct, frozen=True, kw_only=True):
    """The home page (`home`)."""

    results: tuple[MetricView, ...]
    simulation: SimulationView | None
    about: AboutView | None
    now: NowView | None
    projects: tuple[ProjectCard, ...]
    log: tuple[LogRow, ...]
    stations: tuple[StationView, ...]
    pull_requests: tuple[PullRequestView, ...]
    writings: tuple[WritingCard, ...]
    notes: tuple[NoteTopic, ...]


class Picture(Struct, frozen=True, kw_only=True):
    """
    A picture and the text that stands for it.

    `width` and `height` are in pixels; `srcset` has smaller copies, `sizes` how wide it is shown,
    both empty where there are none.
    """

    href: str
    alt: str
    width: int
    height: int
    srcset: str
    sizes: str


class ProjectPage(Struct, frozen=True, kw_only=True):
    """
    A project's page (`project`).

    `life` is its request's small timeline, empty if not shown; `related` shares tags with it;
    `edit` is where its source file can be edited.
    """

    card: ProjectCard
    html: Markup
    toc: tuple[TocEntry, ...]
    life: Markup
    cover: Picture | None
    writings: tuple[WritingCard, ...]
    related: tuple[Link, ...]
    edit: str | None
    previous: Link | None
    next: Link | None


class WritingPage(Struct, frozen=True, kw_only=True):
    """A write-up's page (`writing`); `related` and `edit` as in a project's."""

    card: WritingCard
    html: Markup
    toc: tuple[TocEntry, ...]
    project: Link | None
    related: tuple[Link, ...]
    edit: str | None
    previous: Link | None
    next: Link | None


class WritingsPage(Struct, frozen=True, kw_only=True):
    """The list of write-ups (`writings`), newest first, and all tags."""

    writings: tuple[WritingCard, ...]
    tags: tuple[Link, ...]


class TagPage(Struct, frozen=True, kw_only=True):
    """Everything under one tag (`tag`)."""

    name: str
    projects: tuple[ProjectCard, ...]
    writings: tuple[WritingCard, ...]


class EducationView(Struct, frozen=True, kw_only=True):
    """An education entry of the résumé."""

    institution: str
    study: str
    when: str


class ResumePage(Struct, frozen=True, kw_only=True):
    """
    The résumé (`resume`): the home page's facts in the order of a CV.

    `json` is the address of the same as JSON Resume.
    """

    education: tuple[EducationView, ...]
    skills: tuple[tuple[str, tuple[str, ...]], ...]
    stations: tuple[StationView, ...]
    projects: tuple[ProjectCard, ...]
    pull_requests: tuple[PullRequestView, ...]
    writings: tuple[WritingCard, ...]
    json: str


class NotFound(Struct, frozen=True, kw_only=True):
    """The page for an address that leads nowhere (`not_found`)."""

    sections: tuple[SectionView, ...]
