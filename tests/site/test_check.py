"""A check of a site on disk: what it may touch, and what it may not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from batcher_site import prose
from batcher_site.__main__ import main
from tests.conftest import Files
from tests.property.trees import files_below

FILES: Files = {"content/projects/p.md": "---\ntitle: P\nsummary: S\n---\nText.\n"}


def test_a_check_writes_nothing(
    site: Callable[[Files], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = site(FILES)
    for before_it in ([], ["build"]):
        for command in before_it:
            assert main([command, "--source", str(folder)]) == 0
        before = files_below(folder)
        assert main(["check", "--source", str(folder)]) == 0
        assert files_below(folder) == before
    assert "without a problem" in capsys.readouterr().out


def test_a_check_after_a_build_renders_no_text_again(
    site: Callable[[Files], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = site(FILES)
    assert main(["build", "--source", str(folder)]) == 0

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(prose.Writer, "render", refuse)
    assert main(["check", "--source", str(folder)]) == 0
