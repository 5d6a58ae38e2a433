"""Pictures for other sites: which pages have one, and what leads to it."""

from collections.abc import Callable

from batcher_site.build import RenderedSite
from tests.site.markup import tags

Render = Callable[..., RenderedSite]
SITE = "title: T\nurl: https://me.example/a/\nowner: {name: A, role: R, pitch: P}\n"
PROJECT = "---\ntitle: P\nsummary: It pages.\ntags: [t]\n---\n"
WRITING = "---\ntitle: W\ndate: 2026-11-30\n---\n"
FILES = {
    "content/site.yaml": SITE,
    "content/projects/one.md": PROJECT,
    "content/projects/home.md": PROJECT,
    "content/writing/one.md": WRITING,
}


def image(page: bytes) -> str | None:
    found = tags(page, "meta", property="og:image")
    return found[0].attributes["content"] if found else None


def pictures(built: RenderedSite) -> set[str]:
    return {path for path in built.outputs if path.startswith("og/")}


def test_the_home_page_and_every_project_and_write_up_has_a_picture(render: Render) -> None:
    """Two pages of one slug have two pictures."""
    built = render(FILES)
    wanted = {"og/home.png", "og/home-2.png", "og/one.png", "og/one-2.png"}
    assert pictures(built) == wanted
    led = {
        (image(built.outputs[f"{page}index.html"]) or "").removeprefix("https://me.example/a/")
        for page in ("", "projects/home/", "projects/one/", "writing/one/")
    }
    assert led == wanted
    assert all(built.outputs[path].startswith(b"\x89PNG") for path in wanted)


def test_other_pages_lead_to_the_home_page_s_picture(render: Render) -> None:
    built = render(FILES)
    for page in ("tags/t/index.html", "resume/index.html", "404.html"):
        assert image(built.outputs[page]) == "https://me.example/a/og/home.png"


def test_as_many_as_the_settings_say_have_one_of_their_own(render: Render) -> None:
    built = render(FILES | {"content/site.yaml": SITE + "social_cards: 1\n"})
    assert len(pictures(built)) == 2
    assert image(built.outputs["writing/one/index.html"]) == "https://me.example/a/og/home.png"


def test_none_is_made_where_none_is_wanted(render: Render) -> None:
    built = render(FILES | {"content/site.yaml": SITE + "social_cards: 0\n"})
    assert pictures(built) == set()
    page = built.outputs["index.html"]
    assert image(page) is None
    assert b'<meta name="twitter:card" content="summary">' in page
