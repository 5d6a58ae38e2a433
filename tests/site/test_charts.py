"""Charts in whole sites: their files, their faults, and what a change of a file renders again."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from batcher_site.build import RenderedSite
from batcher_site.errors import SiteErrors
from tests.site.console import Batcher

Render = Callable[..., RenderedSite]

FRONT = "---\ntitle: T\nsummary: S.\n---\n"
CHART = f"{FRONT}\n```chart\ntitle: Sizes\nfile: data/sizes.csv\n```\n"
FILES = {
    "content/projects/a.md": CHART,
    "content/projects/data/sizes.csv": "size, speed\nsmall, 1\nlarge, 1030\n",
}
PAGE = "projects/a/index.html"


def test_a_file_is_drawn_and_published(render: Render) -> None:
    built = render(FILES)
    page = built.outputs[PAGE].decode()
    assert "1,030" in page
    assert 'href="/projects/data/sizes.csv"' in page
    assert "projects/data/sizes.csv" in built.outputs
    assert [notice for notice in built.notices if "sizes.csv" in notice.source] == []


def test_a_file_outside_of_the_content_is_not_read(render: Render) -> None:
    text = CHART.replace("data/sizes.csv", "../../secret.csv")
    with pytest.raises(SiteErrors) as raised:
        render({"content/projects/a.md": text, "secret.csv": "a,b\nx,1\n"})
    (error,) = raised.value.errors
    assert str(error) == 'content/projects/a.md:8:7: "../../secret.csv" leads out of content/'


def test_faults_of_all_charts_are_told_together(render: Render) -> None:
    bad = f"{FRONT}```chart\ntitle: T\ndata:\n  - {{a: x, b: ten}}\n```\n"
    inside = "- a\n\n  ```chart\n  title: T\n  data:\n    - {a: x, b: twelve}\n  ```\n"
    with pytest.raises(SiteErrors) as raised:
        render({"content/projects/a.md": bad + inside})
    assert [str(error) for error in raised.value.errors] == [
        'content/projects/a.md:8:15: "ten" in the column "b" is not a number',
        'content/projects/a.md:15:17: "twelve" in the column "b" is not a number',
    ]


def test_a_changed_file_is_drawn_again(
    site: Callable[[Mapping[str, str]], Path], batcher: Batcher
) -> None:
    """The text that names it is as it was."""
    folder = site(FILES)
    assert batcher("build", "--source", folder).code == 0
    (folder / "content/projects/data/sizes.csv").write_text("size, speed\nsmall, 7\nlarge, 2060\n")
    assert batcher("build", "--source", folder).code == 0
    page = (folder / "dist" / PAGE).read_text()
    assert "2,060" in page
    assert "1,030" not in page


def test_a_file_that_is_no_text_is_a_fault(render: Render) -> None:
    with pytest.raises(SiteErrors) as raised:
        render({**FILES, "content/projects/data/sizes.csv": b"a,b\nx,\xff\n"})
    assert "not UTF-8" in str(raised.value)


def test_the_home_page_has_no_room_for_a_chart(render: Render) -> None:
    """It has neither the style sheet for one nor the bytes to spare."""
    text = "---\nfacts: []\n---\n```chart\ntitle: T\n```\n"
    with pytest.raises(SiteErrors) as raised:
        render({"content/about.md": text})
    (error,) = raised.value.errors
    assert str(error) == "content/about.md:5:1: a chart has no room on the home page"
