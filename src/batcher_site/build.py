"""
The build as a list of steps: read, render everything in memory, check it, commit what differs.

Values go forward only. A stage that finds faults raises them all together, and no later stage
starts, so the last good site stays as it is.
"""

import posixpath
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, TypeVar

from msgspec import Struct, json, structs

from batcher_site import (
    assets,
    audit,
    cards,
    check,
    content,
    contrast,
    documents,
    external,
    imaging,
    output,
    pages,
    painter,
    parallel,
    pictures,
    render,
    resume_json,
    resume_pdf,
    routes,
    scripts,
    simulation,
    sources,
    stylesheets,
    urls,
    workload,
)
from batcher_site.errors import CheckError, ContentError, SiteErrors, UsageError
from batcher_site.memo import Memo
from batcher_site.model import (
    Changes,
    Content,
    LeftOut,
    Notice,
    Prerendered,
    Selection,
    SimulationSettings,
    TextFacts,
)
from batcher_site.press import Finished, Ground, Press, files
from batcher_site.texts import Progress, Texts, render_texts
from batcher_site.urls import CONTENT, SETTINGS, Base

_SLOWEST = 10
_ACTIVE_SUFFIXES = (".html", ".htm", ".xhtml", ".xht", ".shtml", ".xml", ".js", ".mjs", ".swf")
_ACTIVE_SVG = re.compile(rb"<script|<foreignObject|\son\w+\s*=|javascript:|<!ENTITY", re.IGNORECASE)

T = TypeVar("T")


class Options(Struct, frozen=True, kw_only=True):
    """
    What a build is asked for: the site's folder, its address, and what may be published.

    `jobs` is how many processes may render texts, None for one on each core.
    """

    source: str
    base_url: str | None = None
    selection: Selection
    jobs: int | None = None


class Timing(Struct, frozen=True):
    """How long a stage or a page took, in seconds."""

    name: str
    seconds: float


class Files(Mapping[str, bytes]):
    """
    Files by their output paths; the bytes of a page are read or rendered when they are asked for.

    `digests` has what is known of files whose bytes nobody has asked for.
    """

    def __init__(self, held: Mapping[str, bytes | Callable[[], bytes]]) -> None:
        self._held = held
        self.digests: dict[str, str] = {}

    def __getitem__(self, path: str) -> bytes:
        data = self._held[path]
        return data if isinstance(data, bytes) else data()

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, path: object) -> bool:
        return path in self._held


class RenderedSite(Struct, frozen=True, kw_only=True):
    """
    A whole site in memory: output path to bytes, and what the owner should hear about it.

    `checked` are its pages, `origins` the files of `content/` that outputs are copies of,
    `ignored_links` the beginnings of those that are not asked for.
    """

    outputs: Files
    pages: int
    checked: tuple[check.CheckedPage, ...]
    base: Base
    origins: dict[str, str]
    ignored_links: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    notices: tuple[Notice, ...]
    has_address: bool
    same_between: tuple[float, float]
    timings: tuple[Timing, ...]
    slowest: tuple[Timing, ...]


class Report(Struct, frozen=True, kw_only=True):
    """A finished build: the site, what the commit did, and how long every stage took."""

    site: RenderedSite
    changes: Changes
    timings: tuple[Timing, ...]


class Inspection(Struct, frozen=True):
    """A site that builds, the problems that it has nonetheless, and all notices."""

    site: RenderedSite
    problems: tuple[CheckError, ...]
    notices: tuple[Notice, ...]


def build(
    options: Options,
    folder: str,
    memo: Memo | None = None,
    left: Sequence[str] = (),
    progress: Progress | None = None,
) -> Report:
    """
    Render the site and bring the output folder to it.

    `memo` is what earlier builds remembered, `left` the signatures of the files that they left.
    Raises UsageError before anything is written if the folder is not ours, SiteError or SiteErrors
    for faults of the site.
    """
    output.refuse_dangerous(folder, options.source)
    site = render_site(options, memo, progress)
    watch = _Stopwatch()
    outputs = site.outputs
    changes = watch.time("commit", lambda: output.commit(outputs, folder, outputs.digests, left))
    return Report(site=site, changes=changes, timings=(*site.timings, *watch.timings))


def render_site(
    options: Options, memo: Memo | None = None, progress: Progress | None = None
) -> RenderedSite:
    """Make every file of the site in memory and check it; raise SiteErrors for its faults."""
    memo = memo or Memo()
    watch = _Stopwatch()
    read = watch.time("read", lambda: content.load(options.source, options.selection, memo))
    base = site_base(options.base_url, read)
    has_address = bool(options.base_url or read.site.url or read.site.domain)
    found = watch.time("assets", lambda: assets.find(options.source))
    made = watch.time("scripts", lambda: _scripts(found, memo))
    heads = watch.time("styles", lambda: _heads(found, made, base, memo))
    texts = watch.time("texts", lambda: render_texts(read, base, memo, options.jobs, progress))
    figure = watch.time("simulation", lambda: draw_figure(read, found, made, base, memo))
    linked = _linked_files(read, texts)
    raw = sources.read_files(options.source, linked)
    _refuse_active(raw)
    beside, shown = watch.time("pictures", lambda: _ready(raw, read, texts, base, memo))
    parts = pages.Parts(heads=heads, figure=figure.shown, pictures=shown)
    listed = cards.make(read, texts, base)
    said = memo.key("said", _frame(read, texts), base, has_address)
    given = partial(pages.paper, read, listed, base, has_address=has_address)
    paper = watch.time("paper", lambda: _paper(read, found, said, given, memo))
    if paper.data is not None:
        listed = cards.with_paper(listed, base)
    table = watch.time("plan", lambda: pages.plan(read, listed, parts, base))
    painting = _begin_painting(table, found, memo)
    ground = Ground(
        frame=memo.key("frame", said, parts, table.site),
        theme=memo.key("theme", found.templates(), sorted(found.static), base, table.site),
    )
    press = Press(table, texts, ground, memo, lambda: _renderer(found, base, memo))
    finished = watch.time("render", lambda: press.finish(options.jobs, progress))
    social = watch.time("cards", painting)
    feed = watch.time("feed", lambda: _feed(table, texts, base, memo))
    domain = read.site.domain
    lists = watch.time("lists", lambda: _lists(table, finished, domain, base, memo))
    resumes = watch.time("resume", lambda: _resume_files(read, base, said, paper, memo))
    outputs = _collect(
        {
            "the generated pages": files(press, table, finished),
            "the generated files": feed | lists | social | resumes,
            "the simulation's data": figure.data,
            "the simulation's files": figure.files,
            CONTENT: beside,
            assets.STATIC: found.published(made.single),
        }
    )
    for draft, page in zip(table.drafts, finished, strict=True):
        outputs.digests[urls.output_file(draft.site_path)] = page.digest
    checked = watch.time("check", lambda: _check(outputs, table, finished, read, base))
    return RenderedSite(
        outputs=outputs,
        pages=len(finished),
        checked=checked,
        base=base,
        origins={urls.output_file(address): path for address, path in linked.items()},
        ignored_links=tuple(read.site.check.ignore),
        left_out=(*read.left_out, *_without_paper(paper)),
        notices=tuple(sorted((*read.notices, *_notices(read, linked.values())))),
        has_address=has_address,
        same_between=read.same_between,
        timings=watch.timings,
        slowest=_slowest(table, texts, press),
    )


def inspect(options: Options, folder: str | None, memo: Memo) -> Inspection:
    """
    Make the site in memory and look for what a build lets pass; `memo` is what builds remembered.

    With a `folder`, also for where an earlier build in it differs from what one would make now.
    Raises SiteError or SiteErrors for what a build would refuse, UsageError for a folder that is
    not ours.
    """
    site = render_site(options, memo)
    found = assets.find(options.source)
    copied = {urls.output_file(path): name for path, name in found.copied().items()}
    origins = copied | site.origins
    seen = audit.audit(site.outputs, site.checked, site.base, found.token_sheets(), origins)
    problems, notices = [*seen.problems], [*site.notices, *seen.notices]
    if folder is not None:
        differing, foreign = output.differences(site.outputs, folder, options.source)
        problems += differing
        notices += foreign
    return Inspection(site, tuple(problems), tuple(sorted(notices)))


def ask_links(
    seen: Inspection, source: str, memo: Memo, now: float, progress: Progress | None = None
) -> Inspection:
    """
    Ask other hosts for the links to them, and add what came of it: dead ones are problems.

    `memo` remembers what led somewhere, `now` is in seconds since 1970.
    """
    site = seen.site
    pages = {
        link: page
        for link, page in audit.outgoing(site.outputs, site.checked, site.base).items()
        if not link.startswith(site.ignored_links)
    }
    answers = external.ask(pages, memo, now, progress)
    bad = {link: found for link, found in answers.items() if found.state != external.State.ALIVE}
    places = sources.find_links(source, bad)
    problems, notices = [*seen.problems], [*seen.notices]
    for link, answer in sorted(bad.items()):
        path, line, column = places.get(link, (pages[link].source, None, None))
        if answer.state == external.State.DEAD:
            message = f'the link "{link}" is dead: {answer.reason}'
            hint = "mend it, or take it out"
            problems.append(CheckError(message, source=path, line=line, column=column, hint=hint))
        else:
            message = f'the link "{link}" could not be checked: {answer.reason}'
            notices.append(Notice(path, line or 1, message))
    return Inspection(site, tuple(problems), tuple(sorted(notices)))


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
        raise ContentError(message, source=SETTINGS, hint=hint) from None


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


class Picture(Struct, frozen=True):
    """A picture as PNG."""

    data: bytes


class Drawing(Struct, frozen=True):
    """The figure of the home page: what pages show of it, its data, and its files; or nothing."""

    shown: pages.Figure | None = None
    data: dict[str, bytes] = {}
    files: dict[str, bytes] = {}


def draw_figure(
    read: Content, found: assets.Assets, made: scripts.Scripts, base: Base, memo: Memo
) -> Drawing:
    """Run the site's requests through the simulation's own JavaScript, as the page will."""
    requests = workload.entries(read)
    settings = read.site.simulation
    if not requests or not settings.include:
        return Drawing()
    given = simulation_input(requests, settings, base)
    drawer = _drawer(found)
    key = memo.key("figure", made, drawer, given, base)
    return memo.remembered(key, Drawing, lambda: _draw(made, drawer, given, base))


def _draw(
    made: scripts.Scripts, drawer: Mapping[str, str], given: Mapping[str, Any], base: Base
) -> Drawing:
    run = simulation.Simulator(made.page, made.prerender).prerender(given)
    files = _figure_files(made, drawer)
    return Drawing(pages.Figure(run, *map(base.href, files)), _simulation_data(run, given), files)


def simulate(workload_json: bytes, name: str, source: str) -> str:
    """Give the trace of a workload as JSON text; `name` is the workload's word in messages."""
    linked = scripts.link_modules(assets.find(source).simulation_modules())
    return simulation.Simulator(linked.page, linked.prerender).simulate(workload_json, source=name)


def _drawer(found: assets.Assets) -> dict[str, str]:
    """Give what the figure loads on demand: the drawer's markup, and its style sheet as written."""
    return {
        "markup": found.text(assets.DRAWER).replace("\n", ""),
        "style": found.text(assets.DRAWER_SHEET),
    }


def _figure_files(made: scripts.Scripts, drawer: Mapping[str, str]) -> dict[str, bytes]:
    """Give the files of the figure by their site paths, in the order of `pages.Figure`."""
    shrunk = stylesheets.shrink(assets.DRAWER_SHEET, drawer["style"])
    texts = {
        "/js/simulation.js": made.page.text,
        "/js/controls.js": made.controls.text,
        "/js/drawer.json": json.encode({**drawer, "style": shrunk}).decode(),
    }
    return {
        assets.fingerprinted(site_path, text.encode()): text.encode()
        for site_path, text in texts.items()
    }


def _simulation_data(run: Prerendered, given: Mapping[str, Any]) -> dict[str, bytes]:
    """
    Give the run's input, from which the page goes on.

    It is a workload too, so that anybody can run it again with `batcher simulate`.
    """
    data = {**given, "config": run.config, "at": run.at}
    return {routes.SIMULATION_DATA: json.encode(data) + b"\n"}


def _scripts(found: assets.Assets, memo: Memo) -> scripts.Scripts:
    """Link and shrink the scripts apart from this process: what shrinks them starts threads."""
    modules, single = found.simulation_modules(), found.single_scripts()
    key = memo.key("scripts", modules, single)

    def make() -> scripts.Scripts:
        return parallel.apart(lambda: scripts.make(modules, single))

    return memo.remembered(key, scripts.Scripts, make)


def _heads(
    found: assets.Assets, made: scripts.Scripts, base: Base, memo: Memo
) -> dict[str, pages.Head]:
    key = memo.key("heads", found.sheets(), made.single, base)
    return memo.remembered(key, dict[str, pages.Head], lambda: found.heads(base, made.single))


def _renderer(found: assets.Assets, base: Base, memo: Memo) -> "render.Renderer":
    def asset(path: str) -> str:
        return base.href(found.site_path(path))

    return render.Renderer(found.template_folders, asset=asset, url=base.href, memo=memo)


def _begin_painting(
    table: pages.Table, found: assets.Assets, memo: Memo
) -> Callable[[], dict[str, bytes]]:
    """Begin the pictures for other sites that are not known yet, and give what waits for them."""
    fonts = {name: found.bytes(name) for name in (assets.TITLE_FONT, assets.MONO_FONT)}
    colours = contrast.light_colours(found.token_sheets())
    style = memo.key("style", fonts, colours)
    keys = {path: memo.key("picture", style, preview) for path, preview in table.previews.items()}
    known = {path: memo.get_large(key, Picture) for path, key in keys.items()}
    new = {path: table.previews[path] for path, picture in known.items() if picture is None}

    def paint() -> dict[str, bytes]:
        ink = painter.Style(fonts[assets.TITLE_FONT], fonts[assets.MONO_FONT], colours)
        return painter.paint(new, ink)

    wait = parallel.beside(paint) if new else dict

    def collect() -> dict[str, bytes]:
        for path, data in wait().items():
            known[path] = Picture(data)
            memo.put_large(keys[path], known[path])
        return {path: picture.data for path, picture in known.items() if picture}

    return collect


def _frame(read: Content, texts: Texts) -> tuple[object, ...]:
    """Give everything that pages are planned from, but for the texts that they show."""
    things = [(item.slug, item.source.path, item.meta) for item in read.projects]
    written = [
        (item.slug, item.source.path, item.meta, texts[item.source.path].words)
        for item in read.writings
    ]
    about = read.about.meta if read.about else None
    rest = (read.now, read.stations, read.pull_requests, read.notes, read.resume)
    return (read.site, things, written, about, rest, sorted(read.files))


def _feed(table: pages.Table, texts: Texts, base: Base, memo: Memo) -> dict[str, bytes]:
    newest = table.writings[: routes.FEED_LENGTH]

    def make() -> bytes:
        entries = tuple((card, texts.prose(path)) for card, path in newest)
        return documents.atom_feed(pages.Plan(site=table.site, pages=(), writings=entries), base)

    shown = [(card, texts.key(path)) for card, path in newest]
    return {routes.FEED: memo.remembered(memo.key("feed", table.site, shown, base), bytes, make)}


def _lists(
    table: pages.Table,
    finished: Iterable[Finished],
    domain: str | None,
    base: Base,
    memo: Memo,
) -> dict[str, bytes]:
    """Give the files that list all pages for machines."""
    listings = tuple(page.listing for page in finished)

    def make() -> dict[str, bytes]:
        plan = pages.Plan(site=table.site, pages=listings, writings=())
        return documents.documents(plan, base, domain)

    key = memo.key("documents", table.site, listings, domain, base)
    return memo.remembered(key, dict[str, bytes], make)


def _paper(
    read: Content,
    found: assets.Assets,
    said: bytes,
    given: Callable[[], bytes],
    memo: Memo,
) -> resume_pdf.Paper:
    """
    Print the résumé if its file says anything, apart from this process: Typst starts threads.

    `said` is the key of what `given` is made from. That there is no PDF is not remembered: the next
    build may find what was missing.
    """
    if not read.resume.education and not read.resume.skills:
        return resume_pdf.Paper()
    template, fonts = found.template(assets.PAPER), found.fonts()
    key = memo.key("paper", said, template, found.templates(), [data for _, data in fonts])
    known = memo.get_large(key, resume_pdf.Paper)
    if known is not None:
        return known
    text, folders = given(), list(dict.fromkeys(folder for folder, _ in fonts))
    paper = parallel.apart(lambda: resume_pdf.print_paper(template, text, folders))
    if paper.data is not None:
        memo.put_large(key, paper)
    return paper


def _resume_files(
    read: Content, base: Base, said: bytes, paper: resume_pdf.Paper, memo: Memo
) -> dict[str, bytes]:
    """Give the forms of the résumé beside its page."""
    key = memo.key("resume.json", said)
    made = memo.remembered(key, bytes, lambda: resume_json.resume_json(read, base))
    files = {routes.RESUME_JSON: made}
    return files if paper.data is None else files | {routes.RESUME_PDF: paper.data}


def _without_paper(paper: resume_pdf.Paper) -> Iterable[LeftOut]:
    if paper.missing:
        yield LeftOut(urls.output_file(routes.RESUME_PDF), paper.missing)


def _linked_files(read: Content, texts: Mapping[str, TextFacts]) -> dict[str, str]:
    """Map the site paths of files that something on the site leads to onto the files."""
    files = {routes.content_file(path): path for path in read.files}
    wanted = {
        reference.site_path.partition("#")[0]
        for text in texts.values()
        for reference in text.references
    }
    wanted |= {routes.content_file(item.path) for item in read.notes}
    covers = (pages.cover_path(project) for project in read.projects)
    wanted |= {routes.content_file(cover) for cover in covers if cover}
    return {path: files[path] for path in wanted & files.keys()}


def _ready(
    raw: Mapping[str, bytes],
    read: Content,
    texts: Mapping[str, TextFacts],
    base: Base,
    memo: Memo,
) -> tuple[dict[str, bytes], dict[str, pictures.Shown]]:
    """
    Give the files that the site leads to, pictures cleaned and with their copies, by site paths.

    The second value is what pages say of the pictures, by the addresses that they use. Raises
    SiteErrors with every picture that cannot be published, at the place that shows it.
    """
    ready, shown, errors = dict(raw), {}, []
    for site_path, data in raw.items():
        stem, suffix = posixpath.splitext(site_path)
        if suffix.lower() not in pictures.KINDS:
            continue
        key = memo.key("prepared", suffix.lower(), data)
        made = memo.get_large(key, pictures.Prepared)
        if made is None:
            try:
                made = imaging.prepare(site_path, data)
            except imaging.BrokenPictureError as error:
                errors.append(_broken(site_path, str(error), read, texts))
                continue
            memo.put_large(key, made)
        copies = {
            width: (assets.fingerprinted(f"{stem}.webp", copy), copy)
            for width, copy in made.copies.items()
        }
        ready |= {site_path: made.data} | dict(copies.values())
        addresses = tuple((width, base.href(path)) for width, (path, _) in copies.items())
        if made.width and made.height:
            shown[base.href(site_path)] = pictures.Shown(made.width, made.height, addresses)
    if errors:
        raise SiteErrors(errors)
    return ready, shown


def _broken(
    site_path: str, reason: str, read: Content, texts: Mapping[str, TextFacts]
) -> ContentError:
    """Tell of a picture at the first place that shows it."""
    places = (
        (path, reference.line)
        for path, text in texts.items()
        for reference in text.references
        if reference.site_path == site_path
    )
    covers = (
        (project.source.path, None)
        for project in read.projects
        if routes.content_file(pages.cover_path(project) or "") == site_path
    )
    path, line = next(chain(places, covers), (f"{CONTENT}{site_path}", None))
    return ContentError(
        f"the picture {CONTENT}{site_path} cannot be published: {reason}",
        source=path,
        line=line,
        hint="save it anew with the program that made it",
    )


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


def _collect(groups: Mapping[str, Mapping[str, bytes | Callable[[], bytes]]]) -> Files:
    """Join all files by their output path; two for one place are an error that names both."""
    outputs: dict[str, bytes | Callable[[], bytes]] = {}
    origins: dict[str, str] = {}
    errors = []
    for origin, made in groups.items():
        for site_path, data in made.items():
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
    return Files(outputs)


def _check(
    outputs: Files,
    table: pages.Table,
    finished: Sequence[Finished],
    read: Content,
    base: Base,
) -> tuple[check.CheckedPage, ...]:
    texts = {source.path: source for source in read.sources}
    if read.about:
        # The home page is made from the settings, but the one text on it is this.
        texts[SETTINGS] = read.about.source
    checked = tuple(
        check.CheckedPage(urls.output_file(draft.site_path), draft.source, texts.get(draft.source))
        for draft in table.drafts
    )
    facts = {
        urls.output_file(draft.site_path): page.facts
        for draft, page in zip(table.drafts, finished, strict=True)
    }
    problems = check.check(outputs, checked, base, facts)
    if problems:
        raise SiteErrors(problems)
    return checked


def _slowest(table: pages.Table, texts: Texts, press: Press) -> tuple[Timing, ...]:
    """Give the pages that took longest, each with the texts on it; none that were remembered."""
    spent = {
        draft.site_path: press.seconds.get(draft.site_path, 0)
        + sum(texts.seconds.get(path, 0) for path in draft.texts)
        for draft in table.drafts
    }
    ordered = sorted(spent.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Timing(path, seconds) for path, seconds in ordered[:_SLOWEST] if seconds)


def _notices(read: Content, linked: Iterable[str]) -> Iterable[Notice]:
    """Give what only the whole of the content shows."""
    for spellings in routes.tag_spellings(read).values():
        if len(spellings) > 1:
            written = ", ".join(f'"{spelling}"' for spelling in spellings)
            message = f"a tag is written {written}; the first is shown"
            yield Notice(SETTINGS, 1, message)
    for section in read.site.sections:
        if not cards.has_content(read, section.id):
            message = f'the section "{section.id}" has nothing to show and is left out'
            yield Notice(SETTINGS, 1, message)
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
