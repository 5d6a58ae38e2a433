"""Templates to bytes: what a template sees, what it may not do, and where a fault is told."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec import structs

from batcher_site import cards
from batcher_site.errors import RenderError, SiteErrors
from batcher_site.pages import Page
from batcher_site.render import Renderer
from batcher_site.urls import Base
from tests.unit.values import content, page

BASE = Base.parse("https://me.example/a/")
SITE = cards.make(content(), {}, BASE).site


def rendered(
    folder: Path, templates: Mapping[str, str], *pages: Page, theme: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Render pages with the owner's templates in front of a theme's."""
    for place, files in (("own", templates), ("theme", theme or {})):
        for name, text in files.items():
            (folder / place / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / place / name).write_text(text)
    renderer = Renderer(
        [(str(folder / "own"), "templates"), (str(folder / "theme"), "the theme's templates")],
        asset=lambda path: f"/asset/{path}",
        url=BASE.href,
    )
    errors: dict[str, RenderError] = {}
    made: dict[str, str] = {}
    for item in pages:
        try:
            made[item.site_path] = renderer.page(item, SITE).decode()
        except RenderError as error:
            errors.setdefault(str(error), error)
    if errors:
        raise SiteErrors(errors.values())
    return made


def faults(
    folder: Path, templates: Mapping[str, str], *pages: Page, theme: Mapping[str, str] | None = None
) -> list[str]:
    with pytest.raises(SiteErrors) as caught:
        rendered(folder, templates, *pages, theme=theme)
    assert all(
        error.hint and error.hint.startswith("found while rendering /")
        for error in caught.value.errors
    )
    return [str(error) for error in caught.value.errors]


LOST = page("/404.html")


def one(folder: Path, template: str) -> str:
    return rendered(folder, {"not_found.html": template}, LOST)["/404.html"]


def test_a_template_sees_the_site_the_page_and_the_view_by_its_kind(tmp_path: Path) -> None:
    text = "{{ site.title }} {{ page.title }} {{ not_found.sections|length }}"
    assert one(tmp_path, text) == "Site Title 0"


def test_a_template_has_two_functions(tmp_path: Path) -> None:
    text = '{{ asset("x.png") }} {{ url("/größe/") }}'
    assert one(tmp_path, text) == "/asset/x.png /a/gr%C3%B6%C3%9Fe/"


@pytest.mark.parametrize("name", ["range", "dict", "lipsum", "cycler", "joiner", "namespace"])
def test_a_template_sees_nothing_else(name: str, tmp_path: Path) -> None:
    assert faults(tmp_path, {"not_found.html": f"{{{{ {name}() }}}}"}, LOST) == [
        f"templates/not_found.html:1: '{name}' is undefined"
    ]


def test_every_text_is_escaped(tmp_path: Path) -> None:
    shown = page("/x/", title='<b title="x">&')
    made = rendered(tmp_path, {"not_found.html": "{{ page.title }}"}, shown)
    assert made == {"/x/": "&lt;b title=&#34;x&#34;&gt;&amp;"}


def test_lines_of_statements_leave_no_blank_lines(tmp_path: Path) -> None:
    assert one(tmp_path, "a\n  {% if true %}\n  b\n  {% endif %}\nc\n") == "a\n  b\nc\n"


def test_the_owner_s_template_stands_before_the_theme_s(tmp_path: Path) -> None:
    theme = {
        "base.html": "[{% block a %}theme{% endblock %}]",
        "not_found.html": '{% extends "base.html" %}',
    }
    assert rendered(tmp_path, {}, LOST, theme=theme) == {"/404.html": "[theme]"}
    own = {"not_found.html": '{% extends "base.html" %}{% block a %}own{% endblock %}'}
    assert rendered(tmp_path, own, LOST, theme=theme) == {"/404.html": "[own]"}


# --- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("a\n{{ pgae.title }}", "2: 'pgae' is undefined"),
        (
            "a\n\n{{ page.titel }}",
            "3: 'batcher_site.views.PageView object' has no attribute 'titel'",
        ),
        ("a\n{% if page.titel %}{% endif %}", "2: 'batcher_site.views.PageView object' has no"),
        ("a\n{% if %}", "2: the template does not parse: Expected an expression"),
        ("a\n{{ page.title", "2: the template does not parse: unexpected end of template"),
        ("a\n{{ page.title|nope }}", "2: the template does not parse: No filter named 'nope'"),
        ('a\n{% include "nope.html" %}', '2: there is no template "nope.html"'),
    ],
)
def test_a_fault_of_a_template_has_its_line(template: str, said: str, tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, {"not_found.html": template}, LOST)
    assert fault.startswith(f"templates/not_found.html:{said}")


def test_a_fault_of_a_part_is_told_where_the_part_stands(tmp_path: Path) -> None:
    own = {
        "not_found.html": '{% include "partials/a.html" %}',
        "partials/a.html": '\n{% from "macros/b.html" import b %}{{ b(page) }}',
    }
    theme = {"macros/b.html": "{% macro b(page) %}\n\n{{ page.nope }}{% endmacro %}"}
    (fault,) = faults(tmp_path, own, LOST, theme=theme)
    assert fault.startswith("the theme's templates/macros/b.html:3: ")


def test_a_part_that_does_not_parse_is_told_by_its_own_name(tmp_path: Path) -> None:
    own = {"not_found.html": '{% include "partials/a.html" %}', "partials/a.html": "\n\n{% end %}"}
    (fault,) = faults(tmp_path, own, LOST)
    assert fault.startswith("templates/partials/a.html:3: the template does not parse: ")


def test_a_template_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    assert faults(tmp_path, {}, LOST) == [
        'templates/not_found.html: there is no template "not_found.html"'
    ]


def test_faults_of_all_pages_are_told_together_and_each_once(tmp_path: Path) -> None:
    templates = {"not_found.html": "{{ a }}", "tag.html": "{{ b }}", "home.html": "fine"}
    tag = structs.replace(page("/tags/x/"), kind="tag")
    home = structs.replace(page("/"), kind="home")
    assert faults(tmp_path, templates, LOST, page("/again/"), tag, home) == [
        "templates/not_found.html:1: 'a' is undefined",
        "templates/tag.html:1: 'b' is undefined",
    ]


@pytest.mark.parametrize("template", ["{{ 1 / 0 }}", "{{ page.title + 1 }}", "{{ page.title() }}"])
def test_a_template_that_fails_while_it_runs_is_a_fault_of_the_site(
    template: str, tmp_path: Path
) -> None:
    """A template is the owner's: no traceback for its faults."""
    (fault,) = faults(tmp_path, {"not_found.html": f"\n{template}"}, LOST)
    assert fault.startswith("templates/not_found.html:2: ")
