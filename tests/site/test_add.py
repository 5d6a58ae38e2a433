"""Texts that are begun by the command: drafts that build, and nothing overwritten."""

import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from shlex import quote

import pytest

from batcher_site.errors import UsageError
from batcher_site.scaffold import add
from tests.site.console import Batcher

TODAY = date(2026, 12, 1)
TITLES = [
    "Paged engine",
    'A "quoted": title # x',
    "Größe & <b>",
    "yes",
    "1.10",
    "- a",
    "{b}",
    "推論",
]


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("kind", ["project", "writing"])
def test_a_text_that_is_begun_is_a_draft_that_builds(
    site: Callable[..., Path], batcher: Batcher, kind: str, title: str
) -> None:
    folder = site({})
    name = add(str(folder), kind, title, TODAY)
    assert name.startswith(f"content/{'projects' if kind == 'project' else kind}/")
    assert batcher("build", "--source", folder).code == 0
    assert not list((folder / "dist").glob(f"{name.split('/')[1]}/*/index.html"))
    answer = batcher("build", "--source", folder, "--drafts", "--future")
    assert (answer.code, answer.err.count(".md:")) == (0, 0)
    assert list((folder / "dist").glob(f"{name.split('/')[1]}/*/index.html"))


def test_nothing_is_overwritten(site: Callable[..., Path]) -> None:
    folder = site({"content/projects/paged.md": "mine", "content/writing/deep/index.md": "mine"})
    with pytest.raises(UsageError, match=r"projects/paged\.md is there already"):
        add(str(folder), "project", "Paged", TODAY)
    with pytest.raises(UsageError, match="writing/deep/ is there already"):
        add(str(folder), "writing", "Deep", TODAY)
    assert (folder / "content/projects/paged.md").read_text() == "mine"


def test_a_note_is_an_entry_and_what_stands_there_stays(site: Callable[..., Path]) -> None:
    before = "# Mine.\n- topic: A\n  title: B\n  file: b.pdf"
    folder = site({"content/notes/notes.yaml": before})
    assert add(str(folder), "note", "My note", TODAY) == "content/notes/notes.yaml"
    after = (folder / "content/notes/notes.yaml").read_text()
    assert after == f'{before}\n- topic: Notes\n  title: "My note"\n  file: my-note.pdf\n'
    with pytest.raises(UsageError, match=r"has my-note\.pdf already"):
        add(str(folder), "note", "My note", TODAY)


@pytest.mark.parametrize("title", ["", "  ", "!!!", "../.."])
def test_a_title_without_a_letter_names_no_file(site: Callable[..., Path], title: str) -> None:
    with pytest.raises(UsageError, match="no letter"):
        add(str(site({})), "project", title, TODAY)


def test_a_title_cannot_climb_out(site: Callable[..., Path]) -> None:
    assert add(str(site({})), "project", "../../etc/x", TODAY) == "content/projects/etc-x.md"


def test_a_folder_without_a_site_is_told(tmp_path: Path, batcher: Batcher) -> None:
    answer = batcher("add", "project", "X", "--source", tmp_path)
    assert answer.code == 2
    assert "there is no content/site.yaml" in answer.err
    assert "hint: " in answer.err


def test_the_editor_opens_the_file(
    site: Callable[..., Path], batcher: Batcher, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    program = f"import sys; open({str(seen)!r}, 'w').write(sys.argv[1])"
    script = tmp_path / "editor.py"
    script.write_text(program)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{quote(sys.executable)} {quote(str(script))}")
    folder = site({})
    assert batcher("add", "writing", "Deep", "--source", folder, "--edit").code == 0
    assert seen.read_text() == str(folder / "content/writing/deep.md")
    monkeypatch.setenv("EDITOR", "no-such-editor")
    answer = batcher("add", "writing", "Deeper", "--source", folder, "--edit")
    assert (answer.code, "did not start" in answer.err) == (2, True)
    assert (folder / "content/writing/deeper.md").is_file()
