"""Addresses: from sources to site paths, to what stands in a page, and back."""

import pytest

from batcher_site.urls import Base, Target, numbered, output_file, resolve, slugify

ROOT = Base.parse("https://me.example")
FOLDER = Base.parse("https://me.example/a/b")
KNOWN = {
    "content/projects/x.md": "/projects/x/",
    "content/projects/plan.pdf": "/projects/plan.pdf",
    "content/projects/a b.png": "/projects/a b.png",
    "content/projects/50%.png": "/projects/50%.png",
    "content/writing/größe.md": "/writing/größe/",
}


# --- the base -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "origin", "path"),
    [
        ("https://me.example", "https://me.example", "/"),
        ("https://me.example/", "https://me.example", "/"),
        ("https://me.example//", "https://me.example", "/"),
        ("http://localhost:8000/x", "http://localhost:8000", "/x/"),
        ("https://me.example/a/b/", "https://me.example", "/a/b/"),
        ("https://me.example//a//b", "https://me.example", "/a/b/"),
        ("https://me.example/a/../b/", "https://me.example", "/b/"),
        ("https://me.example/ü%20b/", "https://me.example", "/%C3%BC%20b/"),
        ("https://me.example/%C3%BC%20b/", "https://me.example", "/%C3%BC%20b/"),
    ],
)
def test_a_whole_address_is_taken_apart(url: str, origin: str, path: str) -> None:
    assert Base.parse(url) == Base(origin, path)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "me.example",
        "/portfolio/",
        "//me.example/",
        "ftp://me.example/",
        "file:///x",
        "https:///x",
        "https://me.example/?q=1",
        "https://me.example/#top",
        "https://ada@me.example/",
        "https://@me.example/",
    ],
)
def test_what_is_not_the_address_of_a_site_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        Base.parse(url)


@pytest.mark.parametrize(
    ("site_path", "href"),
    [
        ("/", "/a/b/"),
        ("/projects/x/", "/a/b/projects/x/"),
        ("/feed.xml", "/a/b/feed.xml"),
        ("/#work", "/a/b/#work"),
        ("/größe x/", "/a/b/gr%C3%B6%C3%9Fe%20x/"),
        ("/50%/", "/a/b/50%25/"),
        ("/x?/", "/a/b/x%3F/"),
        ("/x/#größe ändern", "/a/b/x/#gr%C3%B6%C3%9Fe%20%C3%A4ndern"),
        ("#part", "#part"),
        ('/"<>/', "/a/b/%22%3C%3E/"),
    ],
)
def test_a_site_path_is_printed_below_the_base(site_path: str, href: str) -> None:
    assert FOLDER.href(site_path) == href
    if site_path.startswith("/"):
        assert ROOT.href(site_path) == "/" + href.removeprefix("/a/b/")
        assert FOLDER.absolute(site_path) == f"https://me.example{href}"


@pytest.mark.parametrize(
    ("href", "site_path"),
    [
        ("/a/b/", "/"),
        ("/a/b/x/", "/x/"),
        ("/a/b", "/"),
        ("/a/b/gr%C3%B6%C3%9Fe/", "/größe/"),
        ("https://me.example/a/b/x/", "/x/"),
        ("/", ""),
        ("/a/bc/", ""),
        ("https://me.example/x/", ""),
        ("https://other.example/a/b/", None),
        ("http://me.example/a/b/", None),
        ("//me.example/a/b/", None),
        ("mailto:a@b.example", None),
        ("x/", None),
        ("#part", None),
    ],
)
def test_an_address_is_led_back_to_its_site_path(href: str, site_path: str | None) -> None:
    """None is another host or a relative address, "" a place on the host outside of the site."""
    assert FOLDER.site_path(href) == site_path


@pytest.mark.parametrize(
    ("site_path", "file"),
    [
        ("/", "index.html"),
        ("/projects/x/", "projects/x/index.html"),
        ("/feed.xml", "feed.xml"),
        ("/.nojekyll", ".nojekyll"),
        ("/404.html", "404.html"),
    ],
)
def test_a_site_path_has_one_file(site_path: str, file: str) -> None:
    assert output_file(site_path) == file


# --- slugs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Paged Inference Engine", "paged-inference-engine"),
        ("C++ & GPU: v2.0!", "c-gpu-v2-0"),
        ("  --x--  ", "x"),
        ("don't, don’t", "dont-dont"),
        ("Größe ÄNDERN", "größe-ändern"),
        ("A\u0308", "ä"),
        ("日本語 テスト", "日本語-テスト"),
        ("हिन्दी", "हिन्दी"),
        ("²", "²"),
        ("a_b", "a-b"),
        ("../../etc/passwd", "etc-passwd"),
        ("a\u0000b", "a-b"),
        ("!!!", ""),
        ("", ""),
        ("\u0301", ""),
    ],
)
def test_a_slug_has_letters_and_digits_of_every_script(text: str, slug: str) -> None:
    assert slugify(text) == slug


def test_a_slug_that_is_taken_gets_the_next_free_number() -> None:
    taken = {"x-2"}
    assert [numbered("x", taken) for _ in range(3)] == ["x", "x-3", "x-4"]
    assert taken == {"x", "x-2", "x-3", "x-4"}


# --- links --------------------------------------------------------------------------------------


def target(href: str) -> Target:
    return resolve(href, "content/projects/y.md", KNOWN)


@pytest.mark.parametrize(
    "href",
    ["https://a.example/?q#x", "http://a.example", "HTTPS://a.example", "mailto:a@a.example"],
)
def test_a_link_to_another_host_stays_as_it_is(href: str) -> None:
    assert target(href) == Target(external=href)


@pytest.mark.parametrize(
    ("href", "site_path"),
    [
        ("x.md", "/projects/x/"),
        ("./x.md", "/projects/x/"),
        ("../projects/x.md#part", "/projects/x/#part"),
        ("x.md#", "/projects/x/#"),
        ("plan.pdf", "/projects/plan.pdf"),
        ("a%20b.png", "/projects/a b.png"),
        ("a b.png", "/projects/a b.png"),
        ("50%.png", "/projects/50%.png"),
        ("../writing/gr%C3%B6%C3%9Fe.md#gr%C3%B6%C3%9Fe", "/writing/größe/#größe"),
        ("#part", "#part"),
        ("#gr%C3%B6%C3%9Fe", "#größe"),
        ("/resume/", "/resume/"),
        ("/gr%C3%B6%C3%9Fe/#x", "/größe/#x"),
    ],
)
def test_a_link_inside_the_site_is_resolved_from_its_file(href: str, site_path: str) -> None:
    assert target(href) == Target(site_path=site_path)


@pytest.mark.parametrize(
    ("href", "problem", "hint"),
    [
        (
            "javascript:alert(1)",
            'the link "javascript:alert(1)" uses the scheme "javascript:"',
            "links may begin with https:, http: or mailto:, or name a file of the site",
        ),
        (
            "JavaScript:alert(1)",
            'the link "JavaScript:alert(1)" uses the scheme "javascript:"',
            "links may begin with https:, http: or mailto:, or name a file of the site",
        ),
        (
            " data:text/html,x",
            'the link " data:text/html,x" uses the scheme " data:"',
            "links may begin with https:, http: or mailto:, or name a file of the site",
        ),
        ("//a.example/x", 'the link "//a.example/x" has no scheme', "write https://a.example/x"),
        (
            "../../secret.md",
            'the link "../../secret.md" leads out of content/',
            "only files inside content/ are published",
        ),
        (
            "../../content2/x.md",
            'the link "../../content2/x.md" leads out of content/',
            "only files inside content/ are published",
        ),
        (
            "xx.md",
            'the link "xx.md" leads nowhere: there is no content/projects/xx.md',
            'did you mean "x.md"?',
        ),
        (
            "../x.md",
            'the link "../x.md" leads nowhere: there is no content/x.md',
            'did you mean "x.md"?',
        ),
        (
            "zzzz/qqqq/wwww/vvvv.txt",
            (
                'the link "zzzz/qqqq/wwww/vvvv.txt" leads nowhere: there is no '
                "content/projects/zzzz/qqqq/wwww/vvvv.txt"
            ),
            None,
        ),
    ],
)
def test_a_link_that_cannot_be_followed_has_a_reason(
    href: str, problem: str, hint: str | None
) -> None:
    assert target(href) == Target(problem=problem, hint=hint)


def test_a_colon_behind_a_slash_is_no_scheme() -> None:
    known = {"content/a/x:y.md": "/a/x-y/"}
    assert resolve("a/x:y.md", "content/z.md", known) == Target(site_path="/a/x-y/")


@pytest.mark.parametrize(
    ("href", "site_path"),
    [
        ("why?.md", "/writing/why/"),
        ("why%3F.md", "/writing/why/"),
        ("b.md?plain=1#L3", "/writing/b/#L3"),
        ("/resume/?from=here", "/resume/"),
    ],
)
def test_a_question_mark_is_part_of_a_name_or_begins_a_query(href: str, site_path: str) -> None:
    known = {"content/writing/why?.md": "/writing/why/", "content/writing/b.md": "/writing/b/"}
    assert resolve(href, "content/writing/a.md", known) == Target(site_path=site_path)
