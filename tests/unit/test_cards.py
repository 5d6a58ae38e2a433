"""Things as they stand in lists: what each card says, links to, and leaves out."""

from collections.abc import Iterable

import pytest
from markupsafe import Markup

from batcher_site import cards
from batcher_site.model import (
    About,
    AboutMeta,
    Content,
    ExperienceLink,
    Hardware,
    LinkKind,
    Metric,
    Note,
    NoteFile,
    Now,
    Owner,
    OwnerLink,
    PartialDate,
    ProjectLink,
    Prose,
    PullRequestStatus,
    SectionSettings,
    Source,
    Station,
    Status,
)
from batcher_site.urls import Base
from batcher_site.views import Link
from tests.unit.values import content, metric, project, pull_request, site, writing

BASE = Base.parse("https://me.example/a/")


def made(**fields: object) -> cards.Cards:
    return with_words(500, content(**fields))


def with_words(words: int, read: Content) -> cards.Cards:
    prose = Prose(html=Markup(), headings=(), references=(), words=words)
    return cards.make(read, {item.source.path: prose for item in read.writings}, BASE)


# --- the frame ----------------------------------------------------------------------------------


def test_the_frame_has_the_addresses_of_every_page_s_links() -> None:
    frame = made().site
    assert (frame.home, frame.resume, frame.feed, frame.writings) == (
        "/a/",
        "/a/resume/",
        "/a/feed.xml",
        "/a/writing/",
    )


def test_the_wordmark_is_the_title_unless_it_is_given() -> None:
    assert made(site=site(title="T")).site.wordmark == "T"
    assert made(site=site(title="T", wordmark="W")).site.wordmark == "W"


@pytest.mark.parametrize(
    ("wordmark", "name", "rest"),
    [
        ("A BATCHER", "A", "BATCHER"),
        ("A", "A", ""),
        ("Ab c", "Ab c", ""),
        ("The A x", "The A x", ""),
    ],
)
def test_the_wordmark_is_split_behind_the_owners_name(wordmark: str, name: str, rest: str) -> None:
    frame = made(site=site(owner=Owner(name="A", role="R", pitch="P"), wordmark=wordmark)).site
    assert (frame.wordmark_name, frame.wordmark_rest) == (name, rest)


def test_a_card_tells_whether_a_metric_has_a_number() -> None:
    words = Metric(label="L", values="measuring")
    (without, having) = made(
        projects=[project("a", metrics=[words]), project("b", metrics=[words, metric("M", "5")])]
    ).projects
    assert (without.has_readings, having.has_readings) == (False, True)


def test_the_owner_can_be_reached_in_the_order_of_the_settings() -> None:
    links = {
        "github": OwnerLink(label="GitHub", url="https://a.example/"),
        "site": OwnerLink(label="Site"),
    }
    owner = Owner(name="N", role="R", pitch="P", email="a@b.example", links=links)
    person = made(site=site(owner=owner)).site.owner
    assert (person.email, person.email_href) == ("a@b.example", "mailto:a@b.example")
    assert person.links == (
        Link(label="GitHub", href="https://a.example/", kind="github", external=True),
        Link(label="Site", kind="site"),
    )


def test_an_owner_without_a_mail_has_no_address_for_it() -> None:
    assert made().site.owner.email_href is None


@pytest.mark.parametrize(
    ("hardware", "text"),
    [
        (Hardware(gpu="RTX"), "RTX"),
        (Hardware(gpu="RTX", memory="16 GB"), "RTX (16 GB)"),
        (Hardware(gpu="RTX", compute_capability="sm_120"), "RTX (sm_120)"),
        (
            Hardware(
                gpu="RTX",
                architecture="Blackwell",
                compute_capability="sm_120",
                memory="16 GB",
                cuda="CUDA 12.9",
            ),
            "RTX (Blackwell, sm_120 · 16 GB · CUDA 12.9)",
        ),
    ],
)
def test_the_hardware_is_one_line_of_what_is_known(hardware: Hardware, text: str) -> None:
    view = made(site=site(hardware=hardware)).site.hardware
    assert view is not None
    assert (view.gpu, view.text) == ("RTX", text)


def test_without_hardware_nothing_is_said() -> None:
    assert made().site.hardware is None


# --- sections -----------------------------------------------------------------------------------


def full() -> dict[str, object]:
    """Content for every section."""
    return {
        "projects": (project("x"),),
        "pull_requests": (
            pull_request(number=1),
            pull_request(number=2, status=PullRequestStatus.IN_REVIEW),
            pull_request(number=3, status=PullRequestStatus.MERGED),
        ),
        "writings": (writing("w"),),
        "about": About(meta=AboutMeta(), source=Source("content/about.md", "")),
        "stations": (Station(start=PartialDate(2025), role="R"),),
        "notes": (note("T", "a.pdf"),),
    }


def note(topic: str, file: str) -> NoteFile:
    value = Note(topic=topic, title=file, file=file)
    return NoteFile(note=value, path=f"content/notes/{file}", size=84_000, pages=3)


def sections(settings: Iterable[SectionSettings], **fields: object) -> list[tuple[str, str]]:
    owner = Owner(name="N", role="R", pitch="P", email="a@b.example")
    found = made(site=site(sections=list(settings), owner=owner), **fields).site.sections
    return [(section.number, section.id) for section in found]


def test_without_settings_every_section_is_there_in_order() -> None:
    assert sections([], **full()) == [
        ("00", "top"),
        ("01", "about"),
        ("02", "work"),
        ("03", "experience"),
        ("04", "open-source"),
        ("05", "writing"),
        ("06", "resume"),
        ("07", "contact"),
        ("08", "notes"),
    ]


def test_a_section_without_content_is_left_out_and_not_counted() -> None:
    settings = [SectionSettings(id=name, title="T") for name in ("top", "work", "contact")]
    assert sections(settings) == [("00", "top"), ("01", "contact")]


def test_a_section_may_have_a_number_of_its_own() -> None:
    settings = [
        SectionSettings(id="top", title="T", number=7),
        SectionSettings(id="contact", title="T"),
    ]
    assert sections(settings) == [("07", "top"), ("01", "contact")]


def test_an_intro_counts_projects_and_pull_requests_that_are_open() -> None:
    settings = [
        SectionSettings(id="work", title="T", eyebrow="E", intro="{projects}, {open_prs} open"),
        SectionSettings(id="top", title="T"),
    ]
    work, top = made(site=site(sections=settings), **full()).site.sections
    assert (work.intro, work.eyebrow, work.href) == ("One, two open", "E", "/a/#work")
    assert (top.intro, top.href) == (None, "/a/#top")


@pytest.mark.parametrize(
    ("section", "fields"),
    [
        ("about", {"now": Now(month=PartialDate(2026, 1), items=[])}),
        ("work", {"pull_requests": (pull_request(),)}),
        ("open-source", {"pull_requests": (pull_request(),)}),
        ("experience", {"stations": (Station(start=PartialDate(2025), role="R"),)}),
        ("writing", {"writings": (writing("w"),)}),
        ("notes", {"notes": (note("T", "a.pdf"),)}),
    ],
)
def test_a_section_is_shown_once_it_has_something(section: str, fields: dict[str, object]) -> None:
    assert not cards.has_content(content(), section)
    assert cards.has_content(content(**fields), section)


def test_contact_is_shown_with_a_mail_or_a_link() -> None:
    def of(owner: Owner) -> Content:
        return content(site=site(owner=owner))

    links = {"x": OwnerLink(label="X")}
    assert not cards.has_content(content(), "contact")
    assert cards.has_content(of(Owner(name="N", role="R", pitch="P", links=links)), "contact")
    assert cards.has_content(content(), "top")
    assert cards.has_content(content(), "resume")


# --- projects, write-ups, pull requests ---------------------------------------------------------


def test_a_project_s_card_says_what_its_front_matter_says() -> None:
    (card,) = made(
        projects=(
            project(
                "x",
                title="X",
                summary="S",
                date=PartialDate(2026, 10),
                stack=["CUDA"],
                tags=["GPU", "C++"],
                status=Status.IN_PROGRESS,
                metrics=[metric("M", "5")],
                hardware=Hardware(gpu="Other"),
            ),
        )
    ).projects
    assert (card.id, card.log_id, card.title, card.href) == ("x", "P01", "X", "/a/projects/x/")
    assert (card.summary, card.stack) == ("S", ("CUDA",))
    assert (card.status, card.status_text) == ("in-progress", "in progress")
    assert card.date is not None
    assert card.date.text == "Oct 2026"
    assert [metric.text for metric in card.metrics] == ["5"]
    assert card.tags == (
        Link(label="GPU", href="/a/tags/gpu/"),
        Link(label="C++", href="/a/tags/c-plus-plus/"),
    )
    assert card.hardware is not None
    assert card.hardware.text == "Other"


@pytest.mark.parametrize(
    ("status", "text"),
    [(Status.DONE, "done"), (Status.IN_PROGRESS, "in progress"), (Status.PLANNED, "planned")],
)
def test_a_project_s_status_has_a_text_of_its_own_or_the_owner_s(status: Status, text: str) -> None:
    (card,) = made(projects=(project("x", status=status),)).projects
    assert card.status_text == text
    (card,) = made(projects=(project("x", status=status, status_text="my words"),)).projects
    assert (card.status, card.status_text) == (str(status), "my words")


def test_a_project_s_links_are_named_and_its_write_ups_follow() -> None:
    links = [
        ProjectLink(kind=LinkKind.REPO, url="https://a.example/x"),
        ProjectLink(kind=LinkKind.PAPER),
        ProjectLink(kind=LinkKind.PDF, url="https://a.example/p", label="Slides"),
    ]
    (card, other) = made(
        projects=(project("x", links=links), project("y")),
        writings=(writing("w", title="Why", project="x"), writing("v")),
    ).projects
    assert card.links == (
        Link(label="Repo: x", href="https://a.example/x", kind="repo", external=True),
        Link(label="Paper: x", kind="paper"),
        Link(label="Slides", href="https://a.example/p", kind="pdf", external=True),
        Link(label="Write-up: Why", href="/a/writing/w/", kind="writeup"),
    )
    assert other.links == ()


@pytest.mark.parametrize(
    ("words", "text", "minutes"),
    [
        (0, "0 words", 1),
        (1, "1 word", 1),
        (220, "220 words", 1),
        (331, "331 words", 2),
        (2200, "2,200 words", 10),
    ],
)
def test_a_write_up_tells_how_long_it_is_read(words: int, text: str, minutes: int) -> None:
    read = content(writings=(writing("w", tags=["A b"], updated=PartialDate(2027)),))
    (card,) = with_words(words, read).writings
    assert (card.words_text, card.minutes) == (text, minutes)
    assert (card.href, card.summary) == ("/a/writing/w/", "")
    assert card.updated is not None
    assert (card.date.iso, card.updated.iso) == ("2026-10-05", "2027")
    assert card.tags == (Link(label="A b", href="/a/tags/a-b/"),)


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (PullRequestStatus.OPEN, "open"),
        (PullRequestStatus.IN_REVIEW, "in review"),
        (PullRequestStatus.MERGED, "merged"),
        (PullRequestStatus.CLOSED, "closed"),
    ],
)
def test_a_pull_request_s_card_links_to_where_it_is_discussed(
    status: PullRequestStatus, text: str
) -> None:
    first, second = made(
        pull_requests=(
            pull_request(status=status, link="https://a.example/7"),
            pull_request(number=8, status=status, status_text="my words", note="N"),
        )
    ).pull_requests
    assert (first.id, first.month.text, first.status) == ("vllm-7", "Sep 2026", str(status))
    assert (first.status_text, first.note) == (text, None)
    assert first.link == Link(label="PR #7", href="https://a.example/7", external=True)
    assert (second.status_text, second.note) == ("my words", "N")
    assert second.link == Link(label="PR #8")


def test_a_station_s_links_open_a_new_tab_where_there_is_an_address() -> None:
    links = [ExperienceLink(label="Site", url="https://a.example/"), ExperienceLink(label="Talk")]
    station = Station(
        start=PartialDate(2025, 6), end=PartialDate(2025, 8), role="R", badge="B", links=links
    )
    (view,) = made(stations=(station,)).stations
    assert (view.when, view.start, view.badge) == ("Jun 2025–Aug 2025", "2025-06", "B")
    assert view.links == (
        Link(label="Site", href="https://a.example/", external=True, new_tab=True),
        Link(label="Talk"),
    )


# --- lists --------------------------------------------------------------------------------------


def test_the_log_has_projects_by_number_then_pull_requests_by_theirs() -> None:
    log = made(
        projects=(
            project("x", metrics=[metric("First", "1"), metric("Second", "2", unit="ms")]),
            project("y", headline="Second", metrics=[metric("First", "1"), metric("Second", "2")]),
            project("z"),
        ),
        pull_requests=(pull_request(headline="+5%"), pull_request(number=8)),
    ).log
    assert [(row.id, row.request_id, row.headline) for row in log] == [
        ("P01", "x", "First: 1"),
        ("P02", "y", "Second: 2"),
        ("P03", "z", ""),
        ("#7", "vllm-7", "+5%"),
        ("#8", "vllm-8", ""),
    ]
    assert [row.href for row in log[2:4]] == ["/a/projects/z/", "/a/#vllm-7"]
    assert [row.title for row in log[2:4]] == ["Z", "vLLM: Mend it"]


def test_notes_are_grouped_by_topic_in_the_order_of_the_file() -> None:
    notes = (note("B", "b.pdf"), note("A", "a b.pdf"), note("B", "c.pdf"))
    topics = made(notes=notes).notes
    assert [(topic.topic, [item.title for item in topic.notes]) for topic in topics] == [
        ("B", ["b.pdf", "c.pdf"]),
        ("A", ["a b.pdf"]),
    ]
    assert topics[1].notes[0].href == "/a/notes/a%20b.pdf"
    assert (topics[0].notes[0].size, topics[0].notes[0].pages) == ("84 kB", 3)
