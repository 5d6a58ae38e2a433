"""Links that lead nowhere are told with the file and the line in which they stand."""

from collections.abc import Callable

import pytest

from batcher_site.build import RenderedSite
from batcher_site.errors import SiteErrors
from tests.site.markup import attribute

Render = Callable[..., RenderedSite]

HEAD = "---\ntitle: Paged\nsummary: It pages.\n---\n"
OTHER = "---\ntitle: Other\ndate: 2026-11-30\n---\n## Second part\n\nText.\n"


def problems(render: Render, body: str, **files: str) -> list[str]:
    with pytest.raises(SiteErrors) as caught:
        render(
            {
                "content/projects/p.md": HEAD + body,
                "content/writing/other.md": OTHER,
                "content/writing/hidden.md": OTHER.replace("date", "draft: true\ndate"),
                "content/writing/later.md": OTHER.replace("2026", "2027"),
                **files,
            }
        )
    return [f"{error} | {error.hint}" for error in caught.value.errors]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            "one\n\n[x](../writing/othr.md)\n",
            (
                'content/projects/p.md:7:5: the link "../writing/othr.md" leads nowhere: there is'
                ' no content/writing/othr.md | did you mean "../writing/other.md"?'
            ),
        ),
        (
            "![x](nothing.png)\n",
            'content/projects/p.md:5:6: the link "nothing.png" leads nowhere',
        ),
        (
            "[x](../writing/other.md#third-part)\n",
            (
                'content/projects/p.md:5:24: the link "/writing/other/#third-part" leads nowhere:'
                ' writing/other/index.html has no id "third-part"'
            ),
        ),
        (
            "text\n[x](#nowhere)\n",
            (
                'content/projects/p.md:6:5: the link "#nowhere" leads nowhere:'
                ' projects/p/index.html has no id "nowhere"'
            ),
        ),
        (
            "[x](/no/such/page/)\n",
            'content/projects/p.md:5:5: the link "/no/such/page/" leads nowhere',
        ),
        (
            "[x](../writing/hidden.md)\n",
            (
                'content/projects/p.md:5:5: the link "../writing/hidden.md" leads nowhere: there is'
                " no content/writing/hidden.md | content/writing/hidden.md is held back: draft"
            ),
        ),
        (
            "[x](../writing/later.md)\n",
            "| content/writing/later.md is held back: dated 2027-11-30, 364 days ahead",
        ),
        (
            "[x](/writing/hidden/)\n",
            'content/projects/p.md:5:5: the link "/writing/hidden/" leads nowhere',
        ),
        (
            "[x](../../templates/base.html)\n",
            'content/projects/p.md:5:5: the link "../../templates/base.html" leads out of content/',
        ),
        (
            "[x](//evil.test/x)\n",
            'the link "//evil.test/x" has no scheme | write https://evil.test/x',
        ),
        ("[x](javascript:alert(1))\n", 'uses the scheme "javascript:"'),
        ('[x](other.md "a title")\n', 'the link "other.md" leads nowhere'),
    ],
)
def test_a_link_to_nowhere_is_a_problem(render: Render, body: str, problem: str) -> None:
    (told,) = problems(render, body)
    assert problem in told


def test_all_dead_links_of_all_texts_are_told_together(render: Render) -> None:
    told = problems(
        render,
        "[a](a.md)\n\n[b](b.md) [c](c.md)\n\n[a](a.md)\n",
        **{"content/about.md": "---\n---\n[d](d.md)\n"},
    )
    places = [message.partition(": ")[0] for message in told]
    assert places == [
        "content/about.md:3:5",
        "content/projects/p.md:5:5",
        "content/projects/p.md:7:5",
        "content/projects/p.md:7:15",
        "content/projects/p.md:9:5",
    ]


def test_a_dead_anchor_of_the_text_on_the_home_page_is_told_there(render: Render) -> None:
    """The page is made from the settings, which do not hold that link."""
    (told,) = problems(render, "", **{"content/about.md": "---\n---\n\n[x](projects/p.md#no)\n"})
    assert told.startswith('content/about.md:4:18: the link "/projects/p/#no" leads nowhere')


def test_a_dead_link_in_raw_html_is_a_problem_too(render: Render) -> None:
    (told,) = problems(render, 'text <a href="gone.md">x</a>\n')
    assert 'content/projects/p.md:5:15: the link "gone.md" leads nowhere' in told


@pytest.mark.parametrize(
    ("written", "href"),
    [
        ("../writing/other.md", "/writing/other/"),
        ("../writing/other.md#second-part", "/writing/other/#second-part"),
        ("/writing/other/#second-part", "/writing/other/#second-part"),
        ("/#about", "/#about"),
        ("../about.md", "/#about"),
        ("p.md", "/projects/p/"),
        ("", "/projects/p/"),
        ("https://other.test/a?b=c&d#e", "https://other.test/a?b=c&d#e"),
        ("mailto:a@b.test", "mailto:a@b.test"),
    ],
)
def test_a_link_that_leads_somewhere_is_resolved(render: Render, written: str, href: str) -> None:
    body = f"{HEAD}[here]({written or 'p.md'})\n"
    built = render(
        {
            "content/about.md": "---\n---\nMe.\n",
            "content/projects/p.md": body,
            "content/writing/other.md": OTHER,
        }
    )
    assert href in attribute(built.outputs["projects/p/index.html"], "a", "href")


def test_an_id_that_stands_twice_is_a_problem(render: Render) -> None:
    (told,) = problems(render, '## Same\n\n<b id="same">x</b>\n')
    assert 'the id "same" stands twice in projects/p/index.html' in told
    assert told.startswith("content/projects/p.md:")


def test_headings_that_read_alike_get_different_ids(render: Render) -> None:
    built = render({"content/projects/p.md": f"{HEAD}## Setup\n\n## Setup\n\n[x](#setup_1)\n"})
    ids = attribute(built.outputs["projects/p/index.html"], "h2", "id")
    assert {"setup", "setup_1"} <= set(ids)


def test_a_measured_result_of_an_unpublished_project_is_a_problem(render: Render) -> None:
    """A home page must not speak of a draft."""
    settings = """\
title: T
owner: {name: A, role: R, pitch: P.}
measured_results:
  - {label: L, project: p, values: [{value: 1}]}
"""
    with pytest.raises(SiteErrors) as caught:
        render(
            {
                "content/site.yaml": settings,
                "content/projects/p.md": HEAD.replace("title", "draft: true\ntitle"),
            }
        )
    assert str(caught.value) == 'content/site.yaml:4:25: there is no published project "p"'
