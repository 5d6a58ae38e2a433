"""The promises of finished pages: one test for each that is broken, and for what is no fault."""

import pytest

from batcher_site.check import CheckedPage, check
from batcher_site.model import Source
from batcher_site.urls import Base

ROOT = Base.parse("https://me.example/")
FOLDER = Base.parse("https://me.example/a/")


def problems(
    body: str,
    *,
    base: Base = ROOT,
    text: Source | None = None,
    others: dict[str, str] | None = None,
    title: str = "<h1>Title</h1>",
) -> list[str]:
    """What is wrong with a page `x/index.html` that stands beside other files."""
    outputs = {"x/index.html": (title + body).encode()}
    outputs |= {name: other.encode() for name, other in (others or {}).items()}
    pages = [
        CheckedPage(name, "content/x.md" if name == "x/index.html" else "content/other.md", None)
        for name in outputs
        if name.endswith(".html")
    ]
    if text is not None:
        pages[0] = CheckedPage("x/index.html", text.path, text)
    errors = check(outputs, pages, base)
    assert all(error.hint for error in errors)
    return [str(error) for error in errors]


OTHER = {"index.html": '<h1 id="top">T</h1><p id="größe">x</p>', "feed.xml": "", "p.png": ""}


@pytest.mark.parametrize(
    "href",
    [
        "/",
        "/x/",
        "/#top",
        "/#gr%C3%B6%C3%9Fe",
        "/?q=1#top",
        "/feed.xml",
        "/feed.xml#any",
        "#",
        "#own",
        "https://me.example/",
        "https://me.example/#top",
        "https://me.example",
        "https://other.example/none",
        "mailto:a@b.example",
        "",
    ],
)
def test_a_link_that_leads_somewhere_is_no_problem(href: str) -> None:
    assert problems(f'<p id="own"><a href="{href}">x</a></p>', others=OTHER) == []


@pytest.mark.parametrize(
    ("href", "said"),
    [
        ("/none/", "leads nowhere: there is no none/index.html"),
        ("/x", "leads nowhere: there is no x"),
        ("https://me.example/none.pdf", "leads nowhere: there is no none.pdf"),
        ("/%2e%2e/", "leads nowhere: there is no ../index.html"),
        ("x/", "depends on the place of the page"),
        ("?q", "depends on the place of the page"),
    ],
)
def test_a_link_to_nowhere_is_a_problem(href: str, said: str) -> None:
    assert problems(f'<a href="{href}">x</a>', others=OTHER) == [
        f'content/x.md: the link "{href}" {said}'
    ]


@pytest.mark.parametrize(
    ("href", "said"),
    [
        ("#none", 'x/index.html has no id "none"'),
        ("/#none", 'index.html has no id "none"'),
        ("/#%C3%BC", 'index.html has no id "ü"'),
    ],
)
def test_a_link_to_a_missing_anchor_is_a_problem(href: str, said: str) -> None:
    assert problems(f'<a href="{href}">x</a>', others=OTHER) == [
        f'content/x.md: the link "{href}" leads nowhere: {said}'
    ]


def test_a_link_out_of_the_folder_of_the_site_is_a_problem() -> None:
    body = '<a href="/a/">x</a><a href="/a/#top">x</a><a href="/">x</a><a href="/ab/">x</a>'
    assert problems(body, base=FOLDER, others=OTHER) == [
        'content/x.md: the link "/" leads out of the site\'s folder /a/',
        'content/x.md: the link "/ab/" leads out of the site\'s folder /a/',
    ]


@pytest.mark.parametrize(
    "tag",
    [
        '<img alt="" src="/none.png">',
        '<script src="/none.png"></script>',
        '<link rel="icon" href="/none.png">',
        '<area alt="" href="/none.png">',
        '<A HREF="/none.png">x</A>',
        '<img alt="a > b" src="/none.png">',
    ],
)
def test_every_kind_of_address_is_followed(tag: str) -> None:
    assert problems(tag.replace("HREF", "href"), others=OTHER) == [
        'content/x.md: the link "/none.png" leads nowhere: there is no none.png'
    ]


def test_an_address_is_read_without_its_entities() -> None:
    others = {**OTHER, "a&b.png": ""}
    assert problems('<img alt="" src="/a&amp;b.png">', others=others) == []


@pytest.mark.parametrize(
    "text",
    [
        '<!-- <a href="/none/">x</a> <p id="a"> -->',
        "<style>a::after { content: '<a href=\"/none/\">' }</style>",
        "<script>const a = '<img src=\"/none/\">';</script>",
        "&lt;a href=&quot;/none/&quot;&gt;",
    ],
)
def test_what_is_no_tag_is_not_read(text: str) -> None:
    assert problems(text) == []


def test_an_id_that_stands_twice_is_a_problem() -> None:
    assert problems('<p id="a"></p><p id="b"></p><p id="a"></p>') == [
        'content/x.md: the id "a" stands twice in x/index.html'
    ]


def test_ids_that_differ_in_capitals_are_two() -> None:
    assert problems('<p id="a"></p><p id="A"></p>') == []


def test_a_picture_without_a_text_is_a_problem() -> None:
    assert problems('<img src="/p.png"><img alt src="/p.png">', others=OTHER) == [
        'content/x.md: the picture "/p.png" has no text'
    ]


@pytest.mark.parametrize(("title", "count"), [("", 0), ("<h1>a</h1><h1>b</h1>", 2)])
def test_a_page_has_one_heading_of_the_first_rank(title: str, count: int) -> None:
    assert problems("", title=title) == [
        f"content/x.md: x/index.html has {count} headings of the first rank, not one"
    ]


def test_a_problem_that_is_there_twice_is_told_once() -> None:
    assert len(problems('<a href="/none/">x</a><a href="/none/">y</a>')) == 1


def test_all_problems_of_all_pages_are_told_together() -> None:
    others = {"index.html": '<p id="a"></p><p id="a"></p>'}
    assert problems('<a href="/none/">x</a>', others=others) == [
        'content/x.md: the link "/none/" leads nowhere: there is no none/index.html',
        'content/other.md: the id "a" stands twice in index.html',
        "content/other.md: index.html has 0 headings of the first rank, not one",
    ]


def test_a_page_that_is_not_checked_may_still_be_led_to() -> None:
    outputs = {"x/index.html": b'<h1>T</h1><a href="/y.html#any">y</a>', "y.html": b"<p>"}
    assert check(outputs, [CheckedPage("x/index.html", "content/x.md", None)], ROOT) == []


# --- where in the text --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "href"),
    [
        ("[a](/none/)", "/none/"),
        ("[a](/none/)", "/a/none/"),
        ("[a](#größe)", "#gr%C3%B6%C3%9Fe"),
        ("[a](../projects/x.md#none)", "/a/x/#none"),
        ("[a](/a b/)", "/a/a%20b/"),
    ],
)
def test_a_problem_is_told_with_its_line_in_the_text(written: str, href: str) -> None:
    """Whatever the base is, and whatever other words there are that look like a part of it."""
    text = Source("content/x.md", f"none, größe, b\n\n{written}\n", line=10)
    (said,) = problems(f'<a href="{href}">a</a>', base=FOLDER, text=text)
    assert said.startswith("content/x.md:12:")


def test_a_problem_that_the_text_does_not_show_has_no_line() -> None:
    text = Source("content/x.md", "nothing of it", line=10)
    (said,) = problems('<a href="/a/none/">a</a>', base=FOLDER, text=text)
    assert said.startswith("content/x.md: the link")
