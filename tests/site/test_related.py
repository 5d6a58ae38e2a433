"""Where a write-up leads on: what shares its tags, and where its file can be edited."""

import re
from collections.abc import Callable

from batcher_site.build import RenderedSite

Render = Callable[..., RenderedSite]


def project(title: str, tags: str, more: str = "") -> str:
    return f"---\ntitle: {title}\nsummary: It pages.\ntags: [{tags}]\n{more}---\n"


def write_up(title: str, tags: str, more: str = "") -> str:
    return f"---\ntitle: {title}\ndate: 2026-11-30\ntags: [{tags}]\n{more}---\n"


def related(page: bytes) -> list[str]:
    """Give the titles in the list, in their order."""
    _, _, rest = page.decode().partition(">Related</h2>")
    return re.findall(r">([^<>]+)</a>", rest.partition("</ul>")[0])


def test_what_shares_most_tags_comes_first_and_three_are_enough(render: Render) -> None:
    built = render(
        {
            "content/projects/a.md": project("Own", "one, two, three", "order: 1\n"),
            "content/projects/b.md": project("Beside", "three", "order: 2\n"),
            "content/projects/c.md": project("Far", "four", "order: 3\n"),
            "content/projects/d.md": project("Near", "THREE, two", "order: 4\n"),
            "content/writing/e.md": write_up("Next", "one, two, three"),
            "content/writing/f.md": write_up("Late", "one"),
        }
    )
    assert related(built.outputs["projects/a/index.html"]) == ["Next", "Near", "Beside"]


def test_what_a_page_links_to_anyway_is_not_related_once_more(render: Render) -> None:
    built = render(
        {
            "content/projects/a.md": project("Own", "one"),
            "content/writing/b.md": write_up("About it", "one", "project: a\n"),
            "content/writing/c.md": write_up("Alone", "two"),
        }
    )
    for address in ("projects/a", "writing/b", "writing/c"):
        assert related(built.outputs[f"{address}/index.html"]) == []


def test_a_page_leads_to_its_file_where_the_settings_say_how(render: Render) -> None:
    files = {
        "content/projects/a b.md": project("Own", "one"),
        "content/site.yaml": "title: T\nowner: {name: A, role: R, pitch: P}\n",
    }
    assert b"Edit this page" not in render(files).outputs["projects/a-b/index.html"]
    files["content/site.yaml"] += "edit_url: https://code.example/me/site/edit/main/\n"
    href = b'<a href="https://code.example/me/site/edit/main/content/projects/a%20b.md">'
    assert href in render(files).outputs["projects/a-b/index.html"]
