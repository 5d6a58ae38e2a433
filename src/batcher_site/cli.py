"""
The command line: parse, call one function, print what it gives.

The only module that catches faults of the owner's, and the only one that imports inside functions:
a command loads no stage that it does not need. What it says goes through `console`.
Exit codes: 0 all is there, 1 problems in the site, 2 wrong use, 3 a fault of ours.
"""

import gc
import os
import subprocess
import sys
import webbrowser
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from shlex import quote, split
from time import perf_counter, time
from typing import TYPE_CHECKING

from batcher_site import __version__
from batcher_site.console import Bar, count, say, say_built, say_errors
from batcher_site.errors import SiteError, SiteErrors, UsageError, refused_by_system
from batcher_site.lazy import defer
from batcher_site.unchanged import (
    Finished,
    Note,
    Request,
    cache_folder,
    left_outputs,
    remember,
)

if TYPE_CHECKING:
    from batcher_site.build import Inspection, Options, RenderedSite, Report
    from batcher_site.deploy import Target
    from batcher_site.findings import Findings
    from batcher_site.serve import Built, Server
    from batcher_site.watching import Watcher

FORMATS = ("text", "json", "github")
OK, PROBLEMS, WRONG_USE, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 130

_LAST_PORT = 65535
_REPORT_HINT = (
    "this is a fault of batcher-site, not of your site; please report it with the text above"
)


def run(arguments: Sequence[str], request: Request | None = None) -> int:
    """Run one command and give its exit code; `request` is what was seen of it before."""
    options = _parser().parse_args(arguments, Namespace(request=request, start=perf_counter()))
    defer()
    try:
        return _run_command(options)
    except KeyboardInterrupt:
        say(sys.stderr, "stopped; the last finished site is as it was")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone; nothing is left to tell it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception:  # noqa: BLE001 -- the one place that turns a bug into exit code 3
        sys.excepthook(*sys.exc_info())
        say(sys.stderr, _REPORT_HINT)
        return OUR_FAULT


def _run_command(options: Namespace) -> int:
    command: Callable[[Namespace], int] = options.command
    try:
        return command(options)
    except SiteErrors as group:
        say_errors(sys.stderr, group.errors)
        return PROBLEMS
    except SiteError as error:
        say_errors(sys.stderr, [error])
        return WRONG_USE if isinstance(error, UsageError) else PROBLEMS
    except BrokenPipeError:
        raise
    except OSError as error:
        say_errors(sys.stderr, [refused_by_system(error)])
        return PROBLEMS


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="batcher",
        description="Turn YAML and Markdown into a static portfolio site.",
        epilog="exit codes: 0 all is there, 1 problems in the site, 2 wrong use, 3 a fault of ours",
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"batcher {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    build = commands.add_parser(
        "build", help="make the site", description=_build.__doc__, allow_abbrev=False
    )
    _add_site_options(build)
    build.add_argument(
        "--output",
        type=_folder,
        metavar="DIR",
        help="where the site is written (default: dist in the source)",
    )
    build.add_argument(
        "--jobs", type=_jobs, metavar="N", help="processes that render texts (default: the cores)"
    )
    build.add_argument(
        "--cache-dir",
        type=_folder,
        metavar="DIR",
        help="what is kept between builds (default: BATCHER_CACHE_DIR, or .batcher-cache in the"
        " source)",
    )
    build.add_argument(
        "--no-cache", action="store_true", help="make everything anew, and keep nothing"
    )
    build.add_argument(
        "--timings",
        action="store_true",
        help="print how long each stage of the build took, and the ten slowest pages",
    )
    build.set_defaults(command=_build)

    check = commands.add_parser(
        "check",
        help="look for problems without writing",
        description=_check.__doc__,
        allow_abbrev=False,
    )
    _add_site_options(check)
    check.add_argument(
        "--output",
        type=_folder,
        metavar="DIR",
        help="also say where this built site differs from what a build would make now",
    )
    check.add_argument(
        "--external",
        action="store_true",
        help="also ask other hosts for the links to them; what led somewhere is kept for a week",
    )
    check.add_argument(
        "--format",
        choices=FORMATS,
        default=FORMATS[0],
        help="for people, as JSON, or as annotations of GitHub's (default: text)",
    )
    check.set_defaults(command=_check)

    serve = commands.add_parser(
        "serve",
        help="show the site while it is written",
        description=_serve.__doc__,
        allow_abbrev=False,
    )
    _add_site_options(serve)
    serve.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="HOST",
        help="where to listen (default: this machine only)",
    )
    serve.add_argument(
        "--port", type=_port, metavar="PORT", help="the port (default: the first free from 8000)"
    )
    serve.add_argument("--open", action="store_true", help="open the site in a browser")
    serve.add_argument(
        "--poll",
        action="store_true",
        help="look through the folders every second, for disks that do not tell of changes",
    )
    serve.set_defaults(command=_serve)

    deploy = commands.add_parser(
        "deploy",
        help="publish the site as a branch",
        description=_deploy.__doc__,
        epilog="example: batcher deploy --dry-run",
        allow_abbrev=False,
    )
    deploy.add_argument(
        "--source", default=".", metavar="DIR", help="the site's folder, which holds content/"
    )
    deploy.add_argument(
        "--base-url", metavar="URL", help="the site's address (default: url in site.yaml)"
    )
    deploy.add_argument("--remote", default="origin", metavar="NAME", help="(default: origin)")
    deploy.add_argument("--branch", default="gh-pages", metavar="NAME", help="(default: gh-pages)")
    deploy.add_argument(
        "--dry-run", action="store_true", help="say what would change, and push nothing"
    )
    deploy.add_argument(
        "--yes", action="store_true", help="push to a branch that is new, or that is not ours"
    )
    deploy.set_defaults(command=_deploy)

    new = commands.add_parser("new", help="start a site in a new folder", description=_new.__doc__)
    new.add_argument(
        "folder", type=_folder, metavar="DIR", help="a folder that does not exist or is empty"
    )
    new.set_defaults(command=_new)

    add = commands.add_parser(
        "add",
        help="begin a project, write-up or note",
        description=_add.__doc__,
        epilog='example: batcher add project "Paged inference engine" --edit',
        allow_abbrev=False,
    )
    add.add_argument("kind", choices=("project", "writing", "note"), metavar="KIND")
    add.add_argument("title", metavar="TITLE", help="its title, in quotes")
    add.add_argument(
        "--source", default=".", metavar="DIR", help="the site's folder, which holds content/"
    )
    add.add_argument("--edit", action="store_true", help="open the file in $VISUAL or $EDITOR")
    add.set_defaults(command=_add)

    schema = commands.add_parser(
        "schema",
        help="print the JSON Schemas of the content's files",
        description=_schema.__doc__,
        allow_abbrev=False,
    )
    schema.add_argument(
        "--source", default=".", metavar="DIR", help="the site's folder, which holds content/"
    )
    schema.add_argument(
        "--write",
        action="store_true",
        help="write them into .vscode/ of the site's folder, where its editor settings point",
    )
    schema.set_defaults(command=_schema)

    simulate = commands.add_parser(
        "simulate", help="run a workload and print its trace", description=_simulate.__doc__
    )
    simulate.add_argument(
        "workload", metavar="WORKLOAD.json", help='a file with "requests"; - reads standard input'
    )
    simulate.add_argument(
        "--source", default=".", metavar="DIR", help="a site whose own static/ may replace modules"
    )
    simulate.set_defaults(command=_simulate)
    return parser


def _add_site_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--source", default=".", metavar="DIR", help="the site's folder, which holds content/"
    )
    parser.add_argument(
        "--base-url", metavar="URL", help="the site's address (default: url in site.yaml)"
    )
    parser.add_argument("--drafts", action="store_true", help="take drafts in")
    parser.add_argument(
        "--future", action="store_true", help="take in what is dated ahead of today"
    )
    parser.add_argument(
        "--date", type=_day, metavar="YYYY-MM-DD", help="the day that counts as today"
    )


def _folder(text: str) -> str:
    if not text.strip():
        raise ArgumentTypeError("the name of a folder is empty")
    return text


def _jobs(text: str) -> int:
    # As the quick look at an unchanged site reads it (`unchanged.parse`).
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise ArgumentTypeError(f'"{text}" is not a number of processes, 1 or more')


def _port(text: str) -> int:
    if text.isdecimal() and 0 <= int(text) <= _LAST_PORT:
        return int(text)
    raise ArgumentTypeError(f'"{text}" is not a port, 0 to {_LAST_PORT}')


def _day(text: str) -> date:
    # Python reads other forms of ISO 8601 too, such as weeks.
    with suppress(ValueError):
        if len(text) == len("YYYY-MM-DD"):
            return date.fromisoformat(text)
    raise ArgumentTypeError(f'"{text}" is not a date such as 2026-10-05')


def _build(options: Namespace) -> int:
    """Make the site: read content/, render everything, check it, write what differs."""
    folder = options.output or os.path.join(options.source, "dist")
    report = _build_anew(options, folder) if options.no_cache else _build_on(options, folder)
    abandoned = [
        f"note: {os.path.join(folder, path)} is no longer made, and stays because it was changed"
        " by hand"
        for path in report.changes.abandoned
    ]
    if options.timings:
        _say_timings(report)
    changes = (len(report.changes.written), len(report.changes.removed))
    told = (*_notes(report.site), *((note, "") for note in abandoned))
    say_built(report.site.pages, changes, told, folder, options.start)
    return OK


def _build_anew(options: Namespace, folder: str) -> "Report":
    from batcher_site.build import build

    bar = Bar(sys.stderr, options.start)
    try:
        return build(_build_options(options), folder, progress=bar)
    finally:
        bar.clear()


def _build_on(options: Namespace, folder: str) -> "Report":
    """Build with what earlier builds have kept, and keep what the next one can use."""
    from batcher_site.build import build
    from batcher_site.memo import Memo

    request: Request = options.request or _request(options)
    memo = Memo(request.cache)
    bar = Bar(sys.stderr, options.start)
    is_kept = False
    try:
        report = build(_build_options(options), folder, memo, left_outputs(request), bar)
    finally:
        bar.clear()
        # A build that fails has done most of the work for the one that will not.
        is_kept = _keep(request.cache, memo.save)
    if is_kept:
        finished = Finished(report.site.pages, list(_notes(report.site)))
        between, left = report.site.same_between, list(report.changes.left)
        _keep(request.cache, lambda: remember(request, finished, between, left))
    return report


def _say_timings(report: "Report") -> None:
    for timing in report.timings:
        say(sys.stdout, f"{timing.name:<12}{timing.seconds * 1000:8.1f} ms")
    if report.site.slowest:
        say(sys.stdout, "the slowest pages, with their texts:")
    for timing in report.site.slowest:
        say(sys.stdout, f"{timing.seconds * 1000:20.1f} ms  {timing.name}")


def _request(options: Namespace) -> Request:
    """See a build as `unchanged` sees it that it did not take for a plain one."""
    values = {
        "--source": options.source,
        "--output": options.output,
        "--base-url": options.base_url,
        "--date": str(options.date) if options.date else None,
        "--cache-dir": options.cache_dir,
    }
    given = {name: value for name, value in values.items() if value}
    return Request(given, drafts=options.drafts, future=options.future)


def _keep(folder: str, write: Callable[[], None]) -> bool:
    """Write to the cache; where its folder cannot be written, say so and give False."""
    try:
        write()
    except OSError as error:
        reason = error.strerror or str(error)
        told = f"warning: the cache folder {folder} cannot be written: {reason}; built without it"
        say(sys.stderr, (told, "yellow"))
        return False
    return True


def _notes(site: "RenderedSite") -> Iterator[Note]:
    yield from _left_out(site)
    if not site.has_address:
        told = (
            "note: no address is set, so links for feeds and search engines begin with "
            "https://site.example/; set url in content/site.yaml or use --base-url"
        )
        yield told, ""


def _check(options: Namespace) -> int:
    """Look for everything that a build would refuse, and for more that only people notice."""
    from batcher_site.findings import collect

    try:
        seen = _inspect(options)
    except UsageError:
        raise
    except (SiteError, SiteErrors) as fault:
        if options.format == "text":
            raise
        errors = fault.errors if isinstance(fault, SiteErrors) else (fault,)
        _say_findings(options, collect(None, errors))
        return PROBLEMS
    if options.format == "text":
        return _say_inspection(seen)
    site = seen.site
    _say_findings(options, collect(site.pages, seen.problems, seen.notices, site.left_out))
    return PROBLEMS if seen.problems else OK


def _inspect(options: Namespace) -> "Inspection":
    from batcher_site.build import ask_links, inspect
    from batcher_site.memo import Memo

    cache = cache_folder(options.source, None)
    # What builds have kept is used, and nothing is added to it.
    seen = inspect(_build_options(options), options.output, Memo(cache))
    if not options.external:
        return seen
    # Apart from theirs, so that neither throws away what the other has not used.
    folder = os.path.join(cache, "links")
    memo = Memo(folder)
    bar = Bar(sys.stderr, options.start)
    try:
        return ask_links(seen, options.source, memo, time(), bar)
    finally:
        bar.clear()
        # What has answered is known, even if the check is stopped.
        _keep(folder, memo.save)


def _say_inspection(seen: "Inspection") -> int:
    for notice in seen.notices:
        say(sys.stdout, ("notice", "yellow"), f" {notice}")
    for note in _left_out(seen.site):
        say(sys.stderr, note)
    if seen.problems:
        say_errors(sys.stderr, seen.problems)
        return PROBLEMS
    told = f"{count(seen.site.pages, 'page')} without a problem"
    say(sys.stdout, (f"{told}, {count(len(seen.notices), 'notice')}", "green"))
    return OK


def _say_findings(options: Namespace, found: "Findings") -> None:
    from batcher_site.findings import as_github, as_json

    if options.format == "json":
        say(sys.stdout, as_json(found))
        return
    for line in as_github(found, options.source.replace(os.sep, "/")):
        say(sys.stdout, line)


def _serve(options: Namespace) -> int:
    """Build in memory, serve what the last good build made, and build again after each save."""
    from batcher_site.memo import Memo
    from batcher_site.serve import Builder, Stage, listening, watch

    cache = cache_folder(options.source, None)
    memo = Memo(cache)
    stage = Stage()
    # The clock is read for each build: a date comes while the server runs.
    builder = Builder(lambda: _build_options(options), memo, stage)
    watcher = watch(options.source)
    try:
        # Before anything listens: with one thread, the first build can use all cores.
        _say_rebuilt(builder.build())
        with listening(options.host, options.port, stage) as server:
            if not options.poll:
                watcher.listen()
            _say_serving(options, server, watcher)
            is_kept = _keep(cache, memo.save)
            # What the first build left stays. Looking through it again and again for what may go
            # would take 40 ms of every third build of 1,000 texts.
            gc.collect()
            gc.freeze()
            while True:
                if watcher.wait():
                    _say_rebuilt(builder.build())
                elif is_kept:
                    # While nobody saves: a server that is killed has done its work for the next.
                    is_kept = _keep(cache, memo.save)
    except KeyboardInterrupt:
        say(sys.stdout, "stopped")
        return OK
    finally:
        watcher.close()


def _say_serving(options: Namespace, server: "Server", watcher: "Watcher") -> None:
    from batcher_site.serve import DEFAULT_PORT, LOOPBACK

    address = server.origin + server.stage.show.base.href("/")
    if options.host not in LOOPBACK:
        told = f"warning: everybody on the network of {options.host} can read the site"
        say(sys.stderr, (told, "yellow"))
    if options.port is None and server.server_port != DEFAULT_PORT:
        told = f"note: port {DEFAULT_PORT} is taken; this is port {server.server_port}"
        say(sys.stderr, (told, "yellow"))
    if not watcher.is_told:
        say(sys.stderr, "note: looking for changes every second")
    say(sys.stdout, "serving ", (address, "bold"), ", until Ctrl-C")
    if options.open:
        webbrowser.open(address)


def _say_rebuilt(built: "Built") -> None:
    if built.errors:
        say_errors(sys.stderr, built.errors)
        say(sys.stderr, "the last good site is still served")
    elif built.site:
        files = count(built.changed, "file")
        told = f"{count(built.site.pages, 'page')}, {files} changed in {built.seconds:.2f} s"
        say(sys.stdout, (told, "green"))


def _deploy(options: Namespace) -> int:
    """Build the site anew, and push it to a branch; nothing else of the repository is touched."""
    from batcher_site.build import Options
    from batcher_site.deploy import aim, prepare, push
    from batcher_site.model import Selection

    target = aim(options.source, options.remote, options.branch)
    selection = Selection(now=datetime.now(UTC))
    site = Options(source=options.source, base_url=options.base_url, selection=selection)
    release = prepare(site, target)
    place = f"{target.branch} of {target.address}"
    if release.commit is None:
        say(sys.stdout, (f"{place} has this already", "green"))
        return OK
    if options.dry_run:
        for change in release.changes:
            say(sys.stdout, change)
        say(sys.stdout, f"{count(len(release.changes), 'file')} would change in {place}")
        return OK
    if not target.is_ours and not options.yes:
        _confirm(target)
    push(release)
    told = f"{count(len(release.changes), 'file')} changed in {place}: {release.commit[:9]}"
    say(sys.stdout, (told, "green"))
    return OK


def _confirm(target: "Target") -> None:
    """Ask before a branch is made, or one is written that we did not make."""
    what = "was not written by batcher" if target.tip else "does not exist yet"
    question = f"{target.branch} {what}; push to it? [y/N] "
    hint = "look at it; then give --yes, or another --branch"
    if not sys.stdin.isatty():
        raise UsageError(f"{target.branch} of {target.address} {what}", hint=hint)
    if input(question).strip().lower() not in {"y", "yes"}:
        raise UsageError("nothing was pushed", hint=hint)


def _new(options: Namespace) -> int:
    """Start a site: write a small complete example that builds at once."""
    from batcher_site.scaffold import create, write_anew
    from batcher_site.schema import editor_files

    files = create(options.folder)
    for name in sorted((*files, *write_anew(options.folder, editor_files()))):
        say(sys.stdout, f"wrote {os.path.join(options.folder, name)}")
    say(sys.stdout, (f"next: batcher build --source {quote(options.folder)}", "green"))
    return OK


def _add(options: Namespace) -> int:
    """Begin a project, writing or note: a draft with its front matter; nothing is overwritten."""
    from batcher_site.scaffold import add

    name = add(options.source, options.kind, options.title, datetime.now(UTC).astimezone().date())
    path = os.path.join(options.source, name)
    say(sys.stdout, f"wrote {path}")
    if options.kind == "note":
        say(sys.stdout, f"next: put the PDF that it names into {os.path.dirname(path)}")
    if options.edit:
        return _edit(path)
    return OK


def _edit(path: str) -> int:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise UsageError("neither VISUAL nor EDITOR is set", hint=f"open {path} yourself")
    try:
        # The variable may have options, such as `code --wait`.
        subprocess.run([*split(editor), path], check=True)  # noqa: S603 -- the owner's own word
    except (OSError, subprocess.CalledProcessError) as error:
        raise UsageError(f"{editor} did not start: {error}", hint=f"open {path} yourself") from None
    return OK


def _schema(options: Namespace) -> int:
    """Print the JSON Schema of every kind of file of content/, by its place, as one JSON object."""
    from batcher_site.schema import as_text, schemas

    if options.write:
        return _write_schemas(options.source)
    say(sys.stdout, as_text(schemas()))
    return OK


def _write_schemas(source: str) -> int:
    from batcher_site.scaffold import write_anew
    from batcher_site.schema import EDITOR_SETTINGS, FOLDER, editor_files
    from batcher_site.urls import CONTENT

    if not os.path.isdir(os.path.join(source, CONTENT)):
        message = f'there is no folder "{CONTENT}" in {os.path.abspath(source)}'
        raise UsageError(message, hint="name the site's folder with --source")
    files = editor_files()
    settings = os.path.join(source, EDITOR_SETTINGS)
    mapping = None
    if os.path.lexists(settings):
        # They may hold what the owner has set, and comments, so they are not written.
        mapping = files.pop(EDITOR_SETTINGS)
    written = write_anew(source, files)
    for name in written:
        say(sys.stdout, f"wrote {os.path.join(source, name)}")
    told = f"{count(len(files), 'file')} for the editor, {len(written)} written"
    say(sys.stdout, (told, "green"))
    if mapping is not None and not _says(settings, FOLDER):
        say(sys.stderr, f"note: {settings} stays as it is; to use the schemas, put this into it:")
        say(sys.stderr, mapping.strip())
    return OK


def _says(path: str, words: str) -> bool:
    with open(path, "rb") as file:
        return words.encode() in file.read()


def _simulate(options: Namespace) -> int:
    """Run a workload on the page's own scheduler and print one JSON trace."""
    from batcher_site.build import simulate

    name = options.workload
    if name == "-":
        data = sys.stdin.buffer.read()
    else:
        try:
            with open(name, "rb") as file:
                data = file.read()
        except OSError as error:
            raise UsageError(f"{name} cannot be read: {error.strerror}") from None
    say(sys.stdout, simulate(data, "standard input" if name == "-" else name, options.source))
    return OK


def _build_options(options: Namespace) -> "Options":
    from batcher_site.build import Options
    from batcher_site.model import Selection

    selection = Selection(
        now=datetime.now(UTC), day=options.date, drafts=options.drafts, future=options.future
    )
    return Options(
        source=options.source,
        base_url=options.base_url,
        selection=selection,
        jobs=getattr(options, "jobs", None),
    )


def _left_out(site: "RenderedSite") -> Iterator[Note]:
    if site.left_out:
        listed = "; ".join(f"{item.source} ({item.reason})" for item in site.left_out)
        yield f"left out {len(site.left_out)}: {listed}", "yellow"
