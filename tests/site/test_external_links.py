"""`batcher check --external`: what hosts answer, told at the line of the link."""

import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from batcher_site.__main__ import main
from tests.conftest import SETTINGS, Files
from tests.unit.test_external import Host, host, says

__all__ = ["host"]


@pytest.fixture
def public(host: Host, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give the address of the host under a public name, since private ones are not asked."""
    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _, *rest: real("127.0.0.1", *rest))
    host.pages = {
        "/live": says(200),
        "/gone": says(404),
        "/gone/on": says(200),
        "/closed": says(403),
        "/quiet/x": says(404),
    }
    return f"http://public.example:{host.server.server_port}"


@pytest.fixture
def folder(site: Callable[[Files], Path], public: str) -> Path:
    text = "---\ntitle: P\nsummary: S\nlinks:\n  - {kind: repo, url: URL/gone}\n---\n"
    text += "[on](URL/gone/on) and\n[live](URL/live#part)\n<URL/closed> [quiet](URL/quiet/x)\n"
    return site(
        {
            "content/site.yaml": f"{SETTINGS}check: {{ignore: ['{public}/quiet/']}}\n",
            "content/projects/p.md": text.replace("URL", public),
        }
    )


def test_dead_links_are_problems_and_doubtful_ones_notices_at_their_lines(
    folder: Path, public: str, host: Host, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--external", "--source", str(folder)]) == 1
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        f'content/projects/p.md:5:23: the link "{public}/gone" is dead: 404 Not Found',
        "  hint: mend it, or take it out",
    ]
    notice = f'content/projects/p.md:9: the link "{public}/closed" could not be checked: 403'
    assert notice in told.out
    assert not [asked for asked in host.asked if "quiet" in asked]


def test_what_led_somewhere_is_not_asked_for_again(
    folder: Path, host: Host, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["check", "--external", "--format", "json", "--source", str(folder)]
    main(arguments)
    first = json.loads(capsys.readouterr().out)
    host.asked.clear()
    main(arguments)
    assert json.loads(capsys.readouterr().out) == first
    assert {asked.split()[1] for asked in host.asked} == {"/gone", "/closed"}


def test_without_the_option_nobody_is_asked(folder: Path, host: Host) -> None:
    assert main(["check", "--source", str(folder)]) == 0
    assert not host.asked
    assert not (folder / ".batcher-cache").exists()
