"""
Make the PDFs of `content/notes/` from the write-ups of the same name in `content/writing/`.

    python scripts/make_notes.py [FOLDER]

writes one PDF for each entry of `content/notes/notes.yaml` into FOLDER, by default the folder of
the notes. The same write-up gives the same bytes on any day: the date inside is the write-up's.
"""

import sys
from datetime import UTC, datetime, time
from pathlib import Path
from typing import TypeVar
from xml.etree import ElementTree as ET

import markdown
from fpdf import FPDF, FontFace
from fpdf.enums import Align, MethodReturnValue, TableBordersLayout, XPos, YPos

from batcher_site.frontmatter import parse, split
from batcher_site.model import Note, Site, WritingMeta
from batcher_site.nodes import Node
from batcher_site.validation import convert

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ROOT / "content"
# The standard PDF fonts are not embedded, which keeps a note small; they have Latin-1 only.
TEXT_FONT = "Helvetica"
CODE_FONT = "Courier"
REPLACED = str.maketrans({"–": "-", "→": "->", "’": "'", "…": "..."})
INK = (22, 27, 38)
MUTED = (96, 102, 112)
CODE_GROUND = (243, 241, 236)
TEXT_SIZE = 9.8
CODE_SIZE = 8
LINE = 4.7  # mm
CODE_LINE = 3.7  # mm
TABLE_LINE = 4.4  # mm
HEADING_SIZES = {"h2": 13, "h3": 11}


def main(arguments: list[str]) -> int:
    """Write every note's PDF into the folder that was named."""
    folder = Path(arguments[0]) if arguments else CONTENT / "notes"
    site = _read(CONTENT / "site.yaml", Site)
    for note in _read(CONTENT / "notes" / "notes.yaml", list[Note]):
        source = CONTENT / "writing" / Path(note.file).with_suffix(".md").name
        target = folder / note.file
        target.write_bytes(make_pdf(source, site, note))
        print(f"{target.name}: {target.stat().st_size} bytes")
    return 0


def _read(path: Path, kind: type[T]) -> T:
    return _typed(parse(path.read_text(encoding="utf-8"), str(path)), kind, str(path))


def _typed(node: Node | None, kind: type[T], path: str) -> T:
    if node is None:
        raise SystemExit(f"error: {path} is empty")
    converted = convert(node, kind, path)
    if converted.value is None:
        raise SystemExit("\n".join(str(error) for error in converted.errors))
    return converted.value


def make_pdf(source: Path, site: Site, note: Note) -> bytes:
    """Give the write-up `source` as a PDF on A4 pages, with title, author, language and date."""
    entries, body = split(source.read_text(encoding="utf-8"), str(source))
    meta = _typed(entries, WritingMeta, str(source))
    pdf = NotePdf(f"{site.owner.name} · {meta.title}".translate(REPLACED))
    pdf.set_title(note.title)
    pdf.set_author(site.owner.name)
    pdf.set_lang(site.language)
    pdf.set_producer("fpdf2")
    pdf.set_creator("scripts/make_notes.py")
    pdf.set_creation_date(datetime.combine(meta.date.first_day, time(), UTC))
    pdf.add_page()
    pdf.title_block(meta.title, f"{site.owner.name} · {meta.date} · {note.label or note.topic}")
    html = markdown.markdown(body.text, extensions=["tables", "fenced_code"])
    for element in ET.fromstring(f"<body>{html}</body>"):  # noqa: S314 -- our own write-ups
        pdf.element(element)
    return bytes(pdf.output())


class NotePdf(FPDF):
    """A note on A4 pages; `running_foot` stands beside the page number."""

    def __init__(self, running_foot: str) -> None:
        super().__init__(format="A4")
        self._running_foot = running_foot
        self.set_margins(24, 17, 24)
        self.set_auto_page_break(auto=True, margin=18)
        self.set_text_color(*INK)
        self.alias_nb_pages("{pages}")

    def footer(self) -> None:
        """Print the running foot and the page's number at the foot of a page."""
        self.set_y(-13)
        self.set_font(TEXT_FONT, size=8)
        self.set_text_color(*MUTED)
        self.cell(0, 5, self._running_foot)
        self.set_x(self.l_margin)
        self.cell(0, 5, f"{self.page_no()} / {{pages}}", align=Align.R)
        self.set_text_color(*INK)

    def title_block(self, title: str, below: str) -> None:
        """Print the title and the line below it."""
        self._paragraph(title, TEXT_FONT, 18, 8, style="B")
        self.ln(1)
        self.set_text_color(*MUTED)
        self._paragraph(below, TEXT_FONT, 9, LINE)
        self.set_text_color(*INK)
        self.ln(4)

    def element(self, element: ET.Element) -> None:
        """Print one block of a write-up; raises KeyError for an element that notes do not know."""
        printers = {
            "h2": self._heading,
            "h3": self._heading,
            "p": self._text,
            "pre": self._code,
            "ul": self._list,
            "table": self._table,
        }
        printers[element.tag](element)

    def _heading(self, element: ET.Element) -> None:
        self.ln(1.6)
        # A heading at the very foot of a page would stand apart from its text.
        if self.will_page_break(9 * LINE):
            self.add_page()
        self._paragraph(_plain(element), TEXT_FONT, HEADING_SIZES[element.tag], 7, style="B")
        self.ln(1)

    def _text(self, element: ET.Element) -> None:
        self._runs(element)
        self.ln(LINE + 1.8)

    def _runs(self, element: ET.Element) -> None:
        """Print text that changes its font within a line."""
        self._run(element.text, element.tag)
        for inner in element:
            self._run("".join(inner.itertext()), inner.tag)
            self._run(inner.tail, element.tag)

    def _run(self, text: str | None, tag: str) -> None:
        if not text:
            return
        family, size = (CODE_FONT, TEXT_SIZE - 1) if tag == "code" else (TEXT_FONT, TEXT_SIZE)
        style = {"strong": "B", "em": "I"}.get(tag, "")
        self.set_font(family, style, size)
        self.write(LINE, " ".join(text.translate(REPLACED).split("\n")))

    def _code(self, element: ET.Element) -> None:
        lines = _plain(element).rstrip("\n")
        height = CODE_LINE * (lines.count("\n") + 1) + 4
        if self.will_page_break(height):
            self.add_page()
        self.set_fill_color(*CODE_GROUND)
        self.rect(self.l_margin, self.y, self.epw, height, style="F")
        self.set_y(self.y + 2)
        self._paragraph(lines, CODE_FONT, CODE_SIZE, CODE_LINE, indent=2.5)
        self.ln(5)

    def _list(self, element: ET.Element) -> None:
        for item in element:
            self.set_font(TEXT_FONT, size=TEXT_SIZE)
            self.cell(5, LINE, "-")
            margin = self.l_margin
            self.set_left_margin(margin + 5)
            self._runs(item)
            self.set_left_margin(margin)
            self.ln(LINE + 0.8)
        self.ln(2)

    def _table(self, element: ET.Element) -> None:
        rows = [list(row) for row in element.iter("tr")]
        self.set_font(TEXT_FONT, size=9)
        if self.will_page_break(TABLE_LINE * 1.4 * len(rows)):
            self.add_page()
        with self.table(
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            col_widths=_column_widths(rows),
            headings_style=FontFace(emphasis="BOLD"),
            line_height=TABLE_LINE,
            padding=(0.8, 1.5),
            text_align=tuple(_alignment(cell) for cell in rows[0]),
        ) as table:
            for cells in rows:
                row = table.row()
                for cell in cells:
                    row.cell(_plain(cell))
        self.ln(4)

    def _paragraph(  # noqa: PLR0913 -- the font of a paragraph, in one place
        self,
        text: str,
        family: str,
        size: float,
        line: float,
        *,
        style: str = "",
        indent: float = 0,
    ) -> None:
        self.set_font(family, style, size)
        self.set_x(self.l_margin + indent)
        self.multi_cell(
            0,
            line,
            text.translate(REPLACED),
            align=Align.L,
            new_x=XPos.LMARGIN,
            new_y=YPos.NEXT,
            output=MethodReturnValue.PAGE_BREAK,
        )


def _plain(element: ET.Element) -> str:
    return "".join(element.itertext()).translate(REPLACED)


def _column_widths(rows: list[list[ET.Element]]) -> tuple[int, ...]:
    """Give each column a share by its longest cell, so that a long first column does not wrap."""
    columns = zip(*rows, strict=True)
    return tuple(8 + max(len(_plain(cell)) for cell in column) for column in columns)


def _alignment(heading: ET.Element) -> str:
    right = "right" in (heading.get("style") or "") or heading.get("align") == "right"
    return "RIGHT" if right else "LEFT"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
