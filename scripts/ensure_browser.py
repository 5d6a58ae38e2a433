"""
Find a browser of the Chromium family for the browser tests, or install one.

    python scripts/ensure_browser.py FILE

writes the path of the browser into FILE. `CHROME_PATH`, where it is set, decides; then what is
installed; then what can be installed: Debian's or Ubuntu's package when run by root, else
Playwright's own download. Run it with the interpreter whose environment holds Playwright.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

COMMANDS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "microsoft-edge",
)
APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
WINDOWS_PROGRAMS = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
WINDOWS_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")

REMEDIES = """\
hint: do one of these, then run the command again:
  - install Chromium, Google Chrome or Microsoft Edge
  - set CHROME_PATH to the browser's program: CHROME_PATH=/path/to/chrome make test
  - as root on Debian: apt-get install chromium fonts-liberation"""


class BrowserError(Exception):
    """No browser could be found or installed, or the one that was named does not start."""


def main(arguments: list[str]) -> int:
    """Write the path of a browser that starts into the file named by the one argument."""
    record = Path(arguments[0])
    try:
        browser = _named(os.environ) or _recorded(record) or _installed() or _install()
    except BrowserError as error:
        print(f"error: {error}\n{REMEDIES}", file=sys.stderr)
        return 1
    record.write_text(f"{browser}\n", encoding="utf-8")
    return 0


def candidates(
    which: Callable[[str], str | None], environ: Mapping[str, str], home: Path
) -> Iterator[Path]:
    """
    Give the places where a browser may be, the likeliest first.

    What `which` finds on the search path comes first; then the usual places of macOS, the
    machine's and the user's; then those of Windows, whose folders `environ` names.
    """
    yield from (Path(found) for found in map(which, COMMANDS) if found)
    for application in APPLICATIONS:
        yield Path(application)
        yield home / Path(application).relative_to("/")
    for folder in WINDOWS_FOLDERS:
        if folder in environ:
            yield from (Path(environ[folder]) / program for program in WINDOWS_PROGRAMS)


def first_that_starts(paths: Iterable[Path]) -> Path | None:
    """
    Give the first path whose program answers `--version`; None where none does.

    Ubuntu ships a `chromium-browser` that only asks for another package: a file is not enough.
    """
    return next((path for path in paths if _is_program(path) and _starts(path)), None)


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _starts(path: Path) -> bool:
    if sys.platform == "win32":
        return True  # there `--version` opens a window instead of answering
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, check=False, timeout=30)
    except subprocess.TimeoutExpired:
        return False
    return answer.returncode == 0


def _named(environ: Mapping[str, str]) -> Path | None:
    named = environ.get("CHROME_PATH")
    if not named:
        return None
    browser = first_that_starts([Path(named).absolute()])
    if browser is None:
        raise BrowserError(f"CHROME_PATH is {named!r}, which is no program that starts")
    return browser


def _recorded(record: Path) -> Path | None:
    if not record.is_file():
        return None
    browser = Path(record.read_text(encoding="utf-8").strip())
    return browser if _is_program(browser) else None


def _installed() -> Path | None:
    return first_that_starts(candidates(shutil.which, os.environ, Path.home()))


def _install() -> Path:
    if _is_root_on_debian():
        _run(["apt-get", "update", "-qq"])
        packages = ["chromium", "fonts-liberation"]
        _run(["apt-get", "install", "-qq", "--yes", "--no-install-recommends", *packages])
        browser = _installed()
        if browser is not None:
            return browser
    _run([sys.executable, "-m", "playwright", "install", "chromium"])
    browser = first_that_starts([_playwright_browser()])
    if browser is None:
        raise BrowserError(
            "no browser for the browser tests was found, and none could be installed"
        )
    return browser


def _is_root_on_debian() -> bool:
    if sys.platform == "win32":
        return False
    return Path("/etc/debian_version").exists() and os.geteuid() == 0


def _run(command: list[str]) -> None:
    print(f"browser: {' '.join(command)}", file=sys.stderr)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    # A failure shows in what follows: the browser is looked for again, and the next way is tried.
    subprocess.run(command, check=False, env=environment, stdout=sys.stderr)


def _playwright_browser() -> Path:
    program = (
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as playwright:\n"
        "    print(playwright.chromium.executable_path)\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=False, text=True
    )
    return Path(answer.stdout.strip())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
