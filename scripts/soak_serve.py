"""
Run the development server through days of work, and print what its promises come to.

    python -m scripts.soak_serve [--saves 10000] [--requests 10000] [--texts 100]

A save is done as some editor does it; some break the site, some rename a file. After each, the
version that the server shows must be the next one (one save, one build), and the page must be the
one that was saved. The time is from the end of a save to the answer that a page waits for, without
the quiet window. It ends with 1 at the first promise that is broken.
"""

import argparse
import http.client
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from batcher_site.watching import QUIET_SECONDS
from bench import corpus
from tests.conftest import SETTINGS
from tests.property.test_requests import run_requests

_BROKEN_EVERY = 50
_RENAMED_EVERY = 20
_PATIENCE_SECONDS = 30
_MOST_GROWTH = 0.2


def main(arguments: list[str]) -> int:
    """Run both series and print a line for each."""
    parser = argparse.ArgumentParser(description="Run the development server for long.")
    parser.add_argument("--saves", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--texts", type=int, default=100)
    options = parser.parse_args(arguments)
    run_requests(options.requests)()
    print(f"{options.requests} requests: 0 outside the build's files, the server lives")
    with tempfile.TemporaryDirectory() as folder:
        return soak(Path(folder), options.texts, options.saves)


def soak(folder: Path, texts: int, saves: int) -> int:
    """Save so often, and tell what came of it."""
    path = _make_site(folder, texts)
    with _serving(folder) as (process, port):
        version = _ask(port, 0)["version"]
        waits: list[float] = []
        resident = 0
        for number in range(1, saves + 1):
            path = _save(path, number)
            saved = time.perf_counter()
            told = _ask(port, version)
            waits.append(time.perf_counter() - saved - QUIET_SECONDS)
            version += 1
            _judge(port, path, number, told, version)
            if number == max(1, saves // 10):
                resident = _resident(process.pid)
        growth = _resident(process.pid) / resident - 1
    p50, p95 = statistics.median(waits), statistics.quantiles(waits, n=20)[-1]
    print(
        f"{saves} saves of {texts} texts: one build each; save to page {p50 * 1000:.0f} ms, 95 % in"
        f" {p95 * 1000:.0f} ms, longest {max(waits) * 1000:.0f} ms; memory {growth:+.1%}"
    )
    return int(growth > _MOST_GROWTH)


def _make_site(folder: Path, texts: int) -> Path:
    """Write the corpus, and give the text that is worked on."""
    path = folder
    (folder / "content").mkdir()
    (folder / "content/site.yaml").write_text(SETTINGS)
    for number, text in enumerate(corpus.texts(texts)):
        name, written = corpus.batcher(text, number, texts)
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(written)
    return path


@contextmanager
def _serving(folder: Path) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    command = [sys.executable, "-m", "batcher_site", "serve", "--source", str(folder)]
    said = folder / "said.txt"
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with said.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(
            [*command, "--port", "0"], stdout=file, stderr=file, env=environment
        )
    try:
        yield process, _port(process, said)
        process.send_signal(signal.SIGINT)
        if process.wait(_PATIENCE_SECONDS):
            raise SystemExit(said.read_text(encoding="utf-8"))
    finally:
        process.kill()


def _port(process: "subprocess.Popen[bytes]", said: Path) -> int:
    """Wait until the server serves."""
    while process.poll() is None:
        found = re.search(r"^serving .*:(\d+)/", said.read_text(encoding="utf-8"), re.MULTILINE)
        if found:
            return int(found[1])
        time.sleep(QUIET_SECONDS)
    raise SystemExit(said.read_text(encoding="utf-8"))


def _save(path: Path, number: int) -> Path:
    """Save as an editor does, the one in turn; give where the text lies now."""
    good = re.sub(r"\nsave \d+\n", "", path.read_text()).replace("x-title:", "title:", 1)
    text = f"{good}\nsave {number}\n"
    if number % _BROKEN_EVERY == 0:
        text = text.replace("title:", "x-title:", 1)
    styles: tuple[Callable[[Path, str], None], ...] = (_in_place, _aside, _with_backup, _twice)
    styles[number % len(styles)](path, text)
    if number % _RENAMED_EVERY == 0 and number % _BROKEN_EVERY:
        path = path.rename(path.with_name(f"renamed-{number}.md"))
    return path


def _in_place(path: Path, text: str) -> None:
    path.write_text(text)


def _aside(path: Path, text: str) -> None:
    other = path.with_name(".new.tmp")
    other.write_text(text)
    other.replace(path)


def _with_backup(path: Path, text: str) -> None:
    backup = path.with_name(f".{path.name}~")
    path.rename(backup)
    path.write_text(text)
    backup.unlink()


def _twice(path: Path, text: str) -> None:
    path.write_text(text[: len(text) // 2])
    time.sleep(QUIET_SECONDS / 5)
    path.write_text(text)


def _judge(port: int, path: Path, number: int, told: Mapping[str, object], version: int) -> None:
    if told["version"] != version:
        raise SystemExit(f"save {number}: version {told['version']}, not {version}")
    if bool(told["faults"]) is not (number % _BROKEN_EVERY == 0):
        raise SystemExit(f"save {number}: {told['faults']}")
    page = _get(port, f"/{path.parent.name}/{path.stem}/").decode()
    shown = number - 1 if told["faults"] else number
    if f"save {shown}" not in page:
        raise SystemExit(f"save {number} is not in its page")


def _ask(port: int, version: int) -> dict[str, int]:
    """Give what is new since a version."""
    told: dict[str, int] = json.loads(_get(port, f"/.batcher/state?version={version}"))
    return told


def _get(port: int, target: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_SECONDS)
    try:
        connection.request("GET", target)
        return connection.getresponse().read()
    finally:
        connection.close()


def _resident(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
