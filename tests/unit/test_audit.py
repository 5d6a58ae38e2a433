"""What a check says of finished files that a build lets pass."""

import random
from collections.abc import Mapping
from types import MappingProxyType

import pytest

from batcher_site.audit import MOST_PICTURE_BYTES, Audit, audit, outgoing
from batcher_site.check import CheckedPage
from batcher_site.model import Source
from batcher_site.urls import Base
from tests.unit.test_exif import LATITUDE, block, jpeg

BASE = Base.parse("https://me.example/a/")
HEAD = '<title>T</title><meta name="description" content="D"><h1>H</h1>'


def page(body: str = "", head: str = HEAD) -> bytes:
    return f"<!doctype html>{head}{body}".encode()


def look(
    body: str = "",
    files: Mapping[str, bytes | str] = MappingProxyType({}),
    *,
    head: str = HEAD,
    text: str | None = None,
) -> Audit:
    """Audit a page `x/index.html`, whose own text begins at line 5, beside other files."""
    outputs = {"x/index.html": page(body, head)}
    outputs |= {
        name: data.encode() if isinstance(data, str) else data for name, data in files.items()
    }
    source = Source("content/x.md", text, 5) if text else None
    pages = [
        CheckedPage(
            name,
            "content/x.md" if name == "x/index.html" else "content/site.yaml",
            source if name == "x/index.html" else None,
        )
        for name in outputs
        if name.endswith(".html")
    ]
    return audit(outputs, pages, BASE, {}, {"p.jpg": "content/p.jpg"})


def problems(found: Audit) -> list[str]:
    assert all(error.hint for error in found.problems)
    return [str(error) for error in found.problems]


def notices(found: Audit) -> list[str]:
    return [str(notice) for notice in found.notices]


def noise(size: int) -> bytes:
    """Bytes that no compression makes fewer."""
    return random.Random(1).randbytes(size)  # noqa: S311 -- not a secret


def test_a_page_that_keeps_everything_has_no_finding() -> None:
    found = look("<h2>A</h2><h3>B</h3><h2>C</h2><p>Text.</p>")
    assert (found.problems, found.notices) == ((), ())


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (HEAD.replace("<title>T</title>", ""), "title"),
        (HEAD.replace("<title>T<", "<title> \n<"), "title"),
        (HEAD.replace('content="D"', ""), "description"),
        (HEAD.replace('content="D"', 'content=" "'), "description"),
        (HEAD.replace("description", "author"), "description"),
        (HEAD.replace("<meta", "<!-- <meta").replace('"D">', '"D"> -->'), "description"),
    ],
)
def test_a_page_without_title_or_description_is_a_problem(head: str, what: str) -> None:
    assert problems(look(head=head)) == [f"content/x.md: x/index.html has no {what}"]


@pytest.mark.parametrize("href", ["http://localhost:8000/", "file:///etc/hosts"])
def test_a_link_to_a_private_machine_is_a_problem_at_its_line(href: str) -> None:
    found = look(f'<a href="{href}">x</a>', text=f"one\n[x]({href})")
    assert problems(found) == [f'content/x.md:6:5: the link "{href}" leads to a private machine']


def test_a_link_to_a_public_place_is_no_problem() -> None:
    assert problems(look('<a href="https://a.example/localhost">x</a><a href="/a/">y</a>')) == []


def test_a_site_that_is_tried_out_at_home_may_link_to_itself() -> None:
    outputs = {"index.html": page('<link rel="canonical" href="http://localhost:8000/">')}
    home = [CheckedPage("index.html", "content/site.yaml", None)]
    base = Base.parse("http://localhost:8000/")
    assert audit(outputs, home, base, {}, {}).problems == ()


def test_a_picture_that_tells_its_position_is_a_problem_of_its_file() -> None:
    here = jpeg(block(LATITUDE))
    found = look(files={"p.jpg": here, "q.jpg": jpeg(block()), "r.txt": here})
    assert problems(found) == ["content/p.jpg: the picture tells where it was taken"]


def test_colours_are_measured_in_the_sheets_that_are_given() -> None:
    sheet = ":root {\n--paper: light-dark(#fff, #000);\n--ink: light-dark(#aaa, #fff);\n"
    sheet += "--decode: light-dark(red, blue); }"
    found = audit({}, [], BASE, {"static/css/custom.css": sheet}, {})
    (told,) = problems(found)
    assert told == (
        "static/css/custom.css:3: --ink has a contrast of 2.32 against the paper in light, less"
        " than 4.5"
    )
    assert "--decode is not measured" in "".join(notices(found))


def test_headings_that_skip_a_rank_are_a_notice_at_the_line() -> None:
    found = look("<h2>A</h2><h4>The <b>B</b></h4><h2>C</h2>", text="## A\n\n#### The B\n")
    (told,) = notices(found)
    assert told == (
        'content/x.md:7: the heading "The B" of rank 4 follows one of rank 2; readers of screens'
        " miss the one between"
    )


@pytest.mark.parametrize("what", ["title", "description"])
def test_two_pages_with_one_title_or_description_are_a_notice(what: str) -> None:
    head = HEAD.replace("T<", "U<") if what == "description" else HEAD.replace('"D"', '"E"')
    (told,) = notices(look(files={"index.html": page(head=head)}))
    assert told == (
        f"content/site.yaml:1: index.html has the {what} of x/index.html; search engines cannot"
        " tell them apart"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("see /home/ada/data/x.bin", "/home/ada"),
        ("in `/Users/ada.l/x`", "/Users/ada.l"),
        (r"C:\Users\ada\x", r"C:\Users\ada"),
        ("file:///home/ada/x", "/home/ada"),
        ("ssh 192.168.17.4", "192.168.17.4"),
        ("at 172.20.1.1:80", "172.20.1.1"),
    ],
)
def test_what_a_text_tells_of_the_owners_machine_is_a_notice_told_once(
    text: str, told: str
) -> None:
    found = look(
        f"<pre>{text}</pre><p>{text}</p>", text=f"x\n\n{text}", files={"feed.xml": f"<x>{text}</x>"}
    )
    assert notices(found) == [f'content/x.md:7: the text tells of "{told}"']


@pytest.mark.parametrize(
    "text",
    [
        "/home/user/x and /home/you/x",
        "/home/ada",
        "https://ada.example/home/news/today",
        "./home/ada/x",
        "version 10.2.3.4.5",
        "172.32.1.1 and 11.0.0.1",
    ],
)
def test_what_anybody_may_write_is_no_notice(text: str) -> None:
    assert notices(look(f"<p>{text}</p>")) == []


def test_highlighted_code_is_read_as_its_text() -> None:
    code = "<pre><span>cd </span><span>/home/</span><span>ada/</span><span>x</span></pre>"
    assert notices(look(code)) == ['content/x.md:1: the text tells of "/home/ada"']


def test_a_file_of_any_kind_is_searched_for_a_home_folder_but_not_for_addresses() -> None:
    found = look(files={"p.jpg": b"\xff\xfe (/Users/ada/x.tex) 10.1.2.3"})
    assert notices(found) == ['content/p.jpg:1: the file tells of "/Users/ada"']


def test_a_page_that_is_heavy_compressed_is_a_notice() -> None:
    assert notices(look("x" * 100_000)) == []
    (told,) = notices(look(noise(16_000).hex()))
    assert told.startswith("content/x.md:1: x/index.html weighs ")


def test_scripts_are_heavy_together_and_only_where_a_page_runs_them() -> None:
    scripts = {"one.js": noise(5_000), "two.js": noise(5_000)}
    tags = '<script src="/a/one.js" defer></script>'
    assert notices(look(tags, scripts)) == []
    (told,) = notices(look(tags + '<script src="/a/two.js"></script>', scripts))
    assert told.startswith("content/x.md:1: the scripts of x/index.html weigh 10,0")


def test_a_heavy_picture_is_a_notice_of_its_file() -> None:
    found = look(files={"p.jpg": bytes(MOST_PICTURE_BYTES + 1), "q.png": bytes(MOST_PICTURE_BYTES)})
    assert notices(found) == [
        "content/p.jpg:1: the picture weighs 300,001 bytes; scale it to what is shown"
    ]


def test_links_to_other_hosts_are_gathered_once_without_their_parts() -> None:
    links = ["https://b.example/x#one", "https://b.example/x#two", "http://c.example", "/a/y/"]
    links += [
        "https://me.example/a/",
        "https://me.example",
        "http://10.0.0.1/",
        "mailto:a@b.example",
    ]
    body = "".join(f'<a href="{link}">x</a>' for link in links)
    pages = [CheckedPage(name, "content/x.md", None) for name in ("x.html", "y.html")]
    outputs = {page.file: (HEAD + body).encode() for page in pages}
    found = outgoing(outputs, pages, BASE)
    assert found == {"https://b.example/x": pages[0], "http://c.example": pages[0]}
