"""
The build as a list of steps: read, render everything in memory, check it, commit what differs.

Values go forward only. A stage that finds faults raises them all together, and no later stage
starts, so the last good site stays as it is.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct, json, structs

from batcher_site import (
    assets,
    cards,
    check,
    content,
    documents,
    output,
    pages,
    routes,
    sources,
    urls,
    workload,
)
from batcher_site.errors import ContentError, SiteError, SiteErrors, UsageError
from batcher_site.model import (
    Changes,
    Content,
    LeftOut,
    Notice,
    Selection,
    SimulationSettings,
)
from batcher_site.prose import Prose, Writer
from batcher_site.render import Renderer
from batcher_site.simulation import Prerendered, Scripts, Simulator, link_scripts
from batcher_site.urls import CONTENT, Base

_ACTIVE_SUFFIXES = (".html", ".htm", ".xhtml", ".xht", ".shtml", ".xml", ".js", ".mjs", ".swf")
_ACTIVE_SVG = re.compile(rb"<script|<foreignObject|\son\w+\s*=|javascript:|<!ENTITY", re.IGNORECASE)

T = TypeVar("T")


class Options(Struct, frozen=True, kw_only=True):
    """What a build is asked for: the site's folder, its address, and what may be published."""

    source: str
    base_url: str | None = None
    selection: Selection


class Timing(Struct, frozen=True):
    """How long a stage took, in seconds."""

    stage: str
    seconds: float


class RenderedSite(Struct, frozen=True, kw_only=True):
    """A whole site in memory: output path to bytes, and what the owner should hear about it."""

    outputs: Mapping[str, bytes]
    pages: int
    left_out: tuple[LeftOut, ...]
    notices: tuple[Notice, ...]
    has_address: bool
    same_between: tuple[float, float]
    timings: tuple[Timing, ...]


class Report(Struct, frozen=True, kw_only=True):
    """A finished build: the site, what the commit did, and how long every stage took."""

    site: RenderedSite
    changes: Changes
    timings: tuple[Timing, ...]


def build(options: Options, folder: str) -> Report:
    """
    Render the site and bring the output folder to it.

    Raises UsageError before anything is written if the folder is not ours, SiteError or SiteErrors
    for faults of the site.
    """
    output.refuse_dangerous(folder, options.source)
    site = render_site(options)
    watch = _Stopwatch()
    changes = watch.time("commit", lambda: output.commit(site.outputs, folder))
    return Report(site=site, changes=changes, timings=(*site.timings, *watch.timings))


def render_site(options: Options) -> RenderedSite:
    """Make every file of the site in memory and check it; raise SiteErrors for its faults."""
    watch = _Stopwatch()
    read = watch.time("read", lambda: content.load(options.source, options.selection))
    base = site_base(options.base_url, read)
    found = watch.time("assets", lambda: assets.find(options.source))
    proses = watch.time("prose", lambda: render_proses(read, base))
    requests = workload.entries(read)
    is_shown = requests and read.site.simulation.include
    scripts = watch.time("link", lambda: link_simulation(found)) if is_shown else None
    given = simulation_input(requests, read.site.simulation, base)
    run = watch.time("simulation", lambda: prerender(scripts, given)) if scripts else None
    files = _figure_files(scripts, found) if scripts else {}
    figure = pages.Figure(run, *map(base.href, files)) if run else None
    plan = watch.time("plan", lambda: pages.plan(read, proses, figure, base, found.heads(base)))
    rendered = watch.time("render", lambda: _render(plan, found, base))
    linked = _linked_files(read, proses)
    beside = sources.read_files(options.source, linked)
    _refuse_active(beside)
    outputs = _collect(
        {
            "the generated pages": rendered,
            "the generated files": documents.documents(plan, base, read.site.domain),
            "the simulation's data": _simulation_data(run, given),
            "the simulation's files": files,
            CONTENT: beside,
            assets.STATIC: found.published(),
        }
    )
    watch.time("check", lambda: _check(outputs, plan, read, base))
    return RenderedSite(
        outputs=outputs,
        pages=len(plan.pages),
        left_out=read.left_out,
        notices=tuple(sorted((*read.notices, *_notices(read, linked.values())))),
        has_address=bool(options.base_url or read.site.url or read.site.domain),
        same_between=read.same_between,
        timings=watch.timings,
    )


def site_base(base_url: str | None, read: Content) -> Base:
    """Give the site's address: the one asked for, the settings', the domain's, or a stand-in."""
    domain = f"https://{read.site.domain}/" if read.site.domain else None
    url = base_url or read.site.url or domain or urls.FALLBACK_URL
    try:
        return Base.parse(url)
    except ValueError:
        message = f'"{url}" is not the address of a site'
        hint = "write it whole, such as https://me.github.io/portfolio/"
        if base_url:
            raise UsageError(message, hint=hint) from None
        raise ContentError(message, source=sources.SETTINGS, hint=hint) from None


def render_proses(read: Content, base: Base) -> dict[str, Prose]:
    """Render every text by its source path; raise SiteErrors with the faults of all of them."""
    unpublished = {item.source: item.reason for item in read.left_out}
    writer = Writer(routes.known_files(read), unpublished, base)
    proses: dict[str, Prose] = {}
    errors: list[SiteError] = []
    for source in read.sources:
        try:
            proses[source.path] = writer.render(source)
        except SiteErrors as group:
            errors += group.errors
        except SiteError as error:
            errors.append(error)
    if errors:
        raise SiteErrors(errors)
    return proses


def simulation_input(
    entries: Sequence[workload.Entry], settings: SimulationSettings, base: Base
) -> dict[str, Any]:
    """Give what the simulation is run with, and what its figure shows of each request."""
    shown = entries[: settings.include]
    return {
        "config": {},
        "requests": [structs.asdict(entry.request) for entry in shown],
        "at": settings.at,
        "seed": settings.seed,
        "total": len(entries),
        "items": {
            entry.request.id: {
                "label": entry.label,
                "title": entry.title,
                "href": base.href(entry.site_path),
                "pinned": entry.pinned,
            }
            for entry in shown
        },
    }


def prerender(scripts: Scripts, given: Mapping[str, Any]) -> Prerendered:
    """Run the site's requests through the simulation's own JavaScript, as the page will."""
    return Simulator(scripts.page, scripts.prerender).prerender(given)


def simulate(workload_json: bytes, name: str, source: str) -> str:
    """Give the trace of a workload as JSON text; `name` is the workload's word in messages."""
    scripts = link_simulation(assets.find(source))
    return Simulator(scripts.page, scripts.prerender).simulate(workload_json, source=name)


def link_simulation(found: assets.Assets) -> Scripts:
    """Join the simulation's modules to the scripts that the engine and the browser run."""
    return link_scripts(found.simulation_modules())


def _figure_files(scripts: Scripts, found: assets.Assets) -> dict[str, bytes]:
    """Give the files of the figure by their site paths, in the order of `pages.Figure`."""
    drawer = {
        "markup": found.text(assets.DRAWER).replace("\n", ""),
        "style": found.sheet(assets.DRAWER_SHEET),
    }
    texts = {
        "/js/simulation.js": scripts.page.text,
        "/js/controls.js": scripts.controls.text,
        "/js/drawer.json": json.encode(drawer).decode(),
    }
    return {
        assets.fingerprinted(site_path, text.encode()): text.encode()
        for site_path, text in texts.items()
    }


def _render(plan: pages.Plan, found: assets.Assets, base: Base) -> dict[str, bytes]:
    def asset(path: str) -> str:
        return base.href(found.site_path(path))

    renderer = Renderer(found.template_folders, asset=asset, url=base.href)
    return renderer.render(plan.pages, plan.site)


def _simulation_data(run: Prerendered | None, given: Mapping[str, Any]) -> dict[str, bytes]:
    """
    Give the run's input, from which the page goes on.

    It is a workload too, so that anybody can run it again with `batcher simulate`.
    """
    if run is None:
        return {}
    data = {**given, "config": run.config, "at": run.at}
    return {routes.SIMULATION_DATA: json.encode(data) + b"\n"}


def _linked_files(read: Content, proses: Mapping[str, Prose]) -> dict[str, str]:
    """Map the site paths of files that something on the site leads to onto the files."""
    files = {routes.content_file(path): path for path in read.files}
    wanted = {
        reference.site_path.partition("#")[0]
        for prose in proses.values()
        for reference in prose.references
    }
    wanted |= {routes.content_file(item.path) for item in read.notes}
    covers = (pages.cover_path(project) for project in read.projects)
    wanted |= {routes.content_file(cover) for cover in covers if cover}
    return {path: files[path] for path in wanted & files.keys()}


def _refuse_active(files: Mapping[str, bytes]) -> None:
    """Files of `content/` may be a contributor's: none may run on the site's own origin."""
    errors = [
        ContentError(
            "a file that a browser would run is not published from content/",
            source=f"{CONTENT}{path}",
            line=1,
            column=1,
            hint="take the script out, or put the file into static/, which is trusted",
        )
        for path, data in files.items()
        if path.lower().endswith(_ACTIVE_SUFFIXES)
        or (path.lower().endswith(".svg") and _ACTIVE_SVG.search(data))
    ]
    if errors:
        raise SiteErrors(errors)


def _collect(groups: Mapping[str, Mapping[str, bytes]]) -> dict[str, bytes]:
    """Join all files by their output path; two for one place are an error that names both."""
    outputs: dict[str, bytes] = {}
    origins: dict[str, str] = {}
    errors = []
    for origin, files in groups.items():
        for site_path, data in files.items():
            path = urls.output_file(site_path)
            if path in outputs:
                errors.append(
                    ContentError(
                        f"{origins[path]} already claim the address {site_path}",
                        source=f"{origin}{site_path}",
                        hint="rename the file",
                    )
                )
            outputs[path] = data
            origins[path] = origin
    if errors:
        raise SiteErrors(errors)
    return outputs


def _check(outputs: Mapping[str, bytes], plan: pages.Plan, read: Content, base: Base) -> None:
    texts = {source.path: source for source in read.sources}
    if read.about:
        # The home page is made from the settings, but the one text on it is this.
        texts[sources.SETTINGS] = read.about.source
    checked = [
        check.CheckedPage(urls.output_file(page.site_path), page.source, texts.get(page.source))
        for page in plan.pages
    ]
    problems = check.check(outputs, checked, base)
    if problems:
        raise SiteErrors(problems)


def _notices(read: Content, linked: Iterable[str]) -> Iterable[Notice]:
    """Give what only the whole of the content shows."""
    for spellings in routes.tag_spellings(read).values():
        if len(spellings) > 1:
            written = ", ".join(f'"{spelling}"' for spelling in spellings)
            message = f"a tag is written {written}; the first is shown"
            yield Notice(sources.SETTINGS, 1, message)
    for section in read.site.sections:
        if not cards.has_content(read, section.id):
            message = f'the section "{section.id}" has nothing to show and is left out'
            yield Notice(sources.SETTINGS, 1, message)
    for path in read.files.difference(linked):
        yield Notice(path, 1, "nothing links to this file, so it is not published")


class _Stopwatch:
    """Times the stages of one build."""

    def __init__(self) -> None:
        self._timings: list[Timing] = []

    @property
    def timings(self) -> tuple[Timing, ...]:
        return tuple(self._timings)

    def time(self, stage: str, work: Callable[[], T]) -> T:
        start = time.perf_counter()
        result = work()
        self._timings.append(Timing(stage, time.perf_counter() - start))
        return result
