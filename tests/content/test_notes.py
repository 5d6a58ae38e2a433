"""The notes in the repository are what `scripts/make_notes.py` makes of today's write-ups."""

import re
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
NOTES = ROOT / "content" / "notes"
LARGEST = 60_000  # bytes

_STREAM = re.compile(rb"/FlateDecode[^>]*>>\s*stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_SHOWN = re.compile(rb"\(((?:\\.|[^\\()])*)\) Tj")
_FOOT = re.compile(r"Vraj Patel · [^·]*? \d+ / +\d+\b")
_ESCAPED = re.compile(rb"\\(.)")

_LIST = NOTES / "notes.yaml"
# An owner's own content may have no notes; these tests are skipped there.
_ENTRIES = yaml.safe_load(_LIST.read_text(encoding="utf-8")) if _LIST.exists() else []
_FILES = sorted(entry["file"] for entry in _ENTRIES)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "make_notes.py"), str(folder)],
        check=True,
        capture_output=True,
    )
    return folder


def test_every_note_is_listed() -> None:
    assert sorted(path.name for path in NOTES.glob("*.pdf")) == _FILES


@pytest.mark.parametrize("name", _FILES)
def test_a_note_says_what_its_write_up_says(made: Path, name: str) -> None:
    """Words are compared, not bytes: another release of the PDF library may break lines anew."""
    assert _words((NOTES / name).read_bytes()) == _words((made / name).read_bytes())


def _words(pdf: bytes) -> list[str]:
    return _FOOT.sub(" ", " ".join(_lines(pdf))).split()


def _lines(pdf: bytes) -> list[str]:
    streams = [zlib.decompress(stream) for stream in _STREAM.findall(pdf)]
    shown = [text for stream in streams for text in _SHOWN.findall(stream)]
    return [_ESCAPED.sub(rb"\1", text).decode("latin-1") for text in shown]


@pytest.mark.parametrize("name", _FILES)
def test_a_note_has_title_author_and_language(name: str) -> None:
    pdf = (NOTES / name).read_bytes()
    title = next(entry["title"] for entry in _ENTRIES if entry["file"] == name)
    assert f"/Title ({title})".encode() in pdf
    assert b"/Author (Vraj Patel)" in pdf
    assert b"/Lang (en)" in pdf


@pytest.mark.parametrize("name", _FILES)
def test_a_note_is_small_and_short(name: str) -> None:
    pdf = (NOTES / name).read_bytes()
    assert len(pdf) < LARGEST
    assert len(re.findall(rb"/Type /Page\b(?!s)", pdf)) in {2, 3}


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("paged-serving.pdf", ["82 tok/s", "1,030 tok/s", "3.5x", "~0.005", "~23x"]),
        (
            "int8-and-flashattention-2.pdf",
            ["46.4%", "29.3%", "~288 MB", "43.13%", "3.36%", "60.3%"],
        ),
    ],
)
def test_a_note_has_the_figures(name: str, figures: list[str]) -> None:
    text = " ".join(_lines((NOTES / name).read_bytes()))
    assert [figure for figure in figures if figure not in text] == []
