"""
The résumé for machines: what the site says of its owner, in the form of JSON Resume 1.0.

Source: jsonresume.org/schema. A date is exactly as exact as the owner wrote it: a summer stays a
year. In that schema an end that is missing means that something goes on, so whatever is over has
one; a time that is stated by one date alone begins and ends with it, as the pages show it.
"""

from collections.abc import Mapping

from msgspec import json

from batcher_site import routes
from batcher_site.formatting import metric_view
from batcher_site.model import (
    Content,
    Education,
    Metric,
    Outcome,
    PartialDate,
    Present,
    Project,
    PullRequest,
    PullRequestStatus,
    Site,
    SkillGroup,
    Station,
    Status,
    Writing,
)
from batcher_site.urls import Base

_SCHEMA = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json"
_ENDED = (PullRequestStatus.MERGED, PullRequestStatus.CLOSED)


def resume_json(content: Content, base: Base) -> bytes:
    """Give the résumé as JSON text; what the owner's files do not state is left out."""
    resume = {
        "$schema": _SCHEMA,
        "basics": _basics(content.site, base),
        "work": [_work(station) for station in content.stations],
        "education": [_education(item) for item in content.resume.education],
        "skills": [_skill(group) for group in content.resume.skills],
        "projects": [
            *(_project(project, base) for project in content.projects),
            *(_contribution(item) for item in content.pull_requests),
        ],
        "publications": [_publication(writing, base) for writing in content.writings],
        "meta": {"canonical": base.absolute(routes.RESUME_JSON), "version": "v1.0.0"},
    }
    return json.format(json.encode(_without_gaps(resume)), indent=2) + b"\n"


def _basics(site: Site, base: Base) -> Mapping[str, object]:
    owner = site.owner
    return {
        "name": owner.name,
        "label": owner.role,
        "email": owner.email,
        "url": base.absolute(routes.HOME),
        "summary": owner.pitch,
        # The schema asks for a city, a region, a country; the owner's words may be any of them.
        "location": {"address": owner.location},
        "profiles": [
            {"network": link.label, "url": link.url} for link in owner.links.values() if link.url
        ],
    }


def _work(station: Station) -> Mapping[str, object]:
    return {
        "name": station.place,
        "position": station.role,
        **_period(station.start, station.end),
        "summary": station.what,
        "highlights": [station.badge],
    }


def _education(item: Education) -> Mapping[str, object]:
    return {
        "institution": item.institution,
        "area": item.area,
        "studyType": item.degree,
        **_period(item.start, item.end),
    }


def _period(start: PartialDate | None, end: PartialDate | Present | None) -> Mapping[str, object]:
    if isinstance(end, Present):
        return {"startDate": _date(start)}
    return {"startDate": _date(start), "endDate": _date(end or start)}


def _date(date: PartialDate | None) -> str | None:
    return str(date) if date else None


def _skill(group: SkillGroup) -> Mapping[str, object]:
    return {"name": group.name, "keywords": group.keywords}


def _project(project: Project, base: Base) -> Mapping[str, object]:
    meta = project.meta
    # The one date of a project is the latest that is known of it: the end of what is done, and
    # nothing that the schema can say of what is not.
    return {
        "name": meta.title,
        "description": meta.summary,
        "highlights": [_measured(metric) for metric in meta.metrics],
        "keywords": list(dict.fromkeys((*meta.stack, *meta.tags))),
        "endDate": _date(meta.date) if meta.status is Status.DONE else None,
        "url": base.absolute(routes.project(project.slug)),
    }


def _measured(metric: Metric) -> str:
    """Give a metric in one line; a loss says so, as on every page."""
    view = metric_view(metric)
    text = f"{view.label}: {view.text}"
    if view.baseline_text:
        text += f" ({view.baseline_label} {view.baseline_text})"
    return f"{text}, {view.outcome_text}" if metric.outcome is Outcome.LOSS else text


def _contribution(item: PullRequest) -> Mapping[str, object]:
    month = _date(item.month)
    return {
        "name": f"{item.repository} #{item.number}: {item.title}",
        "description": item.note,
        "highlights": [item.status_text or str(item.status).replace("-", " ")],
        **({"endDate": month} if item.status in _ENDED else {"startDate": month}),
        "url": item.link,
        "type": "open-source contribution",
    }


def _publication(writing: Writing, base: Base) -> Mapping[str, object]:
    meta = writing.meta
    return {
        "name": meta.title,
        "releaseDate": _date(meta.date),
        "url": base.absolute(routes.writing(writing.slug)),
        "summary": meta.summary,
    }


def _without_gaps(value: object) -> object:
    """Leave out what is not known, and the lists and objects that are empty without it."""
    if isinstance(value, Mapping):
        pairs = ((key, _without_gaps(item)) for key, item in value.items())
        return {key: item for key, item in pairs if item}
    if isinstance(value, list):
        return [item for item in map(_without_gaps, value) if item]
    return value
