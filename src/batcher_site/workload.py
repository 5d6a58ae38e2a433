"""
The simulation's workload: which projects and pull requests are requests, and how long they are.

Lengths come from the front matter only, never from the text, so mending a typo leaves the run of
the home page alone. A key of `request:` replaces the derived length, key by key.
"""

from msgspec import Struct

from batcher_site import routes
from batcher_site.model import Content, Project, PullRequest, RequestLengths

_PROMPT_RANGE = (16, 150)
_PROMPT_TOKENS_PER_WORD = 4
_OUTPUT_RANGE = (8, 44)
_OUTPUT_BASE = 8
_OUTPUT_TOKENS_PER_METRIC = 6


class Request(Struct, frozen=True):
    """A request of the simulation; lengths in tokens, arrival in iterations."""

    id: str
    prompt: int
    output: int
    arrival: int


class Entry(Struct, frozen=True, kw_only=True):
    """A request with what it stands for, and the site path where that is told."""

    request: Request
    label: str
    title: str
    site_path: str
    pinned: bool


def entries(content: Content) -> tuple[Entry, ...]:
    """Give every project and pull request as a request: the pinned first, then in their order."""
    projects = [_of_project(project) for project in content.projects]
    pull_requests = [_of_pull_request(item, content) for item in content.pull_requests]
    found = [*projects, *pull_requests]
    return tuple(sorted(found, key=lambda entry: not entry.pinned))


def _of_project(project: Project) -> Entry:
    meta = project.meta
    return Entry(
        request=_request(project.slug, meta.summary, len(meta.metrics), meta.request),
        label=project.slug,
        title=meta.title,
        site_path=routes.project(project.slug),
        pinned=meta.pinned,
    )


def _of_pull_request(item: PullRequest, content: Content) -> Entry:
    metrics = 1 if item.headline else 0
    return Entry(
        request=_request(routes.pull_request_id(item), item.title, metrics, item.request),
        label=f"{item.repository} #{item.number}",
        title=f"{item.repository} #{item.number}: {item.title}",
        site_path=routes.pull_request(item, content),
        pinned=item.pinned,
    )


def _request(name: str, text: str, metrics: int, own: RequestLengths) -> Request:
    prompt = _clamp(_PROMPT_TOKENS_PER_WORD * len(text.split()), _PROMPT_RANGE)
    output = _clamp(_OUTPUT_BASE + _OUTPUT_TOKENS_PER_METRIC * metrics, _OUTPUT_RANGE)
    return Request(
        id=name,
        prompt=prompt if own.prompt is None else own.prompt,
        output=output if own.output is None else own.output,
        arrival=own.arrival or 0,
    )


def _clamp(value: int, limits: tuple[int, int]) -> int:
    return max(limits[0], min(value, limits[1]))
