"""What the owner puts before or beside the theme: templates, static files, pictures."""

from collections.abc import Callable
from pathlib import Path

import pytest

from batcher_site.build import RenderedSite
from batcher_site.errors import SiteError, SiteErrors
from tests.conftest import PNG
from tests.site.console import Batcher
from tests.site.markup import attribute

Render = Callable[..., RenderedSite]

PROJECT = {"content/projects/p.md": "---\ntitle: <Paged>\nsummary: x\n---\nText.\n"}
TEXT = "---\ntitle: Long\ndate: 2026-11-30\n---\n"


def problems(render: Render, files: dict[str, str | bytes]) -> list[str]:
    with pytest.raises((SiteError, SiteErrors)) as caught:
        render({**PROJECT, **files})
    errors = caught.value.errors if isinstance(caught.value, SiteErrors) else [caught.value]
    assert all(isinstance(error, SiteError) for error in errors)
    return [f"{error} | {getattr(error, 'hint', '')}" for error in errors]


# --- templates ----------------------------------------------------------------------------------


def test_an_own_template_stands_before_the_themes(render: Render) -> None:
    """It may extend the theme's base, and what it prints is escaped."""
    built = render(
        {
            **PROJECT,
            "templates/project.html": '{% extends "base.html" %}{% block main %}'
            "<h1>Mine: {{ project.card.title }}</h1>{% endblock %}",
        }
    )
    page = built.outputs["projects/p/index.html"]
    assert b"<h1>Mine: &lt;Paged&gt;</h1>" in page
    assert b'<main class="main"' in page
    assert b"Mine" not in built.outputs["index.html"]


def test_an_own_partial_and_macro_stand_before_the_themes(render: Render) -> None:
    outputs = render(
        {
            **PROJECT,
            "templates/partials/footer.html": "<footer>My own footer</footer>\n",
            "templates/macros/date.html": "{% macro date(value) %}{{ value.iso }}!{% endmacro %}",
            "content/writing/w.md": TEXT,
        }
    ).outputs
    assert all(b"My own footer" in page for path, page in outputs.items() if path.endswith(".html"))
    assert b"2026-11-30!" in outputs["writing/w/index.html"]


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        (
            "<h1>x</h1>\n\n{{ project.card.titel }}\n",
            (
                "templates/project.html:3: 'batcher_site.views.ProjectCard object' has no attribute"
                " 'titel' | found while rendering /projects/p/ from content/projects/p.md"
            ),
        ),
        ("<h1>x</h1>\n{{ settings }}\n", "templates/project.html:2: 'settings' is undefined"),
        (
            "<h1>x</h1>\n{% if %}\n",
            "templates/project.html:2: the template does not parse: ",
        ),
        (
            '<h1>x</h1>\n{% include "partials/gone.html" %}\n',
            'templates/project.html:2: there is no template "partials/gone.html"',
        ),
        (
            '<h1>x</h1>\n<img src="{{ asset("img/gone.png") }}" alt="">\n',
            'static/img/gone.png: a template asks for the static file "img/gone.png"',
        ),
        (
            "<h1>x</h1>\n{{ 1 / 0 }}\n",
            "templates/project.html:2: ZeroDivisionError: division by zero",
        ),
        ('{% include "project.html" %}\n', "templates/project.html:1: RecursionError: "),
        ("<h1>x</h1>\n{{ 3 | nofilter }}\n", "templates/project.html:2: "),
        ('<h1>x</h1>\n{{ "a" + 1 }}\n', "templates/project.html:2: "),
    ],
)
def test_a_fault_of_an_own_template_is_told_with_its_line(
    render: Render, template: str, problem: str
) -> None:
    (told,) = problems(render, {"templates/project.html": template})
    assert told.startswith(problem)


def test_the_line_is_told_when_the_site_is_the_working_folder(
    site: Callable[..., Path], batcher: Batcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site({**PROJECT, "templates/project.html": "<h1>x</h1>\n{{ nothing }}\n"}))
    answer = batcher("build")
    assert answer.code == 1
    assert answer.err.startswith("templates/project.html:2: 'nothing' is undefined\n")


def test_a_fault_in_an_included_template_names_that_template(render: Render) -> None:
    told = problems(render, {"templates/partials/footer.html": "\n{{ nothing }}\n"})
    assert told[0].startswith("templates/partials/footer.html:2: 'nothing' is undefined")
    assert len(told) == 1


def test_a_template_that_is_not_utf8_is_told(render: Render) -> None:
    told = problems(render, {"templates/project.html": b"<h1>Gr\xfc\xdfe</h1>"})
    assert told[0].startswith("templates/project.html: not UTF-8: the byte at 6")


def test_a_byte_order_mark_of_a_template_is_not_printed(render: Render) -> None:
    outputs = render({**PROJECT, "templates/project.html": b"\xef\xbb\xbf<h1>x</h1>\n"}).outputs
    assert outputs["projects/p/index.html"] == b"<h1>x</h1>\n"


@pytest.mark.parametrize("quote", ['"', "'", ""])
def test_a_template_that_breaks_a_link_is_told(render: Render, quote: str) -> None:
    """However the template quotes its attributes."""
    template = f"<h1>x</h1><a href={quote}{{{{ url('/nowhere/') }}}}{quote}>x</a>"
    (told,) = problems(render, {"templates/project.html": template})
    assert 'the link "/nowhere/" leads nowhere' in told


# --- static files -------------------------------------------------------------------------------


def test_static_files_are_copied_as_they_are(render: Render) -> None:
    """Whatever bytes they have, in any folder; hidden ones stay at home."""
    data = bytes(range(256))
    outputs = render(
        {
            "static/data/deep/blob.bin": data,
            "static/favicon.ico": b"ico",
            "static/größe.txt": "x",
            "static/.secret": "x",
            "static/.git/config": "x",
        }
    ).outputs
    assert outputs["data/deep/blob.bin"] == data
    assert outputs["favicon.ico"] == b"ico"
    assert outputs["größe.txt"] == b"x"
    assert not [path for path in outputs if "secret" in path or ".git/" in path]


def test_an_own_static_file_stands_before_the_themes(render: Render) -> None:
    own = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
    outputs = render({"static/icons/favicon.svg": own}).outputs
    assert outputs["icons/favicon.svg"] == own


def test_an_own_style_sheet_comes_last(render: Render) -> None:
    outputs = render({"static/css/custom.css": "@layer utilities{.mine{order:7}}"}).outputs
    style = outputs["index.html"].partition(b"<style>")[2].partition(b"</style>")[0]
    assert style.endswith(b".mine{order:7}}")


@pytest.mark.parametrize("path", ["index.html", "feed.xml", "projects/p/index.html", "robots.txt"])
def test_a_static_file_with_the_address_of_a_page_is_a_problem(render: Render, path: str) -> None:
    (told,) = problems(render, {f"static/{path}": "mine"})
    assert told.startswith(f"static/{path}: ")
    assert "already claim the address" in told


def test_a_static_file_and_a_content_file_for_one_address_are_a_problem(render: Render) -> None:
    (told,) = problems(
        render,
        {
            "content/projects/p.md": "---\ntitle: P\nsummary: x\n---\n![A](pic.png)\n",
            "content/projects/pic.png": PNG,
            "static/projects/pic.png": b"two",
        },
    )
    assert told.startswith("static/projects/pic.png: ")


def test_two_files_that_differ_in_capitals_only_are_a_problem(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    """Some disks keep one of the two, so one would win in silence."""
    folder = site({"static/Data.txt": "a", "static/data.txt": "b"})
    if len(list((folder / "static").iterdir())) != 2:
        pytest.skip("this disk does not tell capitals apart")
    answer = batcher("build", "--source", folder)
    assert answer.code == 1
    assert '"data.txt" and "Data.txt" are one file where capitals do not count' in answer.err
    assert not (folder / "dist").exists()


# --- pictures beside texts ----------------------------------------------------------------------


def test_a_text_may_lie_in_a_folder_with_its_pictures(render: Render) -> None:
    """`writing/x/index.md` is the write-up x; the picture keeps its place beside it."""
    outputs = render(
        {
            "content/writing/x/index.md": f"{TEXT}![A shape](shape.svg)\n",
            "content/writing/x/shape.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            "content/projects/y/index.md": (
                "---\ntitle: Y\nsummary: x\n---\n[Long](../../writing/x/index.md)\n"
            ),
        },
        base_url="https://me.test/b/",
    ).outputs
    assert attribute(outputs["writing/x/index.html"], "img", "src") == ["/b/writing/x/shape.svg"]
    assert outputs["writing/x/shape.svg"].startswith(b"<svg")
    assert "/b/writing/x/" in attribute(outputs["projects/y/index.html"], "a", "href")


def test_a_file_that_nothing_leads_to_is_not_published(render: Render) -> None:
    """A sketch beside a text is the owner's until a text shows it."""
    outputs = render({**PROJECT, "content/projects/sketch.png": b"private"}).outputs
    assert "projects/sketch.png" not in outputs


def test_a_cover_is_published_with_its_text(render: Render) -> None:
    outputs = render(
        {
            "content/projects/p.md": (
                "---\ntitle: P\nsummary: x\ncover: c.png\nalt: What it shows\n---\n"
            ),
            "content/projects/c.png": PNG,
        }
    ).outputs
    page = outputs["projects/p/index.html"]
    assert attribute(page, "img", "src", alt="What it shows") == ["/projects/c.png"]
    assert outputs["projects/c.png"] == PNG


def test_a_note_is_published_as_it_is(render: Render) -> None:
    pdf = b"%PDF-1.7\n1 0 obj << /Type /Page >>\n2 0 obj << /Type /Page >> /Type /Pages\n"
    outputs = render(
        {
            "content/notes/notes.yaml": "- {topic: Serving, title: Deep, file: sub/deep.pdf}\n",
            "content/notes/sub/deep.pdf": pdf,
        }
    ).outputs
    assert outputs["notes/sub/deep.pdf"] == pdf
    assert b"2 pages" in outputs["index.html"]


# --- links of the file system -------------------------------------------------------------------


@pytest.mark.parametrize("link", ["content/projects/q.md", "content/secret", "static/secret.txt"])
def test_a_link_out_of_the_folder_is_refused(
    site: Callable[..., Path], batcher: Batcher, tmp_path: Path, link: str
) -> None:
    """What lies outside the site is never published, whatever points to it."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "q.md").write_text("---\ntitle: Secret\nsummary: x\n---\n")
    folder = site({**PROJECT, "static/x.txt": "x"})
    target = outside if link.endswith("secret") else outside / "q.md"
    (folder / link).symlink_to(target)
    answer = batcher("build", "--source", folder)
    assert answer.code == 1
    top = link.partition("/")[0]
    assert answer.err.startswith(link)
    assert f": the link leads out of {top}/\n" in answer.err
    assert not (folder / "dist").exists()


def test_a_link_inside_the_content_is_followed(site: Callable[..., Path], batcher: Batcher) -> None:
    folder = site(PROJECT)
    (folder / "content/projects/same.md").symlink_to("p.md")
    assert batcher("build", "--source", folder).code == 0
    assert (folder / "dist/projects/same/index.html").exists()


# --- files that a browser would run -------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.html", "<p>a</p>"),
        ("x.XHTML", "<p>a</p>"),
        ("x.js", "1"),
        ("x.svg", "<svg><script>1</script></svg>"),
        ("x.svg", "<svg onload='1'/>"),
        ("x.svg", "<svg><a href='javascript:1'/></svg>"),
    ],
)
def test_a_file_beside_a_text_that_would_run_is_refused(
    render: Callable[..., RenderedSite], name: str, data: str
) -> None:
    """Texts may be a contributor's: what they bring runs nowhere on the site's origin."""
    text = f"---\ntitle: T\nsummary: S\n---\n[x]({name})\n"
    with pytest.raises(SiteErrors) as caught:
        render({"content/projects/p.md": text, f"content/projects/{name}": data})
    (error,) = caught.value.errors
    assert str(error).startswith(f"content/projects/{name}:1:1: a file that a browser would run")


def test_a_quiet_drawing_beside_a_text_is_published(render: Callable[..., RenderedSite]) -> None:
    drawing = "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0h9'/></svg>"
    text = "---\ntitle: T\nsummary: S\n---\n![line](x.svg)\n"
    site = render({"content/projects/p.md": text, "content/projects/x.svg": drawing})
    assert site.outputs["projects/x.svg"].decode() == drawing


def test_a_deeply_nested_style_sheet_is_refused(render: Callable[..., RenderedSite]) -> None:
    with pytest.raises(SiteErrors, match="nested more than"):
        render({"static/css/custom.css": "a{" * 5000})
