"""One page for each tag, whatever signs its name has."""

from collections.abc import Callable

import pytest

from batcher_site.build import RenderedSite
from tests.site.markup import attribute, text

Render = Callable[..., RenderedSite]


def project(*names: str, title: str = "Paged") -> str:
    listed = ", ".join(f'"{name}"' for name in names)
    return f"---\ntitle: {title}\nsummary: It pages.\ntags: [{listed}]\n---\n"


def write_up(*names: str) -> str:
    listed = ", ".join(f'"{name}"' for name in names)
    return f"---\ntitle: Long text\ndate: 2026-11-30\ntags: [{listed}]\n---\n"


def tag_pages(built: RenderedSite) -> list[str]:
    return sorted(path for path in built.outputs if path.startswith("tags/"))


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("C", "c"),
        ("C++", "c-plus-plus"),
        ("C#", "c-sharp"),
        (".NET", "dot-net"),
        ("a/b", "a-b"),
        ("../../x", "dot-dot-dot-dot-x"),
        ("KV cache", "kv-cache"),
        ("Größe", "grösse"),
        ("推論", "推論"),
        ("→", "tag"),
    ],
)
def test_a_tag_gets_an_address_from_its_name(render: Render, name: str, address: str) -> None:
    assert tag_pages(render({"content/projects/p.md": project(name)})) == [
        f"tags/{address}/index.html"
    ]


def test_signs_that_tell_languages_apart_tell_their_pages_apart(render: Render) -> None:
    built = render({"content/projects/p.md": project("C", "C++", "C#", "F#", ".NET", "NET")})
    assert len(tag_pages(built)) == 6


def test_two_tags_with_the_same_letters_get_two_pages(render: Render) -> None:
    """Neither of them vanishes: the later one is numbered."""
    built = render({"content/projects/p.md": project("a/b", "a b")})
    assert tag_pages(built) == ["tags/a-b-2/index.html", "tags/a-b/index.html"]
    assert "Everything on a/b" in text(built.outputs["tags/a-b/index.html"])
    assert "Everything on a b" in text(built.outputs["tags/a-b-2/index.html"])


def test_spellings_that_differ_in_capitals_share_one_page(render: Render) -> None:
    """The first spelling is shown, and the owner hears of it once."""
    built = render(
        {
            "content/projects/p.md": project("CUDA"),
            "content/projects/q.md": project("Cuda", title="Tiled"),
            "content/writing/w.md": write_up("cuda"),
        }
    )
    assert tag_pages(built) == ["tags/cuda/index.html"]
    shown = text(built.outputs["tags/cuda/index.html"])
    assert "Everything on CUDA" in shown
    assert all(title in shown for title in ("Paged", "Tiled", "Long text"))
    told = [notice.message for notice in built.notices if "a tag is written" in notice.message]
    assert told == ['a tag is written "CUDA", "Cuda", "cuda"; the first is shown']


def test_every_tag_leads_from_what_has_it_to_all_that_has_it(render: Render) -> None:
    built = render(
        {
            "content/projects/p.md": project("GPU", "edge"),
            "content/projects/q.md": project("edge", title="Tiled"),
            "content/writing/w.md": write_up("GPU"),
        }
    )
    links = attribute(built.outputs["projects/p/index.html"], "a", "href")
    assert {"/tags/gpu/", "/tags/edge/"} <= set(links)
    listed = attribute(built.outputs["tags/gpu/index.html"], "a", "href")
    assert {"/projects/p/", "/writing/w/"} <= set(listed)
    assert "/projects/q/" not in listed
    assert {"/tags/gpu/", "/tags/edge/"} <= set(
        attribute(built.outputs["writing/index.html"], "a", "href")
    )


def test_a_tag_is_text_wherever_it_stands(render: Render) -> None:
    built = render({"content/projects/p.md": project("<b>&x")})
    (path,) = tag_pages(built)
    assert path == "tags/b-x/index.html"
    assert b"&lt;b&gt;&amp;x" in built.outputs[path]
    assert b"<b>&x" not in built.outputs[path]
