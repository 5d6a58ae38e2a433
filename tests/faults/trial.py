"""
One build that meets a fault, and what must hold after it.

A site is built, edited, and built again into the same output folder; the second build meets the
fault. Each build runs in a copy of this process, which has loaded everything already: a trial takes
a tenth of a second.
"""

import errno
import io
import os
import re
import resource
import shutil
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from batcher_site import (
    cli,
    documents,
    frontmatter,
    prose,
    render,
    simulation,
    stylesheets,
    validation,
)
from batcher_site.__main__ import main
from batcher_site.build import Options, render_site
from batcher_site.model import Selection
from batcher_site.output import WORK_FOLDER
from tests.faults import hook

# A build puts their loading off; loaded here, no copy of this process loads them again.
LOADED = (cli, documents, frontmatter, prose, render, simulation, stylesheets, validation)

Build = Callable[[Path], int]
Tree = Mapping[str, bytes]

ERRORS = (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EMFILE, errno.EIO)
DAY = "2026-12-01"
_SETTINGS = """\
title: Site
url: https://me.example/
owner: {name: Ada, role: Engineer, pitch: A pitch.}
"""
_PROJECT = "---\ntitle: Project %s\nsummary: It %s.\ntags: [%s]\n---\nSome **text** %s.\n"
OLD: Tree = {
    "content/site.yaml": _SETTINGS.encode(),
    "content/projects/one.md": (_PROJECT % ("one", "stays", "a", "that stays")).encode(),
    "content/projects/two.md": (_PROJECT % ("two", "changes", "a", "at first")).encode(),
    "content/projects/three.md": (_PROJECT % ("three", "goes", "b", "that goes")).encode(),
    "content/writing/w.md": b"---\ntitle: W\ndate: 2026-11-30\n---\n[pdf](p.pdf) [old](old.pdf)\n",
    "content/writing/p.pdf": b"pdf, old",
    "content/writing/old.pdf": b"goes",
    "static/css/custom.css": b".x { top: 1px }\n",
    "static/js/playhead.js": b"'old';\n",
    "static/mine.txt": b"mine",
}
NEW: Tree = {
    **{path: data for path, data in OLD.items() if "three" not in path and "old.pdf" not in path},
    "content/projects/two.md": (_PROJECT % ("two", "changed", "c", "at last")).encode(),
    "content/projects/four.md": (_PROJECT % ("four", "comes", "c", "that comes")).encode(),
    "content/writing/w.md": b"---\ntitle: W\ndate: 2026-11-30\n---\n[pdf](p.pdf) [new](new.pdf)\n",
    "content/writing/p.pdf": b"pdf, new",
    "content/writing/new.pdf": b"comes",
    "static/css/custom.css": b".x { top: 2px }\n",
    "static/js/playhead.js": b"'new';\n",
}
_FOREIGN: Tree = {"dist/theirs.txt": b"theirs", "dist/projects/theirs/x": b"x", "beside.txt": b"x"}
_OWN_ADDRESS = re.compile(rb'<(?:script|img|link)[^>]*\s(?:src|href)="/([^"#?]*\.[a-z]+)"')
_CACHE = ".batcher-cache"
_KEPT_IN_THE_CACHE = {".gitignore", "memo.sqlite3", "unchanged"}


class Outcome(NamedTuple):
    """How a build ended: its exit code, or minus the signal that ended it, and what it said."""

    code: int
    said: str


class Ground(NamedTuple):
    """What trials start from: a folder to copy, and the output trees before and after."""

    folder: Path
    old: Tree
    new: Tree
    writes: int
    seconds: float


def build(folder: Path) -> int:
    """Build as the command line does."""
    return main(["build", "--source", str(folder), "--date", DAY])


def naive_build(folder: Path) -> int:
    """Build as no program should: straight over the files that are published."""
    selection = Selection(now=datetime.now(UTC), day=date.fromisoformat(DAY))
    options = Options(source=str(folder), selection=selection)
    output = folder / "dist"
    outputs = render_site(options).outputs
    for path in _published(folder).keys() - outputs.keys():
        (output / path).unlink()
    for path, data in outputs.items():
        (output / path).parent.mkdir(parents=True, exist_ok=True)
        (output / path).write_bytes(data)
    return 0


def prepare(folder: Path, way: Build = build) -> Ground:
    """Build the old site, edit it, and learn what the new one is and how many writes it takes."""
    ground, fresh = folder / "ground", folder / "fresh"
    _write_tree(ground, {**OLD, **_FOREIGN})
    # An empty folder with foreign files is not ours: the first build makes it, then they come.
    shutil.rmtree(ground / "dist")
    _expect(in_copy(lambda: way(ground)))
    _write_tree(ground, _FOREIGN)
    old = _published(ground)
    for path in OLD.keys() - NEW.keys():
        (ground / path).unlink()
    _write_tree(ground, NEW)
    _write_tree(fresh, NEW)
    _expect(in_copy(lambda: way(fresh)))
    trial = _copy(ground)
    counter = folder / "writes"

    def count() -> int:
        writes = hook.Writes(0, hook.kill)
        hook.install(writes)
        code = way(trial)
        seen = writes.seen
        counter.write_text(str(seen))
        return code

    begin = time.monotonic()
    _expect(in_copy(count))
    seconds = time.monotonic() - begin
    return Ground(ground, old, _published(fresh), int(counter.read_text()), seconds)


def in_copy(work: Callable[[], int], kill_after: float | None = None) -> Outcome:
    """Run `work` in a copy of this process; kill it after so many seconds if asked to."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        said = io.StringIO()
        code = 70
        try:
            with redirect_stdout(said), redirect_stderr(said):
                code = work()
        except BaseException as error:  # noqa: BLE001 -- whatever ends the copy is told
            said.write(f"Traceback: {error!r}")
        finally:
            os.write(writing, said.getvalue().encode()[:60_000])
            os._exit(code)
    os.close(writing)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(pid, signal.SIGKILL)
    with os.fdopen(reading, encoding="utf-8", errors="replace") as pipe:
        text = pipe.read()
    _, status = os.waitpid(pid, 0)
    return Outcome(os.waitstatus_to_exitcode(status), text)


def killed_at_write(ground: Ground, number: int, way: Build = build) -> list[str]:
    """Kill the build at its N-th write; give what does not hold after."""
    trial = _copy(ground.folder)

    def work() -> int:
        hook.install(hook.Writes(number, hook.kill))
        return way(trial)

    return _judge(ground, trial, in_copy(work), way)


def refused_at_write(
    ground: Ground, number: int, error: int, *, lasting: bool, way: Build = build
) -> list[str]:
    """Let the N-th write fail, and all that come after it if the fault is lasting."""
    trial = _copy(ground.folder)

    def work() -> int:
        hook.install(hook.Writes(number, hook.refuse(error), lasting=lasting))
        return way(trial)

    return _judge(ground, trial, in_copy(work), way)


def with_torn_files(ground: Ground, size: int, way: Build = build) -> list[str]:
    """Let every file end after so many bytes, as a full disk does."""
    trial = _copy(ground.folder)

    def work() -> int:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return way(trial)

    return _judge(ground, trial, in_copy(work), way)


def with_few_open_files(ground: Ground, count: int, way: Build = build) -> list[str]:
    """Let the system give so many open files and no more."""
    trial = _copy(ground.folder)

    def work() -> int:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))
        return way(trial)

    return _judge(ground, trial, in_copy(work), way)


def at_moment(ground: Ground, seconds: float, way: Build = build) -> list[str]:
    """Kill the build after so many seconds."""
    trial = _copy(ground.folder)
    return _judge(ground, trial, in_copy(lambda: way(trial), kill_after=seconds), way)


def while_reading(ground: Ground, number: int, path: str, change: str) -> list[str]:
    """Delete, cut or replace a source when the build opens its N-th one."""
    trial = _copy(ground.folder)
    file = trial / path
    changes: dict[str, Callable[[], object]] = {
        "deleted": lambda: file.unlink(missing_ok=True),
        "cut": lambda: os.truncate(file, 5),
        "renamed": lambda: file.rename(file.with_name("renamed.md")),
        "replaced": lambda: file.write_bytes(OLD["content/projects/one.md"]),
    }

    def work() -> int:
        hook.install(hook.Reads(number, trial / "content", changes[change]))
        return build(trial)

    outcome = in_copy(work)
    faults = _said_faults(outcome) + _mixed(ground, trial, is_other_source=True)
    after = {path: data for path, data in read_tree(trial).items() if not path.startswith("dist/")}
    fresh = trial.with_name("fresh-after")
    shutil.rmtree(fresh, ignore_errors=True)
    _write_tree(
        fresh,
        {path: data for path, data in after.items() if path.startswith(("content/", "static/"))},
    )
    again, anew = in_copy(lambda: build(trial)), in_copy(lambda: build(fresh))
    if again.code != anew.code:
        faults.append(f"the next build ends with {again.code}, a fresh one with {anew.code}")
    elif again.code == 0 and _published(trial) != _published(fresh):
        faults.append("the next build differs from a fresh one")
    return faults


def two_at_once(ground: Ground, offset: float) -> list[str]:
    """Run two builds of different addresses into one folder, one so many seconds later."""
    trial = _copy(ground.folder)
    other = [
        *("build", "--source", str(trial)),
        *("--date", DAY, "--base-url", "https://o.example/x/"),
    ]

    def late() -> int:
        time.sleep(offset)
        return main(other)

    pids = []
    works: tuple[Callable[[], int], ...] = (lambda: build(trial), late)
    for work in works:
        pid = os.fork()
        if pid == 0:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                os._exit(work())
        pids.append(pid)
    codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
    faults = [f"two builds at once end with {codes}"] if any(codes) else []
    mine = _published(trial)
    fresh = trial.with_name("fresh-other")
    if not fresh.exists():
        _write_tree(fresh, NEW)
        _expect(in_copy(lambda: main(["build", "--source", str(fresh), *other[3:]])))
    if mine not in (ground.new, _published(fresh)):
        faults.append("the output is of neither build")
    return faults + _healed(ground, trial, build)


def _judge(ground: Ground, trial: Path, outcome: Outcome, way: Build) -> list[str]:
    return [
        *_said_faults(outcome),
        *_mixed(ground, trial),
        *_outside(ground, trial),
        *_healed(ground, trial, way),
    ]


def _said_faults(outcome: Outcome) -> list[str]:
    if "Traceback" in outcome.said or outcome.code not in {0, 1, 2, -signal.SIGKILL}:
        return [f"the build ends with {outcome.code} and says: {outcome.said[-400:]}"]
    if outcome.code in {1, 2} and not outcome.said.strip():
        return ["the build fails and says nothing"]
    return []


def _mixed(ground: Ground, trial: Path, *, is_other_source: bool = False) -> list[str]:
    """Each file is the old one or the new one, whole, and a page has what it asks for."""
    found = _published(trial)
    faults = [
        f"{path} is neither old nor new"
        for path, data in found.items()
        if not is_other_source and data not in (ground.old.get(path), ground.new.get(path))
    ]
    both = ground.old.keys() & ground.new.keys()
    faults += [f"{path} is gone" for path in both - found.keys() if not is_other_source]
    for path, data in found.items():
        wanted = (
            {name.decode() for name in _OWN_ADDRESS.findall(data)}
            if path.endswith(".html")
            else set()
        )
        faults += [f"{path} asks for {name}, which is gone" for name in wanted - found.keys()]
    return faults


def _outside(ground: Ground, trial: Path) -> list[str]:
    """Sources and foreign files are as they were."""

    def rest(folder: Path) -> dict[str, bytes]:
        return {
            path: data
            for path, data in read_tree(folder).items()
            if path in _FOREIGN or not path.startswith(("dist/", f"{_CACHE}/"))
        }

    return [] if rest(trial) == rest(ground.folder) else ["something outside of the output changed"]


def _healed(ground: Ground, trial: Path, way: Build) -> list[str]:
    """The next build gives the fresh tree and leaves nothing behind."""
    outcome = in_copy(lambda: way(trial))
    faults = [] if outcome.code == 0 else [f"the next build fails: {outcome.said[-400:]}"]
    if _published(trial) != ground.new:
        faults.append("the next build differs from a fresh one")
    left = read_tree(trial).keys()
    faults += [f"{path} is left over" for path in left if path.startswith(f"dist/{WORK_FOLDER}")]
    kept = {path.removeprefix(f"{_CACHE}/") for path in left if path.startswith(f"{_CACHE}/")}
    faults += [f"{path} is left over in the cache" for path in kept - _KEPT_IN_THE_CACHE]
    return faults


def _published(folder: Path) -> dict[str, bytes]:
    """The files of the output that are not foreign and not temporary, the manifest too."""
    return {
        path.removeprefix("dist/"): data
        for path, data in read_tree(folder).items()
        if path.startswith("dist/")
        and path not in _FOREIGN
        and not path.startswith(f"dist/{WORK_FOLDER}/")
    }


def read_tree(folder: Path) -> dict[str, bytes]:
    """Give every file below a folder by its path."""
    return {
        os.path.relpath(file, folder): file.read_bytes()
        for place, _, names in os.walk(folder)
        for file in map(Path(place).joinpath, names)
    }


def _write_tree(folder: Path, tree: Tree) -> None:
    for path, data in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def _copy(folder: Path) -> Path:
    trial = folder.with_name("trial")
    shutil.rmtree(trial, ignore_errors=True)
    shutil.copytree(folder, trial)
    return trial


def _expect(outcome: Outcome) -> None:
    if outcome.code:
        raise SystemExit(f"a build without a fault fails: {outcome.said}")
