"""
Markdown to finished, safe HTML: `Writer.render` takes a text and gives a `Prose`.

The dialect is Python-Markdown's with tables, fenced code (in lists too), task lists, strikethrough,
autolinks, footnotes, definition lists and attribute lists. Links between files are resolved here.
Raw HTML passes an allow-list: scripts, styles, event handlers and odd schemes are errors with a
line, unknown tags are shown as the text that they are, and `nh3` cleans the finished fragment.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import escape, unescape
from html.parser import HTMLParser
from itertools import count
from string import punctuation
from xml.etree.ElementTree import Element

import nh3
from markdown import Markdown
from markdown.blockprocessors import BlockQuoteProcessor
from markdown.extensions import Extension
from markdown.extensions.attr_list import AttrListExtension
from markdown.extensions.def_list import DefListExtension
from markdown.extensions.footnotes import FootnoteExtension
from markdown.extensions.sane_lists import SaneListExtension
from markdown.extensions.tables import TableExtension
from markdown.extensions.toc import TocExtension
from markdown.inlinepatterns import InlineProcessor as MarkdownInlineProcessor
from markdown.inlinepatterns import SubstituteTagInlineProcessor
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import InlineProcessor, Treeprocessor
from markdown.util import AMP_SUBSTITUTE
from markupsafe import Markup
from pygments.style import Style
from pymdownx.highlight import Highlight, HighlightExtension
from pymdownx.magiclink import MagiclinkExtension
from pymdownx.superfences import SuperFencesCodeExtension
from pymdownx.tasklist import TasklistExtension
from pymdownx.tilde import DeleteSubExtension

from batcher_site import charts, maths
from batcher_site.dialect import regular
from batcher_site.errors import ProseError, SiteError, SiteErrors
from batcher_site.model import Heading, Prose, Reference, Source
from batcher_site.nodes import FORBIDDEN
from batcher_site.urls import ABOUT, Base, resolve, slugify

_FENCE = re.compile(r"(?P<before>[ >]*(?:[-*+] +|\d+[.)] +)?)(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_FENCE_OPTIONS = re.compile(
    r"""(?:(?:hl_lines="[\d \-]*"|linenums="\d+(?: \d+){0,2}"|title="[^"<>&]*")\s*)+"""
)
_ALERT = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)", re.IGNORECASE)
_DETAILS = re.compile(r" {0,3}<details[\s>]", re.IGNORECASE)
_DETAILS_END = re.compile(r" {0,3}</details>\s*$", re.IGNORECASE)
# The sign of a formula touches it on both sides, so that "$5 and $6" stay money.
_DISPLAYED = r"(?<!\\)\$\$((?:[^$\\]|\\[\s\S])+?)\$\$"
_INLINED = r"(?<![\\$\w])\$(?![\s$])((?:[^$\\]|\\.)+?)(?<![\s\\])\$(?![\d$])"
_FORMULA = re.compile(r'<span class="math" id="math-(\d{1,4})"></span>')
_CODE = "<pre><span></span><code>"
_SCROLLING_CODE = '<pre tabindex="0"><span></span><code>'
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_FORBIDDEN_TAGS = frozenset(
    "script style iframe object embed form input button select textarea link meta base frame"
    " frameset applet svg math template noscript audio video".split()
)
# What the highlighter makes: an author's HTML that only begins like it goes through the filter.
_GENERATED = re.compile(
    r'<div class="highlight">(?:[^<]|</?(?:div|pre|span|code)(?: class="[^"<>]*")?>)*'
)
_CHART = re.compile(r'<figure id="chart-(\d{1,4})" class="chart"></figure>')
_TASK_BOX = '<input type="checkbox" disabled'
# A box without a name says nothing to a screen reader.
_TASK_BOXES = {
    f"{_TASK_BOX}/> ": f'{_TASK_BOX} aria-label="open"> ',
    f"{_TASK_BOX} checked/> ": f'{_TASK_BOX} checked aria-label="done"> ',
}
_GLOBAL_ATTRIBUTES = {"class", "id", "title", "lang", "dir", "role", "tabindex", "aria-label"}
_ATTRIBUTES: dict[str, set[str]] = {
    "*": _GLOBAL_ATTRIBUTES,
    "a": {"href", "rel", "target"},
    "img": {"src", "alt", "width", "height", "loading", "decoding"},
    "th": {"scope", "colspan", "rowspan"},
    "td": {"colspan", "rowspan"},
    "ol": {"start", "reversed"},
    "li": {"value"},
    "details": {"open"},
    "input": {"type", "checked", "disabled"},
    "time": {"datetime"},
    "blockquote": {"cite"},
    "q": {"cite"},
}
_TAGS = frozenset(
    "a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl"
    " dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt"
    " ruby s samp small span strong sub summary sup table tbody td tfoot th thead time tr u"
    " ul var wbr".split()
)
_PUBLISHED_TAGS = set(_TAGS | {"input"})  # the boxes of task lists
_SCHEMES = {"http", "https", "mailto"}
_WORD = re.compile(r"\w+(?:[-'’.,]\w+)*")
_TAG = re.compile(r"<[^>]*>")
# What no inline pattern begins with: letters, digits, blanks and plain punctuation.
_INLINE_SIGN = re.compile(r"[^\w \n.,;:'\"()/%?#–—…-]|_|://|  \n|[wW]{3}\.")
_FRAME_IDS = frozenset({"main", "contents", "sections"})
_TOC_LEVELS = (2, 3)


class Writer:
    """
    Renders texts with one Markdown instance.

    `known` maps the files of `content/` to their site paths, `unpublished` those held back to the
    reason; `base` gives the addresses.
    """

    def __init__(
        self, known: Mapping[str, str], unpublished: Mapping[str, str], base: Base
    ) -> None:
        self._context = _TextContext(known, unpublished, base)
        self._cleaner = nh3.Cleaner(
            tags=_PUBLISHED_TAGS,
            attributes=_ATTRIBUTES,
            url_schemes=_SCHEMES,
            link_rel=None,
            strip_comments=True,
        )
        self._markdown = Markdown(
            output_format="html",
            extensions=[
                AttrListExtension(),
                DefListExtension(),
                FootnoteExtension(BACKLINK_TITLE="Back to the text of note {}"),
                SaneListExtension(),
                TableExtension(),
                TocExtension(slugify=_heading_id, toc_depth="2-6", marker=""),
                _HighlightOnce(pygments_style=_NoColours, anchor_linenums=False),
                SuperFencesCodeExtension(
                    custom_fences=[
                        {"name": "chart", "class": "chart", "format": self._chart},
                        {"name": "math", "class": "math", "format": self._formula},
                    ]
                ),
                TasklistExtension(),
                DeleteSubExtension(subscript=False),
                MagiclinkExtension(hide_protocol=False),
                _HouseExtension(self._context),
            ],
        )

    def render(self, source: Source) -> Prose:
        """Render one text; raise SiteErrors with all its faults, each with its line."""
        self._context.begin(source)
        self._markdown.reset()
        try:
            html = self._markdown.convert(source.text)
        except RecursionError:
            # `reset` leaves the parser where it was: inside of the lists.
            self._markdown.parser.state.clear()
            raise ProseError(
                "lists or quotes are nested too deep to be rendered",
                source=source.path,
                hint="flatten the text",
            ) from None
        if self._context.faults:
            raise SiteErrors(self._context.faults)
        clean = self._cleaner.clean(html)
        # A box that scrolls must be reachable by keyboard.
        clean = clean.replace(_CODE, _SCROLLING_CODE)
        words = len(_WORD.findall(unescape(_TAG.sub(" ", clean))))
        forbidden = FORBIDDEN.search(clean)
        if forbidden:
            self._context.refuse(
                "&#",
                f"the character U+{ord(forbidden[0]):04X} may not stand in a text",
                "take the character reference out",
            )
            raise SiteErrors(self._context.faults)
        return Prose(
            # Cleaned by the allow-list above, before our own drawings were put in.
            html=Markup(  # noqa: S704
                _FORMULA.sub(self._context.formula_at, _CHART.sub(self._context.drawing, clean))
            ),
            headings=tuple(_headings(self._markdown.toc_tokens)),  # type: ignore[attr-defined]
            references=tuple(self._context.references),
            words=words,
        )

    def _chart(self, text: str, *_: object, **__: object) -> str:
        return self._context.chart(text)

    def _formula(self, text: str, *_: object, **__: object) -> str:
        number = self._context.formula(text, display=True)
        return f'<p><span class="math" id="math-{number}"></span></p>'


class _TextContext:
    """What belongs to the text that is being rendered, and to no other."""

    def __init__(
        self, known: Mapping[str, str], unpublished: Mapping[str, str], base: Base
    ) -> None:
        self._known = known
        self._unpublished = unpublished
        self._base = base
        self._source = Source("", "")
        self._seen: dict[str, int] = {}
        self._charts: list[str] = []
        self._formulas: list[str] = []
        self.faults: list[SiteError] = []
        self.references: list[Reference] = []
        self.filtered = 0

    def begin(self, source: Source) -> None:
        self._source = source
        self._seen = {}
        self._charts = []
        self._formulas = []
        self.faults = []
        self.references = []
        self.filtered = 0

    def address(self, href: str) -> str:
        """Give the final address of a link as it is written; remember where it leads."""
        line, column = self._place(href)
        target = resolve(href, self._source.path, self._known)
        if target.external is not None:
            return target.external
        if target.site_path is None:
            self.fault(target.problem or href, self._reason(href) or target.hint, line, column)
            return href
        self.references.append(Reference(target.site_path, line, href))
        return self._base.href(target.site_path)

    def picture(self, src: str) -> str:
        """Give the final address of a picture, which must be the site's own."""
        address = self.address(src)
        if address.startswith(("http:", "https:", "mailto:")):
            self.refuse(
                src,
                f'the picture "{src}" lies on another host, which the page may not ask',
                "save it beside the text and name the file",
            )
        return address

    def formula(self, latex: str, *, display: bool) -> int:
        """Make a formula ready, and give the number that stands for it until all is cleaned."""
        line, column = self._place(latex)
        try:
            made = maths.mathml(latex, display=display)
        except maths.FormulaError as error:
            before = latex[: error.offset]
            below = before.count("\n")
            place = error.offset - (before.rfind("\n") + 1) + (1 if below else column)
            hint = "mend the formula; \\$ is a dollar sign"
            self.fault(f"in a formula: {error}", hint, line + below, place)
            made = ""
        self._formulas.append(made)
        return len(self._formulas)

    def formula_at(self, mark: re.Match[str]) -> str:
        """Give the formula that a mark stands for."""
        number = int(mark[1]) - 1
        return self._formulas[number] if 0 <= number < len(self._formulas) else mark[0]

    def chart(self, text: str) -> str:
        """Draw the chart of a fenced block, and give what stands for it until all is cleaned."""
        place = self._place_of_block(text)
        if self._source.path == ABOUT:
            message = "a chart has no room on the home page"
            self.fault(message, "put it into a project or a write-up", *place)
            return ""
        try:
            self._charts.append(charts.render(text, self._source, place, self.address))
        except SiteErrors as group:
            self.faults += group.errors
        except SiteError as error:
            self.faults.append(error)
        return f'<figure id="chart-{len(self._charts)}" class="chart"></figure>'

    def _place_of_block(self, text: str) -> tuple[int, int]:
        """Find a block that a list or a quote may have moved in; the same twice is found twice."""
        lines = text.rstrip().split("\n")
        block = re.compile(r"^([ \t>]*)" + r"\n[ \t>]*".join(map(re.escape, lines)), re.MULTILINE)
        found = block.search(self._source.text, self._seen.get(text, 0))
        if found is None:
            return self._source.line, 1
        self._seen[text] = found.end()
        above = self._source.text.count("\n", 0, found.start())
        return self._source.line + above, len(found[1]) + 1

    def drawing(self, mark: re.Match[str]) -> str:
        """Give the drawing that a mark stands for; what an author wrote like one stays."""
        number = int(mark[1]) - 1
        return self._charts[number] if 0 <= number < len(self._charts) else mark[0]

    def _reason(self, href: str) -> str | None:
        folder = posixpath.dirname(self._source.path)
        path = posixpath.normpath(posixpath.join(folder, href.partition("#")[0]))
        reason = self._unpublished.get(path)
        return f"{path} is held back: {reason}" if reason else None

    def refuse(self, snippet: str, message: str, hint: str) -> None:
        """Remember that a piece of raw HTML may not be published."""
        self.fault(message, hint, *self._place(snippet))

    def fault(self, message: str, hint: str | None, line: int, column: int) -> None:
        self.faults.append(
            ProseError(message, source=self._source.path, line=line, column=column, hint=hint)
        )

    def _place(self, snippet: str) -> tuple[int, int]:
        """Find the line and column of the next piece of the source that reads like `snippet`."""
        text = self._source.text
        start = text.find(snippet, self._seen.get(snippet, 0))
        if start < 0:
            start = max(text.find(snippet), 0)
        self._seen[snippet] = start + 1
        before = text[:start]
        return self._source.line + before.count("\n"), start - (before.rfind("\n") + 1) + 1


class _HouseExtension(Extension):
    """Our own steps, in one place: headings, tables, addresses, raw HTML."""

    def __init__(self, context: _TextContext) -> None:
        super().__init__()
        self._context = context

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 -- the name is Markdown's
        # CommonMark's set; Markdown's own leaves out "<", so a sign could not be kept from HTML.
        md.ESCAPED_CHARS = list(punctuation)
        # Before "fenced_code_block" (25) looks at the lines.
        md.preprocessors.register(_InfoStrings(md), "house_info_strings", 40)
        md.preprocessors.register(_Lists(md), "house_lists", 38)
        # After "normalize_whitespace" (30), which takes the marks of stashed pieces out.
        md.preprocessors.register(_Details(md), "house_details", 28)
        md.parser.blockprocessors.register(_Quotes(md.parser), "quote", 20)
        # Behind "backtick" (190), before a sign in a formula means anything else.
        md.inlinePatterns.register(
            _Formula(_DISPLAYED, md, self._context, display=True), "house_display", 188
        )
        md.inlinePatterns.register(
            _Formula(_INLINED, md, self._context, display=False), "house_formula", 187
        )
        # Before "escape" (180) takes the sign for one that is kept from Markdown.
        md.inlinePatterns.register(SubstituteTagInlineProcessor(r"\\\n", "br"), "house_break", 185)
        # Before "inline" (20) sees the mark as a link.
        md.treeprocessors.register(_Alerts(md), "house_alerts", 25)
        md.treeprocessors.register(_InlineProcessor(md), "inline", 20)
        # After "inline" (20), so links exist; before "toc" (5), so ids see the final levels.
        md.treeprocessors.register(_HouseTree(md, self._context), "house", 6)
        # Before "raw_html" (30) puts the raw pieces back.
        md.postprocessors.register(_RawHtml(md, self._context), "house_raw_html", 35)


class _InfoStrings(Preprocessor):
    """
    Cuts what a fence says behind its language, unless it is an option of ours.

    Code hosts take any words there (`rust,ignore`, `bash copy`); the library then sees no fence.
    """

    def run(self, lines: list[str]) -> list[str]:
        cut: list[str] = []
        fence = ""
        for line in lines:
            kept, opening = line, _FENCE.match(line)
            if fence:
                closes = line.strip(" >").startswith(fence) and not line.strip(f" >{fence[0]}")
                fence = "" if closes else fence
            elif opening and not ("`" in opening["info"] and opening["fence"][0] == "`"):
                fence = opening["fence"]
                kept = opening["before"] + fence + _info(opening["info"].strip())
            cut.append(kept)
        return cut


def _info(info: str) -> str:
    language = re.match(r"[\w+#.-]*", info)
    word = language[0] if language else ""
    options = info[len(word) :].strip()
    if info.startswith("{") or not options:
        return info
    return f"{word} {options}" if _FENCE_OPTIONS.fullmatch(options) else word


class _Lists(Preprocessor):
    """Reads lists as code hosts do."""

    def run(self, lines: list[str]) -> list[str]:
        return regular(lines)


class _Details(Preprocessor):
    """
    Lets what stands in `<details>` behind an empty line be Markdown, as on code hosts.

    The tags are put aside one by one; left together, all between them would count as HTML.
    """

    def run(self, lines: list[str]) -> list[str]:
        kept: list[str] = []
        raw: list[str] = []
        fence = ""
        for line in [*lines, ""]:
            opening = _FENCE.match(line)
            if fence:
                fence = "" if line.strip().startswith(fence) else fence
            elif opening and not raw:
                fence = opening["fence"]
            if raw and (not line.strip() or _DETAILS_END.match(line)):
                kept += ["", self.md.htmlStash.store("\n".join(raw)), ""]
                raw = []
            if raw or (not fence and _DETAILS.match(line)):
                raw.append(line)
            elif not fence and _DETAILS_END.match(line):
                kept += ["", self.md.htmlStash.store(line.strip()), ""]
            else:
                kept.append(line)
        return kept[:-1]


class _Formula(MarkdownInlineProcessor):
    """Takes a formula out of Markdown's hands."""

    def __init__(
        self, pattern: str, md: Markdown, context: "_TextContext", *, display: bool
    ) -> None:
        super().__init__(pattern, md)
        self._context = context
        self._display = display

    def handleMatch(self, m: re.Match[str], _data: str) -> tuple[Element, int, int]:  # type: ignore[override] # noqa: N802 -- the library's
        number = self._context.formula(m[1], display=self._display)
        mark = Element("span", {"class": "math", "id": f"math-{number}"})
        return mark, m.start(), m.end()


class _Quotes(BlockQuoteProcessor):
    """The library's, but for an empty line between two quotes: it parts them."""

    def lastChild(self, _parent: Element) -> None:  # noqa: N802 -- the library's
        """Give no quote that the next one could be joined to."""


class _Alerts(Treeprocessor):
    """Turns a quote that begins with `[!NOTE]` or another kind into a box with a title."""

    def run(self, root: Element) -> None:
        for quote in root.iter("blockquote"):
            first = quote[0] if len(quote) else None
            mark = _ALERT.match(first.text or "") if first is not None else None
            if first is None or first.tag != "p" or not mark:
                continue
            kind = mark[1].lower()
            quote.tag = "div"
            quote.set("class", f"alert alert--{kind}")
            title = Element("p", {"class": "alert__title"})
            title.text = kind.capitalize()
            first.text = (first.text or "")[mark.end() :]
            if not first.text and not len(first):
                quote.remove(first)
            quote.insert(0, title)


class _InlineProcessor(InlineProcessor):
    """
    The library's, but for a text without a sign that any pattern begins with.

    Most headings, items and cells are such texts, and the library tries every pattern on each. A
    version of it that has no such method goes its own way.
    """

    def _InlineProcessor__handleInline(self, data: str, patternIndex: int = 0) -> str:  # noqa: N802, N803 -- the library's
        if patternIndex == 0 and not _INLINE_SIGN.search(data):
            return data
        handled: str = super()._InlineProcessor__handleInline(data, patternIndex)  # type: ignore[misc]
        return handled


class _NoColoursMeta(type(Style)):  # type: ignore[misc]
    def __iter__(cls) -> Iterator[object]:
        # Colours are the style sheets' work; collecting them anew takes a third of the time.
        return iter(())


class _NoColours(Style, metaclass=_NoColoursMeta):
    """A style that has nothing to say to a formatter that writes classes."""


class _Highlighter(Highlight):  # type: ignore[misc]
    """Looks for the lexer of a language once; `lexers` are those that were found."""

    def __init__(self, lexers: dict[object, object], md: Markdown, **settings: object) -> None:
        super().__init__(md, **settings)
        self._lexers = lexers

    def get_lexer(self, *wanted: object) -> object:
        """Give a lexer for (text, language, …), and its name; no language is ever guessed."""
        key = wanted[1:]
        if key not in self._lexers:
            self._lexers[key] = super().get_lexer(*wanted)
        return self._lexers[key]


class _HighlightOnce(HighlightExtension):  # type: ignore[misc]
    """Gives every block the lexers that the blocks before it have found."""

    def get_pymdownx_highlighter(self) -> Callable[..., _Highlighter]:
        return partial(_Highlighter, {})


class _HouseTree(Treeprocessor):
    """Shifts headings below the page's own, makes tables scroll, and resolves addresses."""

    def __init__(self, md: Markdown, context: _TextContext) -> None:
        super().__init__(md)
        self._context = context

    def run(self, root: Element) -> None:
        if root.find(".//h1") is not None:
            for element in root.iter():
                if element.tag in _HEADINGS:
                    element.tag = _HEADINGS[min(_HEADINGS.index(element.tag) + 1, 5)]
        for element in root.iter():
            if element.tag == "a" and not _is_footnote(element):
                element.set("href", self._context.address(_written(element.get("href", ""))))
            elif element.tag == "img":
                element.set("src", self._context.picture(_written(element.get("src", ""))))
                element.set("loading", "lazy")
                element.set("decoding", "async")
            elif element.tag in {"th", "td"}:
                _move_alignment(element)
            elif element.tag == "p":
                _caption(element)
        _wrap_tables(root, count(1))


def _written(address: str) -> str:
    # Entities are Markdown's too; in an autolinked mail it writes "&" by a sign of its own.
    return unescape(address.replace(AMP_SUBSTITUTE, "&"))


def _is_footnote(element: Element) -> bool:
    return element.get("class") in {"footnote-ref", "footnote-backref"}


def _caption(paragraph: Element) -> None:
    """Make a figure of a picture that stands alone and has a title, which is its caption."""
    if len(paragraph) != 1 or paragraph[0].tag != "img" or (paragraph.text or "").strip():
        return
    picture = paragraph[0]
    if (picture.tail or "").strip() or not picture.get("title"):
        return
    paragraph.tag = "figure"
    caption = Element("figcaption")
    caption.text = picture.attrib.pop("title")
    paragraph.append(caption)


def _move_alignment(element: Element) -> None:
    # A style attribute would need a hole in the page's policy.
    style = element.attrib.pop("style", "")
    if style:
        element.set("class", "align-" + style.partition(":")[2].strip(" ;"))


def _wrap_tables(parent: Element, numbers: Iterator[int]) -> None:
    for index, child in enumerate(list(parent)):
        if child.tag != "table":
            _wrap_tables(child, numbers)
            continue
        label = f"Table {next(numbers)}"
        frame = Element(
            "div", {"class": "table", "role": "region", "tabindex": "0", "aria-label": label}
        )
        frame.tail, child.tail = child.tail, "\n"
        frame.append(child)
        parent[index] = frame


class _RawHtml(Postprocessor):
    """Passes every piece of raw HTML through the allow-list before it is put back."""

    def __init__(self, md: Markdown, context: _TextContext) -> None:
        super().__init__(md)
        self._context = context

    def run(self, text: str) -> str:
        # Postprocessors run again for each heading of the contents: what is filtered stays so.
        stash = self.md.htmlStash.rawHtmlBlocks
        for index in range(self._context.filtered, len(stash)):
            piece = stash[index]
            if piece in _TASK_BOXES:
                stash[index] = _TASK_BOXES[piece]
            elif isinstance(piece, str) and "<" in piece and not _GENERATED.fullmatch(piece):
                stash[index] = _RawHtmlFilter(self._context).filter(piece)
        self._context.filtered = len(stash)
        return text


class _RawHtmlFilter(HTMLParser):
    """Copies allowed tags, shows unknown ones as text, and refuses what could run."""

    def __init__(self, context: _TextContext) -> None:
        super().__init__(convert_charrefs=False)
        self._context = context
        self._out: list[str] = []

    def filter(self, piece: str) -> str:
        self.feed(piece)
        self.close()
        return "".join(self._out)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        written = self.get_starttag_text() or f"<{tag}>"
        if tag in _FORBIDDEN_TAGS:
            self._context.refuse(
                written, f"<{tag}> is not published", "delete it, or show it as code in backticks"
            )
        elif tag not in _TAGS:
            self._out.append(escape(written, quote=False))
        else:
            self._out.append(self._allowed(tag, attrs, written))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def _allowed(self, tag: str, attrs: list[tuple[str, str | None]], written: str) -> str:
        kept = []
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self._context.refuse(
                    written,
                    f'the attribute "{name}" is not published',
                    "delete it; looks come from the style sheet, behaviour from the theme",
                )
            elif name == "src":
                kept.append((name, self._context.picture(value or "")))
            elif name in {"href", "cite"}:
                kept.append((name, self._context.address(value or "")))
            else:
                kept.append((name, value or ""))
        inner = "".join(f' {name}="{escape(value)}"' for name, value in kept)
        return f"<{tag}{inner}>"

    def handle_endtag(self, tag: str) -> None:
        known = tag in _TAGS or tag in _FORBIDDEN_TAGS
        self._out.append(f"</{tag}>" if known else escape(f"</{tag}>", quote=False))

    def handle_data(self, data: str) -> None:
        self._out.append(escape(data, quote=False) if "<" in data else data)

    def handle_entityref(self, name: str) -> None:
        self._out.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._out.append(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self._out.append(escape(f"<!{decl}>", quote=False))

    def unknown_decl(self, data: str) -> None:
        self._out.append(escape(f"<![{data}]>", quote=False))

    def handle_pi(self, data: str) -> None:
        self._out.append(escape(f"<?{data}>", quote=False))


def _heading_id(text: str, _separator: str) -> str:
    slug = slugify(text) or "section"
    return f"{slug}-1" if slug in _FRAME_IDS else slug


def _headings(tokens: list[dict[str, object]]) -> list[Heading]:
    found = []
    for token in tokens:
        level, children = token["level"], token["children"]
        if level in _TOC_LEVELS:
            text = unescape(_TAG.sub("", str(token["name"])))
            found.append(Heading(str(token["id"]), text, int(str(level))))
        if isinstance(children, list):
            found += _headings(children)
    return found
