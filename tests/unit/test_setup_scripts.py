"""The set-up scripts of the Makefile: what they find, in which order, and what they say."""

import sys
from pathlib import Path

import pytest

from scripts import ensure_browser, ensure_node

POSIX_ONLY = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell script as a program")


def program(path: Path, answer: str, code: int = 0) -> Path:
    """Make a program that answers anything with one line and this exit code."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{answer}'\nexit {code}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def nothing(_command: str) -> None:
    """Find no command on the search path."""


def test_a_browser_on_the_search_path_comes_before_the_usual_places() -> None:
    on_path = {"google-chrome": "/opt/bin/google-chrome", "chromium": "/usr/bin/chromium"}

    places = list(ensure_browser.candidates(on_path.get, {}, Path("/home/ada")))

    assert places[:2] == [Path("/usr/bin/chromium"), Path("/opt/bin/google-chrome")]
    assert Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome") in places


def test_an_application_of_the_user_alone_is_found() -> None:
    places = list(ensure_browser.candidates(nothing, {}, Path("/Users/ada")))

    chrome = "/Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    assert Path(chrome) in places


def test_windows_folders_are_looked_through_only_where_they_are_named() -> None:
    environ = {"PROGRAMFILES": "C:/Program Files"}

    places = list(ensure_browser.candidates(nothing, environ, Path("/home/ada")))

    windows = [place for place in places if place.as_posix().startswith("C:/")]
    assert windows[0].as_posix() == "C:/Program Files/Google/Chrome/Application/chrome.exe"
    assert len(windows) == len(ensure_browser.WINDOWS_PROGRAMS)


@POSIX_ONLY
def test_a_browser_that_only_asks_for_another_package_is_passed_over(tmp_path: Path) -> None:
    stub = program(tmp_path / "chromium-browser", "please install the snap", code=1)
    browser = program(tmp_path / "chrome", "Chromium 150")

    assert ensure_browser.first_that_starts([tmp_path / "missing", stub, browser]) == browser


@POSIX_ONLY
def test_a_file_that_may_not_be_run_is_no_browser(tmp_path: Path) -> None:
    browser = program(tmp_path / "chrome", "Chromium 150")
    browser.chmod(0o644)

    assert ensure_browser.first_that_starts([browser]) is None


@POSIX_ONLY
def test_chrome_path_decides_even_over_a_recorded_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = program(tmp_path / "with space" / "chrome", "Chromium 150")
    record = tmp_path / "browser-path"
    record.write_text(f"{program(tmp_path / 'old', 'Chromium 149')}\n", encoding="utf-8")
    monkeypatch.setenv("CHROME_PATH", str(named))

    assert ensure_browser.main([str(record)]) == 0
    assert record.read_text(encoding="utf-8") == f"{named}\n"


def test_a_chrome_path_that_does_not_start_is_an_error_with_remedies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A browser that was named is not silently replaced by another one."""
    monkeypatch.setenv("CHROME_PATH", str(tmp_path / "missing"))

    assert ensure_browser.main([str(tmp_path / "browser-path")]) == 1

    told = capsys.readouterr().err
    assert "missing" in told
    assert "hint:" in told
    assert not (tmp_path / "browser-path").exists()


@POSIX_ONLY
def test_the_recorded_browser_is_kept_while_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = program(tmp_path / "chrome", "Chromium 150")
    record = tmp_path / "browser-path"
    record.write_text(f"{browser}\n", encoding="utf-8")
    monkeypatch.delenv("CHROME_PATH", raising=False)

    assert ensure_browser.main([str(record)]) == 0
    assert record.read_text(encoding="utf-8") == f"{browser}\n"


@pytest.mark.parametrize(
    ("answer", "major"),
    [
        ("v20.20.2\n", 20),
        ("v8.17.0", 8),
        ("v25.0.0-nightly20260101abc", 25),
        ("node: command not found", None),
        ("", None),
    ],
)
def test_the_major_version_is_read_from_what_node_answers(answer: str, major: int | None) -> None:
    assert ensure_node.major_version(answer) == major


@POSIX_ONLY
def test_an_installed_node_that_is_new_enough_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = program(tmp_path / "bin" / "node", "v20.0.0")
    monkeypatch.setenv("PATH", f"{node.parent}:/usr/bin:/bin")
    record = tmp_path / "node-path"

    assert ensure_node.main([str(record)]) == 0
    assert record.read_text(encoding="utf-8") == f"{node}\n"


@POSIX_ONLY
def test_a_recorded_node_that_is_too_old_by_now_is_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "node-path"
    record.write_text(f"{program(tmp_path / 'old', 'v18.19.0')}\n", encoding="utf-8")
    node = program(tmp_path / "bin" / "node", "v22.1.0")
    monkeypatch.setenv("PATH", f"{node.parent}:/usr/bin:/bin")

    assert ensure_node.main([str(record)]) == 0
    assert record.read_text(encoding="utf-8") == f"{node}\n"
