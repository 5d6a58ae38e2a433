"""The résumé on paper: what is printed, what is refused, and that nothing else has a say in it."""

import builtins
import io
import json
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from batcher_site.errors import SiteErrors
from batcher_site.resume_pdf import Paper, print_paper

FONTS = str(Path(__file__).parents[2] / "static" / "fonts")
HEAD = """\
#let given = json(bytes(sys.inputs.given))
#set document(title: given.name, date: none)
#set text(font: "Inter", lang: "en")
"""


def printed(folder: Path, body: str, name: str = "Ada") -> Paper:
    template = folder / "templates" / "resume.typ"
    template.parent.mkdir(exist_ok=True)
    template.write_text(HEAD + body, encoding="utf-8")
    return print_paper(str(template), json.dumps({"name": name}).encode(), [FONTS])


def text_of(paper: Paper) -> str:
    assert paper.data is not None
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(paper.data)).pages)


def test_data_is_never_code(tmp_path: Path) -> None:
    name = '#panic("x") *not bold* ] ) $x$ // "\\'
    assert text_of(printed(tmp_path, "= #given.name", name)).strip() == name


def test_the_bytes_depend_on_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither on the folders nor on the clock, even where a template asks for the day."""
    (tmp_path / "other").mkdir()
    body = '= #given.name\n#datetime.today().display("[year]")'
    first = printed(tmp_path, body)
    monkeypatch.chdir(tmp_path / "other")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert printed(tmp_path / "other", body) == first
    assert "1970" in text_of(first)


def test_the_file_is_tagged_and_says_whose_it_is(tmp_path: Path) -> None:
    paper = printed(tmp_path, "= #given.name")
    assert paper.data is not None
    reader = PdfReader(io.BytesIO(paper.data))
    root: dict[str, Any] = dict(reader.root_object)
    assert {"/MarkInfo", "/StructTreeRoot"} <= root.keys()
    assert root["/Lang"] == "en"
    assert b"pdfuaid:part" in paper.data
    assert reader.metadata is not None
    assert reader.metadata.title == "Ada"
    assert reader.metadata.creation_date is None


def test_a_letter_that_no_font_has_leaves_the_paper_out(tmp_path: Path) -> None:
    """A box in the place of a name would be worse."""
    paper = printed(tmp_path, "= #given.name", "Ada 山")
    assert paper == Paper(missing='no font has "山"; put one that has it into static/fonts/')


def test_without_typst_there_is_no_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *arguments: object) -> object:
        if name == "typst":
            raise ImportError("wrong ELF class")
        return real(name, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    paper = printed(tmp_path, "= #given.name")
    assert paper == Paper(missing="typst cannot be imported: wrong ELF class")


@pytest.mark.parametrize(
    ("body", "line", "column", "message"),
    [
        ("= #given.nam", 4, 10, 'dictionary does not contain key "nam"'),
        ("= A\n#let x = (", 5, 10, "unclosed delimiter"),
        ("= A\n=== B", 5, 1, "skipped from heading level 1 to 3"),
        ('= A\n#read("../secret.txt")', 5, 7, "would escape the project root"),
    ],
)
def test_a_fault_of_the_template_has_its_place(
    tmp_path: Path, body: str, line: int, column: int, message: str
) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    with pytest.raises(SiteErrors) as raised:
        printed(tmp_path, body)
    (error,) = raised.value.errors
    assert error.source == "templates/resume.typ"
    assert message in error.message
    assert (error.line, error.column) == (line, column)


def test_a_fault_in_a_file_beside_the_template_is_told_there(tmp_path: Path) -> None:
    (tmp_path / "templates" / "parts").mkdir(parents=True)
    (tmp_path / "templates" / "parts" / "lib.typ").write_text("#let x() = panic(1)")
    with pytest.raises(SiteErrors) as raised:
        printed(tmp_path, '= A\n#import "parts/lib.typ": x\n#x()')
    (error,) = raised.value.errors
    assert error.place == "templates/parts/lib.typ:1:12"


def test_a_paper_without_a_title_is_refused_with_the_remedy(tmp_path: Path) -> None:
    """PDF/UA asks for one; this fault has no place."""
    template = tmp_path / "resume.typ"
    template.write_text("= A", encoding="utf-8")
    with pytest.raises(SiteErrors) as raised:
        print_paper(str(template), b"{}", [FONTS])
    (error,) = raised.value.errors
    assert error.place == "templates/resume.typ"
    assert "title" in (error.hint or "")
