"""
The typed values that the owner's files are read into, and the values that pass between stages.

Every class here is frozen. The first half is the content contract: a field is a key of a YAML file
or a front matter, and its type says what the reader accepts (`frontmatter.convert`). The second
half holds what the stages hand to each other.
"""

import math
import re
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Self

from markupsafe import Markup
from msgspec import Meta, Struct, field

# --- kinds of text ------------------------------------------------------------------------------

Text = Annotated[str, Meta(min_length=1, description="text")]
Slug = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9]+(-[a-z0-9]+)*\Z",
        description="a slug (small letters, digits and single hyphens)",
    ),
]
Url = Annotated[
    str,
    Meta(
        pattern=r"^(https?://[^\s/?#\\]+[^\s\\]*|mailto:[^\s\\]+)\Z",
        description="an address that begins with https://, http:// or mailto:",
    ),
]
SiteUrl = Annotated[
    str,
    Meta(
        pattern=r"^https?://[^\s/?#\\@]+(/[^\s?#\\]*)?\Z",
        description="the site's whole address, such as https://me.github.io/portfolio/",
    ),
]
Domain = Annotated[
    str,
    Meta(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+\Z", description="a domain, such as www.example.org"),
]
Email = Annotated[
    str, Meta(pattern=r"^[^@\s<>]+@[^@\s<>]+\.[^@\s<>]+\Z", description="an e-mail address")
]
Language = Annotated[
    str,
    Meta(
        pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z",
        description='a language tag, such as "en" or "de-CH"',
    ),
]
Tokens = Annotated[int, Meta(ge=1, le=4096)]

SECTION_TITLES = {
    "top": "Top",
    "about": "About me",
    "work": "Work",
    "experience": "Experience",
    "open-source": "Open source",
    "writing": "Writing",
    "resume": "Résumé",
    "contact": "Contact",
    "notes": "Notes",
}

_PARTIAL_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


class PartialDate(Struct, frozen=True, order=True, tag=True):
    """A date as exact as the owner knows it: a year, a month, or a day."""

    year: int
    month: int | None = None
    day: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; raise ValueError for anything else."""
        match = _PARTIAL_DATE.fullmatch(text)
        if match is None:
            raise ValueError(text)
        year, month, day = (None if part is None else int(part) for part in match.groups())
        # A month or day of 0 is no date, so `or` would not do.
        date(year or 0, 1 if month is None else month, 1 if day is None else day)
        return cls(year or 0, month, day)

    @property
    def first_day(self) -> date:
        """The first day that the date covers."""
        return date(self.year, self.month or 1, self.day or 1)

    def __str__(self) -> str:
        parts = [f"{self.year:04}"]
        parts += [f"{part:02}" for part in (self.month, self.day) if part is not None]
        return "-".join(parts)


class Present(Struct, frozen=True, tag=True):
    """The end of something that goes on."""


class Status(StrEnum):
    """How far a project is."""

    DONE = "done"
    IN_PROGRESS = "in-progress"
    PLANNED = "planned"


class PullRequestStatus(StrEnum):
    """Where a pull request stands."""

    OPEN = "open"
    IN_REVIEW = "in-review"
    MERGED = "merged"
    CLOSED = "closed"


class Outcome(StrEnum):
    """How a measurement came out against its baseline."""

    WIN = "win"
    LOSS = "loss"
    TIE = "tie"
    PENDING = "pending"


class Better(StrEnum):
    """Which direction of a metric is the better one."""

    HIGHER = "higher"
    LOWER = "lower"


class Bound(StrEnum):
    """A value that is a limit rather than a reading."""

    WITHIN = "within"


class LinkKind(StrEnum):
    """What a project's link leads to."""

    REPO = "repo"
    WRITEUP = "writeup"
    PAPER = "paper"
    DEMO = "demo"
    PDF = "pdf"


# --- metrics ------------------------------------------------------------------------------------


class Quantity(Struct, frozen=True, kw_only=True):
    """A number with its unit."""

    value: Decimal
    unit: Text | None = None


class Baseline(Struct, frozen=True, kw_only=True):
    """What a metric is held against: a name, and a number where one was measured."""

    label: Text
    value: Decimal | None = None
    unit: Text | None = None


class Reading(Struct, frozen=True, kw_only=True):
    """
    One value of a metric.

    `approx` prints a leading ~, `bound: within` the word, and `signed` the plus of an increase.
    """

    value: Decimal
    unit: Text | None = None
    approx: bool = False
    signed: bool = False
    bound: Bound | None = None
    name: Text | None = None


class Metric(Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """A measured result as data: readings or a text, and what they are held against."""

    label: Text
    values: Annotated[list[Reading], Meta(min_length=1)] | Text
    from_: Quantity | None = None
    baseline: Baseline | None = None
    outcome: Outcome | None = None
    better: Better | None = None
    conditions: Text | None = None
    evidence: Url | None = None


class MeasuredResult(Metric, frozen=True, kw_only=True, rename={"from_": "from"}):
    """A metric of the home page's first screen, with the project that it comes from."""

    project: Slug


# --- content/site.yaml --------------------------------------------------------------------------


class OwnerLink(Struct, frozen=True, kw_only=True):
    """A place where the owner can be found; without a url it is text."""

    label: Text
    url: Url | None = None


class Owner(Struct, frozen=True, kw_only=True):
    """The person whose portfolio this is."""

    name: Text
    role: Text
    pitch: Text
    location: Text | None = None
    graduating: Text | None = None
    studies: Text | None = None
    seeking: Text | None = None
    approach: Text | None = None
    email: Email | None = None
    links: dict[Slug, OwnerLink] = {}


class Hardware(Struct, frozen=True, kw_only=True):
    """The machine that the results were measured on."""

    gpu: Text
    architecture: Text | None = None
    compute_capability: Text | None = None
    memory: Text | None = None
    cuda: Text | None = None


class SectionSettings(Struct, frozen=True, kw_only=True):
    """One section of the home page; its number is its place in the list unless it is given."""

    id: Slug
    title: Text
    eyebrow: Text | None = None
    intro: Text | None = None
    number: Annotated[int, Meta(ge=0, le=99)] | None = None


class SimulationSettings(Struct, frozen=True, kw_only=True):
    """Which requests enter the simulation, and which iteration the page shows."""

    include: Annotated[int, Meta(ge=0, le=24)] = 12
    at: Annotated[int, Meta(ge=0)] | None = None
    seed: Annotated[int, Meta(ge=1, le=4_294_967_295)] = 1


class CheckSettings(Struct, frozen=True, kw_only=True):
    """What `batcher check --external` leaves alone."""

    ignore: list[Url] = []


class Site(Struct, frozen=True, kw_only=True):
    """The settings: everything that `content/site.yaml` may say."""

    title: Text
    description: Text | None = None
    url: SiteUrl | None = None
    domain: Domain | None = None
    language: Language = "en"
    timezone: Text = "UTC"
    edit_url: SiteUrl | None = None
    wordmark: Text | None = None
    owner: Owner
    hardware: Hardware | None = None
    measured_results: list[MeasuredResult] = []
    sections: list[SectionSettings] = []
    simulation: SimulationSettings = SimulationSettings()
    check: CheckSettings = CheckSettings()
    social_cards: Annotated[int, Meta(ge=0, le=1000)] = 50


# --- front matter and data files ----------------------------------------------------------------


class ProjectLink(Struct, frozen=True, kw_only=True):
    """A link of a project; without a url it is text."""

    kind: LinkKind
    url: Url | None = None
    label: Text | None = None


class RequestLengths(Struct, frozen=True, kw_only=True):
    """The request that stands for a project or pull request, in tokens and iterations."""

    prompt: Tokens | None = None
    output: Tokens | None = None
    arrival: Annotated[int, Meta(ge=0, le=10_000)] | None = None


class ProjectMeta(Struct, frozen=True, kw_only=True):
    """The front matter of `content/projects/*.md`."""

    title: Text
    summary: Text
    date: PartialDate | None = None
    order: int | None = None
    status: Status = Status.DONE
    status_text: Text | None = None
    pinned: bool = False
    draft: bool = False
    stack: list[Text] = []
    tags: list[Text] = []
    hardware: Hardware | None = None
    metrics: list[Metric] = []
    headline: Text | None = None
    links: list[ProjectLink] = []
    request: RequestLengths = RequestLengths()
    cover: Text | None = None
    alt: Text | None = None


class WritingMeta(Struct, frozen=True, kw_only=True):
    """The front matter of `content/writing/*.md`."""

    title: Text
    date: PartialDate
    updated: PartialDate | None = None
    summary: Text | None = None
    tags: list[Text] = []
    draft: bool = False
    project: Slug | None = None


class AboutMeta(Struct, frozen=True, kw_only=True):
    """The front matter of `content/about.md`."""

    facts: list[Text] = []


class NowItem(Struct, frozen=True, kw_only=True):
    """One thing that is going on, under a one-word tag."""

    tag: Text
    text: Text


class Now(Struct, frozen=True, kw_only=True):
    """`content/now.yaml`: what is going on, and the month in which it was true."""

    month: PartialDate
    items: list[NowItem]


class ExperienceLink(Struct, frozen=True, kw_only=True):
    """A link of a station; without a url it is text."""

    label: Text
    url: Url | None = None


class Station(Struct, frozen=True, kw_only=True):
    """One entry of `content/experience.yaml`, newest first."""

    start: PartialDate
    end: PartialDate | Present | None = None
    when: Text | None = None
    role: Text
    place: Text | None = None
    what: Text | None = None
    badge: Text | None = None
    links: list[ExperienceLink] = []


class PullRequest(Struct, frozen=True, kw_only=True):
    """One entry of `content/open_source.yaml`."""

    repository: Text
    number: Annotated[int, Meta(ge=1)]
    title: Text
    month: PartialDate
    status: PullRequestStatus
    status_text: Text | None = None
    headline: Text | None = None
    link: Url | None = None
    note: Text | None = None
    pinned: bool = False
    request: RequestLengths = RequestLengths()


class Note(Struct, frozen=True, kw_only=True):
    """One entry of `content/notes/notes.yaml`: a PDF beside it."""

    topic: Text
    title: Text
    file: Text
    label: Text | None = None


class Education(Struct, frozen=True, kw_only=True):
    """One education entry of `content/resume.yaml`."""

    institution: Text
    area: Text | None = None
    degree: Text | None = None
    start: PartialDate | None = None
    end: PartialDate | Present | None = None
    when: Text | None = None


class SkillGroup(Struct, frozen=True, kw_only=True):
    """Skills under one heading of `content/resume.yaml`."""

    name: Text
    keywords: list[Text]


class ResumeExtras(Struct, frozen=True, kw_only=True):
    """`content/resume.yaml`: what a CV needs and nothing else says."""

    education: list[Education] = []
    skills: list[SkillGroup] = []


# --- a fenced block `chart` in a text -----------------------------------------------------------


class ChartType(StrEnum):
    """How a table of numbers is drawn."""

    BAR = "bar"
    LINE = "line"
    LADDER = "ladder"
    ROOFLINE = "roofline"


class LogAxes(StrEnum):
    """Which axes of a line have decades instead of steps."""

    X = "x"
    Y = "y"
    BOTH = "both"


class ChartBaseline(Struct, frozen=True, kw_only=True):
    """What the numbers of a chart are held against."""

    label: Text
    value: Decimal


class Chart(Struct, frozen=True, kw_only=True):
    """
    A chart: rows in the text (`data`) or a CSV beside it (`file`), and how they are drawn.

    The first column names the rows, or is the x of a line; the others are numbers. `columns` picks
    and orders them. `peak` and `bandwidth` are the roof of a roofline.
    """

    type: ChartType = ChartType.BAR
    title: Text
    unit: Text | None = None
    columns: list[Text] = []
    log: LogAxes | None = None
    baseline: ChartBaseline | None = None
    peak: Decimal | None = None
    bandwidth: Decimal | None = None
    data: list[dict[Text, Text]] = []
    file: Text | None = None


# --- what the reading stage gives ---------------------------------------------------------------


class Source(Struct, frozen=True):
    """
    Markdown below a front matter: its file and the line on which the text begins.

    `tables` are the CSV files that its charts draw, by their paths from the site's folder.
    """

    path: str
    text: str
    line: int = 1
    tables: dict[str, str] = {}


class Heading(Struct, frozen=True):
    """A heading of a text, with its anchor."""

    id: str
    text: str
    level: int


class Reference(Struct, frozen=True):
    """A place on the site that a text links to, the line of the file that does, and its link."""

    site_path: str
    line: int
    href: str


class TextFacts(Struct, frozen=True, kw_only=True):
    """What others need of a rendered text: where it links to, and its count of words."""

    references: tuple[Reference, ...]
    words: int


class Prose(TextFacts, frozen=True, kw_only=True):
    """A rendered text: safe HTML with final addresses, and headings."""

    html: Markup
    headings: tuple[Heading, ...]


class Project(Struct, frozen=True, kw_only=True):
    """One published project."""

    slug: str
    meta: ProjectMeta
    source: Source


class Writing(Struct, frozen=True, kw_only=True):
    """One published write-up."""

    slug: str
    meta: WritingMeta
    source: Source


class About(Struct, frozen=True, kw_only=True):
    """The person, in the person's own words."""

    meta: AboutMeta
    source: Source


class NoteFile(Struct, frozen=True, kw_only=True):
    """A note and the file that it publishes: bytes, and pages where the PDF tells them."""

    note: Note
    path: str
    size: int
    pages: int | None


class Fragments(Struct, frozen=True):
    """The figure of the home page in its parts, each finished markup."""

    queue: Markup
    mode: Markup
    timeline: Markup
    gauges: Markup
    table: Markup
    summary: Markup


class Mark(Struct, frozen=True):
    """What a request does in `length` iterations on end: prefill, recompute or decode."""

    kind: str
    length: int


class Stay(Struct, frozen=True):
    """A request's time in a slot without a break; `start` is its first iteration."""

    id: str
    slot: int
    start: int = field(name="from")
    marks: tuple[Mark, ...] = ()


class Prerendered(Struct, frozen=True):
    """
    What a page shows of a run before any script runs.

    `config` has every key, `at` is the iteration shown, `lives` has a small timeline for each
    request by its id, `stays` are the timeline's bars in order of admission, and `metrics` are
    those of section 7.2 to 7.4 of the scheduler's specification.
    """

    config: dict[str, Any]
    at: int
    html: Fragments
    lives: dict[str, Markup]
    stays: tuple[Stay, ...]
    metrics: dict[str, Any]
    iterations: int
    static_iterations: int


class LeftOut(Struct, frozen=True, order=True):
    """A source that was not published, and why."""

    source: str
    reason: str


class Notice(Struct, frozen=True, order=True):
    """Something that the owner may want to add; it never fails a build."""

    source: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.message}"


class Selection(Struct, frozen=True, kw_only=True):
    """
    What may be published, and what day it is.

    `day` stands for today where it is given; else today is the day of `now` in the site's zone.
    """

    now: datetime
    day: date | None = None
    drafts: bool = False
    future: bool = False


ALWAYS = (-math.inf, math.inf)


class Content(Struct, frozen=True, kw_only=True):
    """
    Everything that is published, validated, sorted, with drafts and future dates gone.

    `same_between` are the moments, in seconds since 1970, between which the same is published.
    """

    site: Site
    projects: tuple[Project, ...]
    writings: tuple[Writing, ...]
    about: About | None
    now: Now | None
    stations: tuple[Station, ...]
    pull_requests: tuple[PullRequest, ...]
    notes: tuple[NoteFile, ...]
    resume: ResumeExtras
    files: frozenset[str]
    left_out: tuple[LeftOut, ...]
    notices: tuple[Notice, ...]
    same_between: tuple[float, float] = ALWAYS

    @property
    def sources(self) -> tuple[Source, ...]:
        """Every text that is rendered."""
        about = (self.about.source,) if self.about else ()
        return (
            *about,
            *(project.source for project in self.projects),
            *(writing.source for writing in self.writings),
        )


# --- what a build gives -------------------------------------------------------------------------


class Changes(Struct, frozen=True, kw_only=True):
    """
    What a commit did to the output folder.

    `abandoned` are files of ours that are no longer made and stay, because somebody changed them.
    `left` are the `signatures` of all our files as the commit left them.
    """

    written: tuple[str, ...]
    removed: tuple[str, ...]
    abandoned: tuple[str, ...]
    kept: int
    left: tuple[str, ...] = ()
