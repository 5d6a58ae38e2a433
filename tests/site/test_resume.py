"""One source, three forms: what the page says of the owner, the PDF and the JSON say too."""

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from fontTools.ttLib import TTFont
from pypdf import PdfReader

from batcher_site import resume_pdf
from batcher_site.build import Options, RenderedSite, render_site
from batcher_site.model import LeftOut, Selection
from tests.conftest import ROOT, TODAY
from tests.content.visible_text import read_page
from tests.site.console import Batcher

RESUME = {"content/resume.yaml": "education:\n  - {institution: Home, end: 2025}\n"}
FONT = ROOT / "static/fonts/Inter-Regular.ttf"
ADDRESS = "https://me.example/portfolio/"

BLOCKS = {"h1", "h2", "h3", "p", "li", "dt", "dd"}

Render = Callable[..., RenderedSite]


@pytest.fixture(scope="module")
def addressed() -> Mapping[str, bytes]:
    """Give the outputs of the site that ships, built for an address."""
    options = Options(source=str(ROOT), base_url=ADDRESS, selection=Selection(now=TODAY))
    return render_site(options).outputs


def paper(site: Mapping[str, bytes]) -> PdfReader:
    return PdfReader(io.BytesIO(site["resume.pdf"]))


def targets(reader: PdfReader) -> set[str]:
    """Give where the links of a PDF lead."""
    pages: list[Any] = list(reader.pages)
    notes = [note.get_object() for page in pages for note in page["/Annots"]]
    return {note["/A"]["/URI"] for note in notes}


def test_the_paper_of_the_resume_that_ships_says_all_that_its_page_says(
    shipped_site: Mapping[str, bytes],
) -> None:
    page = read_page(shipped_site["resume/index.html"])
    article = next(element for element in page.walk() if element.tag == "article")
    said = {element.text for element in article.walk() if element.tag in BLOCKS}
    pages = (page.extract_text() for page in paper(shipped_site).pages)
    printed = " ".join(" ".join(pages).split())
    assert len(said) > 60
    assert {text for text in said if text not in printed} == {"PDF", "JSON Resume"}


def test_the_paper_that_ships_has_two_pages_of_a4_in_the_themes_font(
    shipped_site: Mapping[str, bytes],
) -> None:
    pages = paper(shipped_site).pages
    assert [(round(page.mediabox.width), round(page.mediabox.height)) for page in pages] == [
        (595, 842)
    ] * 2
    resources: list[Any] = [page["/Resources"] for page in pages]
    fonts = {font["/BaseFont"] for used in resources for font in used["/Font"].values()}
    names = {str(font).partition("+")[2].partition("-Identity")[0] for font in fonts}
    assert names == {"Inter-Regular", "Inter-SemiBold"}


def test_links_on_paper_lead_to_the_pages_of_the_site(addressed: Mapping[str, bytes]) -> None:
    found = targets(paper(addressed))
    own = {target.removeprefix(ADDRESS) for target in found if target.startswith(ADDRESS)}
    assert {"", "projects/paged-inference-engine/", "writing/paged-serving/"} <= own
    assert {path for path in own if f"{path}index.html" not in addressed} == set()
    assert {"mailto:vrajpatel.jobs@gmail.com", "https://github.com/VrajPatel105"} <= found


def test_paper_without_an_address_has_no_links_to_a_stand_in(
    shipped_site: Mapping[str, bytes],
) -> None:
    assert {target for target in targets(paper(shipped_site)) if "site.example" in target} == set()


def test_the_pages_lead_to_the_other_forms(shipped_site: Mapping[str, bytes]) -> None:
    assert b'href="/resume.pdf"' in shipped_site["resume/index.html"]
    assert b'href="/resume.json"' in shipped_site["resume/index.html"]
    assert b'href="/resume.pdf"' in shipped_site["index.html"]


def test_only_a_font_for_the_web_is_published(render: Render) -> None:
    """Those of the theme are for paper and pictures: no page asks for them."""
    built = render({"static/fonts/mine.woff2": b"wOF2", "static/fonts/mine.ttf": b"true"})
    fonts = [name for name in built.outputs if name.startswith("fonts/")]
    assert fonts == ["fonts/mine.woff2"]


KANJI = {"content/resume.yaml": "education:\n  - {institution: 山, end: 2025}\n"}


def test_a_letter_that_no_font_has_leaves_out_the_paper_and_not_the_page(render: Render) -> None:
    built = render(KANJI)
    assert built.left_out == (
        LeftOut("resume.pdf", 'no font has "山"; put one that has it into static/fonts/'),
    )
    assert "resume.pdf" not in built.outputs
    assert "山" in built.outputs["resume/index.html"].decode()


def test_a_font_of_the_owner_is_printed_with(render: Render) -> None:
    font = TTFont(FONT)
    for table in font["cmap"].tables:
        table.cmap[ord("山")] = "A"
    for record in font["name"].names:
        record.string = str(record).replace("Inter", "Mountain")
    data = io.BytesIO()
    font.save(data)
    built = render({**KANJI, "static/fonts/mountain.ttf": data.getvalue()})
    assert built.left_out == ()
    assert "山" in paper(built.outputs).pages[0].extract_text()


def test_without_education_and_skills_there_is_no_paper_and_no_complaint(render: Render) -> None:
    built = render({})
    assert "resume.pdf" not in built.outputs
    assert "resume.json" in built.outputs
    assert built.left_out == ()
    assert b"resume.pdf" not in built.outputs["resume/index.html"]


def test_a_build_without_typst_says_so_and_links_to_no_paper(
    site: Callable[[Mapping[str, str]], Path],
    batcher: Batcher,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And the next build, with it, has the paper: what is missing is not remembered."""
    folder = site(RESUME)
    gone = resume_pdf.Paper(missing="typst cannot be imported: no such module")
    with monkeypatch.context() as patched:
        patched.setattr(resume_pdf, "print_paper", lambda *_: gone)
        told = batcher("build", "--source", folder)
    assert told.code == 0
    assert "left out 1: resume.pdf (typst cannot be imported: no such module)" in told.err
    assert "resume.pdf" not in (folder / "dist/resume/index.html").read_text()
    assert batcher("build", "--source", folder, "--timings").code == 0
    assert (folder / "dist/resume.pdf").read_bytes().startswith(b"%PDF")
    assert "resume.pdf" in (folder / "dist/resume/index.html").read_text()


def test_the_owners_template_stands_before_the_themes(render: Render) -> None:
    own = '#set document(title: "Mine", date: none)\n#let given = json(bytes(sys.inputs.given))\n'
    built = render({**RESUME, "templates/resume.typ": f"{own}= Mine\n#given.site.owner.name"})
    assert paper(built.outputs).pages[0].extract_text().split() == ["Mine", "Ada", "Test"]
