"""Small values of the content's types, for the tests of the modules that take them."""

from decimal import Decimal

from markupsafe import Markup

from batcher_site.model import (
    Content,
    Metric,
    Owner,
    PartialDate,
    Project,
    ProjectMeta,
    PullRequest,
    PullRequestStatus,
    Reading,
    ResumeExtras,
    Site,
    Source,
    Writing,
    WritingMeta,
)
from batcher_site.pages import Page
from batcher_site.views import Link, NotFound, PageView


def site(**fields: object) -> Site:
    given = {"title": "Site", "owner": Owner(name="Ada", role="Tests", pitch="A pitch."), **fields}
    return Site(**given)  # type: ignore[arg-type]


def project(slug: str, **meta: object) -> Project:
    text = str(meta.pop("text", ""))
    given = {"title": slug.title(), "summary": "A summary of five words.", **meta}
    return Project(
        slug=slug,
        meta=ProjectMeta(**given),  # type: ignore[arg-type]
        source=Source(f"content/projects/{slug}.md", text),
    )


def writing(slug: str, **meta: object) -> Writing:
    given = {"title": slug.title(), "date": PartialDate(2026, 10, 5), **meta}
    return Writing(
        slug=slug,
        meta=WritingMeta(**given),  # type: ignore[arg-type]
        source=Source(f"content/writing/{slug}.md", ""),
    )


def pull_request(**fields: object) -> PullRequest:
    given = {
        "repository": "vLLM",
        "number": 7,
        "title": "Mend it",
        "month": PartialDate(2026, 9),
        "status": PullRequestStatus.OPEN,
        **fields,
    }
    return PullRequest(**given)  # type: ignore[arg-type]


def metric(label: str, *values: str, unit: str | None = None, **fields: object) -> Metric:
    """Give a metric with a reading for each number."""
    readings = [Reading(value=Decimal(value), unit=unit) for value in values]
    return Metric(label=label, values=readings, **fields)  # type: ignore[arg-type]


def content(**fields: object) -> Content:
    given = {
        "site": site(),
        "projects": (),
        "writings": (),
        "about": None,
        "now": None,
        "stations": (),
        "pull_requests": (),
        "notes": (),
        "resume": ResumeExtras(),
        "files": frozenset(),
        "left_out": (),
        "notices": (),
        **fields,
    }
    return Content(**given)  # type: ignore[arg-type]


def page(site_path: str, kind: str = "not_found", **fields: object) -> Page:
    """Give a page with a view that has nothing to show."""
    head = {
        "kind": kind,
        "url": site_path,
        "image": None,
        "canonical": f"https://me.example{site_path}",
        "title": "Title",
        "description": "Description",
        "language": "en",
        "date": None,
        "updated": None,
        "section": None,
        "breadcrumbs": (Link(label="Home", href="/"), Link(label="Here")),
        "json_ld": Markup(),
        "is_draft": False,
        "open_graph_type": "website",
        "content_security_policy": "",
        "style": Markup(),
        "theme_script": Markup(),
        "scripts": (),
        **fields,
    }
    return Page(
        site_path=site_path,
        kind=kind,
        source="content/site.yaml",
        page=PageView(**head),  # type: ignore[arg-type]
        view=NotFound(sections=()),
    )
