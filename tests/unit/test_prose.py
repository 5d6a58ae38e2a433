"""Markdown to safe HTML: addresses, headings, words, and what is refused with its line."""

import pytest

from batcher_site.errors import ProseError, SiteError, SiteErrors
from batcher_site.model import Heading, Prose, Reference, Source
from batcher_site.prose import Writer
from batcher_site.urls import Base

PATH = "content/projects/a.md"
KNOWN = {
    PATH: "/projects/a/",
    "content/writing/b.md": "/writing/b/",
    "content/projects/pic.png": "/projects/pic.png",
}
UNPUBLISHED = {"content/projects/draft.md": "draft"}
WRITER = Writer(KNOWN, UNPUBLISHED, Base.parse("https://me.example/base/"))


def prose(text: str, *, line: int = 1) -> Prose:
    return WRITER.render(Source(PATH, text, line))


def html(text: str) -> str:
    return str(prose(text).html)


def refusals(text: str, *, line: int = 1) -> list[str]:
    with pytest.raises(SiteErrors) as caught:
        prose(text, line=line)
    assert all(isinstance(error, ProseError) for error in caught.value.errors)
    return [str(error).removeprefix(f"{PATH}:") for error in caught.value.errors]


def hints(text: str) -> list[str | None]:
    with pytest.raises(SiteErrors) as caught:
        prose(text)
    return [error.hint for error in caught.value.errors]


# --- addresses ----------------------------------------------------------------------------------


def test_every_place_that_a_text_leads_to_is_remembered_with_its_line() -> None:
    text = "[b](../writing/b.md#x)\n\n![p](pic.png)\n\n[c](#c) [h](https://o.example/)\n"
    assert prose(text, line=10).references == (
        Reference("/writing/b/#x", 10, "../writing/b.md#x"),
        Reference("/projects/pic.png", 12, "pic.png"),
        Reference("#c", 14, "#c"),
    )


def test_one_text_leaves_nothing_behind_for_the_next() -> None:
    first = prose("# A\n\n[b](../writing/b.md) <b>x</b>[^1]\n\n[^1]: Note\n")
    with pytest.raises(SiteErrors):
        prose("[x](none.md)")
    assert prose("# A\n\n[b](../writing/b.md) <b>x</b>[^1]\n\n[^1]: Note\n") == first
    assert prose("text") == Prose(html=prose("text").html, headings=(), references=(), words=1)


@pytest.mark.parametrize("text", ["me@o.example", "<me@o.example>", "[m](mailto:me@o.example)"])
def test_a_mail_address_is_a_link(text: str) -> None:
    assert '<a href="mailto:me@o.example">' in html(text)


@pytest.mark.parametrize(
    ("text", "href"),
    [
        ("https://o.example/?a=1&b=2", "https://o.example/?a=1&amp;b=2"),
        ("[x](https://o.example/?a=1&amp;b=2)", "https://o.example/?a=1&amp;b=2"),
        ('<a href="https://o.example/?a=1&amp;amp=2">x</a>', "https://o.example/?a=1&amp;amp=2"),
        ('<a href="../writing/b.md#x">x</a>', "/base/writing/b/#x"),
    ],
)
def test_the_entities_of_an_address_are_read_once(text: str, href: str) -> None:
    assert f'<a href="{href}"' in html(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "a\n\n[x](none.md)",
            '3:5: the link "none.md" leads nowhere: there is no content/projects/none.md',
        ),
        (
            "![x](none.png)",
            '1:6: the link "none.png" leads nowhere: there is no content/projects/none.png',
        ),
        ("[x](../../../etc/passwd)", '1:5: the link "../../../etc/passwd" leads out of content/'),
        ("[x](//o.example)", '1:5: the link "//o.example" has no scheme'),
        (
            "[x](javascript:alert%281%29)",
            '1:5: the link "javascript:alert%281%29" uses the scheme "javascript:"',
        ),
        ("[x](javascript&#58;a)", '1:1: the link "javascript:a" uses the scheme "javascript:"'),
        (
            '<a href="data:text/html,x">x</a>',
            '1:10: the link "data:text/html,x" uses the scheme "data:"',
        ),
        (
            "[x][r]\n\n[r]: none.md",
            '3:6: the link "none.md" leads nowhere: there is no content/projects/none.md',
        ),
    ],
)
def test_a_link_that_leads_nowhere_is_a_problem_with_its_line(text: str, said: str) -> None:
    assert refusals(text) == [said]


def test_a_link_to_a_draft_says_why_it_leads_nowhere() -> None:
    assert hints("[x](draft.md#part)") == ["content/projects/draft.md is held back: draft"]


def test_the_same_fault_twice_is_told_with_both_lines() -> None:
    said = refusals("[x](none.md)\n\n[y](none.md)\n", line=7)
    assert [fault.split(" the link")[0] for fault in said] == ["7:5:", "9:5:"]


# --- raw HTML -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tag",
    [
        "script",
        "style",
        "iframe",
        "object",
        "embed",
        "form",
        "input",
        "button",
        "select",
        "textarea",
        "link",
        "meta",
        "base",
        "svg",
        "math",
        "template",
        "noscript",
        "audio",
        "video",
    ],
)
def test_an_element_that_could_run_or_change_the_page_is_refused(tag: str) -> None:
    assert refusals(f"text\n\n<{tag}>\n", line=5) == [f"7:1: <{tag}> is not published"]


@pytest.mark.parametrize("name", ["onclick", "ONERROR", "onmouseover", "style"])
def test_an_attribute_that_could_run_or_paint_is_refused(name: str) -> None:
    assert refusals(f'text <b {name}="x">b</b>') == [
        f'1:6: the attribute "{name.lower()}" is not published'
    ]


def test_all_faults_of_a_text_are_told_together() -> None:
    text = "[x](none.md)\n\n<b onclick=x style=y>b</b>\n\n<script>a</script>\n"
    assert [fault.split(":")[0] for fault in refusals(text)] == ["1", "3", "3", "5"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a <foo>b</foo>", "a &lt;foo&gt;b&lt;/foo&gt;"),
        ("a <T> b", "a &lt;T&gt; b"),
        ('a <foo onclick="x">', 'a &lt;foo onclick="x"&gt;'),
        ("`<script>`", "<code>&lt;script&gt;</code>"),
    ],
)
def test_an_unknown_element_is_shown_as_the_text_that_it_is(text: str, shown: str) -> None:
    assert html(text).strip() == f"<p>{shown}</p>"


def test_an_attribute_that_is_not_on_the_list_is_left_out() -> None:
    assert html('<b data-x="1" class="c" contenteditable>b</b>').strip() == (
        '<p><b class="c">b</b></p>'
    )


def test_a_comment_is_not_published() -> None:
    assert "secret" not in html("a <!-- secret --> b\n\n<!-- secret -->\n\nc")


def test_a_text_is_never_a_template() -> None:
    text = "{{ site.title }} {% raw %} {# x #} `{{ x }}`"
    assert html(text).strip() == ("<p>{{ site.title }} {% raw %} {# x #} <code>{{ x }}</code></p>")


def test_a_text_that_is_nested_absurdly_is_a_fault_of_the_site() -> None:
    with pytest.raises(SiteError, match="nested too deep") as caught:
        prose("\n".join("    " * depth + "- x" for depth in range(300)))
    assert (caught.value.source, bool(caught.value.hint)) == (PATH, True)
    assert html("[b](../writing/b.md)\n") == '<p><a href="/base/writing/b/">b</a></p>'


# --- headings and words -------------------------------------------------------------------------


def test_headings_move_below_the_page_s_own_where_the_text_has_one_of_the_first_rank() -> None:
    assert "<h2" in html("# A\n\n## B\n")
    assert prose("# A\n\n## B\n\n### C\n").headings == (
        Heading("a", "A", 2),
        Heading("b", "B", 3),
    )
    assert prose("## A\n\n### B\n\n#### C\n").headings == (
        Heading("a", "A", 2),
        Heading("b", "B", 3),
    )


def test_a_heading_of_the_last_rank_stays() -> None:
    assert '<h6 id="b">' in html("# A\n\n###### B\n")


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Größe ändern", "größe-ändern"),
        ("日本語", "日本語"),
        ("`vllm serve` & more", "vllm-serve-more"),
        ("Main", "main-1"),
        ("Contents", "contents-1"),
        ("Sections", "sections-1"),
        ("!!!", "section"),
        ("Own {#mine}", "mine"),
    ],
)
def test_a_heading_has_an_anchor_with_its_letters(heading: str, name: str) -> None:
    assert prose(f"## {heading}\n").headings[0].id == name


def test_headings_that_are_alike_have_anchors_of_their_own() -> None:
    ids = [heading.id for heading in prose("## A\n\n## A\n\n## A\n").headings]
    assert len(set(ids)) == 3


def test_the_text_of_a_heading_is_plain() -> None:
    (heading,) = prose('## A & <b>B</b> `<c>` [d](../writing/b.md) "e"\n').headings
    assert heading.text == 'A & B <c> d "e"'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("one two", 2),
        ("it's a well-known 1,030 tok/s", 6),
        ("*one* `two`\n\n- three\n", 3),
        ("a &amp; b", 2),
        ("[text](../writing/b.md) ![no word](pic.png)", 1),
    ],
)
def test_words_are_counted_in_what_is_read(text: str, words: int) -> None:
    assert prose(text).words == words


def test_a_box_that_scrolls_can_be_reached_by_keyboard() -> None:
    assert '<pre tabindex="0">' in html("```\nx\n```\n")
    assert 'tabindex="0"' in html("|a|\n|-|\n|b|\n")


# --- what may not be published ------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["![x](https://o.example/x.png)", '<img src="https://o.example/x.png" alt="x">']
)
def test_a_picture_of_another_host_is_refused(text: str) -> None:
    """The page's policy would leave an empty frame."""
    (said,) = refusals(text)
    assert 'the picture "https://o.example/x.png" lies on another host' in said


def test_a_reference_to_a_control_character_is_refused() -> None:
    """A feed with it would not be XML."""
    (said,) = refusals("one\n\ntwo &#27; three\n")
    assert said.startswith("3:5: the character U+001B")


@pytest.mark.parametrize("tag", ["q", "blockquote"])
def test_the_source_of_a_quote_is_an_address_too(tag: str) -> None:
    (said,) = refusals(f'<{tag} cite="javascript:x">y</{tag}>')
    assert 'the scheme "javascript:"' in said
