"""
The Markdown dialect, case by case: `prose/*.md` in the form of markdown-it-py's fixtures.

A case is a title, then the input, then the exact output, each closed by a line with a lone ".".
`pytest tests/golden --update-golden` (without -n) writes the outputs anew; the diff is the review.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

from batcher_site.model import Source
from batcher_site.prose import Writer
from batcher_site.urls import Base

FOLDER = Path(__file__).with_name("prose")
PATH = "content/projects/a.md"
KNOWN = {
    PATH: "/projects/a/",
    "content/writing/b.md": "/writing/b/",
    "content/projects/pic.png": "/projects/pic.png",
}
WRITER = Writer(KNOWN, {}, Base.parse("https://me.example/base/"))


class Case(NamedTuple):
    """One case of a file."""

    file: Path
    title: str
    text: str
    html: str

    def written(self) -> str:
        return f"{self.title}\n.\n{self.text}.\n{self.html}.\n"


def read(file: Path) -> list[Case]:
    """Give the cases of a file."""
    parts: list[str] = [""]
    for line in file.read_text(encoding="utf-8").splitlines(keepends=True):
        if line == ".\n":
            parts.append("")
        else:
            parts[-1] += line
    triples = zip(parts[0:-1:3], parts[1::3], parts[2::3], strict=True)
    assert not parts[-1].strip(), f"{file.name} ends inside a case"
    return [Case(file, title.strip(), text, html) for title, text, html in triples]


CASES = [case for file in sorted(FOLDER.glob("*.md")) for case in read(file)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file.stem}: {case.title}")
def test_a_text_becomes_exactly_this_html(case: Case, request: pytest.FixtureRequest) -> None:
    html = f"{WRITER.render(Source(PATH, case.text)).html}\n"
    if request.config.getoption("--update-golden"):
        file = case.file.read_text(encoding="utf-8")
        new = file.replace(case.written(), case._replace(html=html).written())
        case.file.write_text(new, encoding="utf-8")
    else:
        assert html == case.html


def test_a_case_is_read_as_it_is_written() -> None:
    for file in FOLDER.glob("*.md"):
        written = "\n".join(case.written() for case in read(file))
        assert file.read_text(encoding="utf-8") == written


def test_every_case_has_a_title_of_its_own() -> None:
    assert len({(case.file, case.title) for case in CASES}) == len(CASES) > 40
