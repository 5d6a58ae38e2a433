"""The theme and the owner's static files: found, joined and fingerprinted."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from batcher_site import assets
from batcher_site.assets import Assets, StaticFile, find, theme_folder
from batcher_site.errors import RenderError, SiteErrors
from batcher_site.urls import Base

BASE = Base.parse("https://me.example/a/")
SCRIPTS = find(theme_folder()).single_scripts()


def with_own(folder: Path, files: Mapping[str, str | bytes]) -> Assets:
    """Find the assets of a site that has the given files."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    return find(str(folder))


def refusal(work: object) -> str:
    with pytest.raises((RenderError, SiteErrors)) as caught:
        work()  # type: ignore[operator]
    (error,) = getattr(caught.value, "errors", [caught.value])
    return str(error)


def test_the_theme_has_its_templates_and_static_files() -> None:
    theme = Path(theme_folder())
    assert (theme / "templates/base.html").is_file()
    assert (theme / "static/css/tokens.css").is_file()


def test_a_site_without_files_of_its_own_has_the_theme_s(tmp_path: Path) -> None:
    found = find(str(tmp_path))
    assert [name for _, name in found.template_folders] == ["the theme's templates"]
    assert "static/css/tokens.css" in found.static
    assert not any(file.own for file in found.static.values())


def test_the_theme_that_is_the_site_itself_is_told_as_the_owner_s() -> None:
    found = find(theme_folder())
    assert [name for _, name in found.template_folders] == ["templates"]
    assert len(found.static) > 1


def test_the_owner_s_files_stand_before_the_theme_s(tmp_path: Path) -> None:
    found = with_own(tmp_path, {"static/css/tokens.css": "own", "templates/x.html": ""})
    assert [name for _, name in found.template_folders] == ["templates", "the theme's templates"]
    assert found.text("static/css/tokens.css") == "own"
    assert found.static["static/css/tokens.css"].own
    assert not found.static["static/css/base.css"].own


def test_pages_carry_the_theme_s_script_as_it_was_shrunk(tmp_path: Path) -> None:
    found = find(str(tmp_path))
    heads = found.heads(BASE, found.single_scripts() | {"static/js/theme.js": "go()"})
    assert {head.theme_script for head in heads.values()} == {"go()"}


def test_hidden_files_are_unseen(tmp_path: Path) -> None:
    found = with_own(tmp_path, {"static/.DS_Store": b"", "static/.git/x": b"", "static/a": b""})
    assert [name for name, file in found.static.items() if file.own] == ["static/a"]


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (tmp_path / "site/static").mkdir(parents=True)
    (tmp_path / "site/static/a").symlink_to(tmp_path / "secret")
    with pytest.raises(SiteErrors, match="static/a: the link leads out of static/"):
        find(str(tmp_path / "site"))


def test_files_are_published_as_they_are_but_for_what_is_built(tmp_path: Path) -> None:
    found = with_own(
        tmp_path,
        {
            "static/a b.bin": b"\xff",
            "static/css/custom.css": "",
            "static/js/x.js": "",
            "static/d/e": "",
        },
    )
    published = found.published(SCRIPTS)
    assert published["/a b.bin"] == b"\xff"
    assert published["/d/e"] == b""
    assert published["/js/x.js"] == b""
    built = ("/css/", "/js/theme", "/js/simulation/")
    assert not any(path.startswith(built) for path in published)


def test_a_script_that_is_loaded_has_an_address_that_changes_with_its_bytes(tmp_path: Path) -> None:
    """A browser that keeps the old one never mixes it with a new page."""
    published = find(str(tmp_path)).published(SCRIPTS)
    scripts = find(str(tmp_path)).heads(BASE, SCRIPTS)["home"].scripts
    assert scripts
    for script in scripts:
        assert script.startswith("/a/js/")
        data = published[script.removeprefix("/a")]
        assert script.endswith(f"-{hashlib.sha256(data).hexdigest()[:10]}.js")


def test_a_template_may_ask_for_what_is_published_only(tmp_path: Path) -> None:
    found = with_own(tmp_path, {"static/a.png": b"", "static/css/custom.css": ""})
    assert found.site_path("a.png") == "/a.png"
    assert refusal(lambda: found.site_path("b.png")).endswith(
        'a template asks for the static file "b.png"'
    )
    assert "css/custom.css" in refusal(lambda: found.site_path("css/custom.css"))


def test_a_text_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    found = with_own(tmp_path, {"static/css/custom.css": b"a\xff"})
    assert (
        refusal(lambda: found.heads(BASE, SCRIPTS))
        == "static/css/custom.css: not UTF-8: the byte at 1"
    )


def test_every_sheet_that_does_not_parse_is_told_with_its_place(tmp_path: Path) -> None:
    files = {"static/css/custom.css": "a {\n} }\n", "static/css/hero.css": "\n}"}
    with pytest.raises(SiteErrors) as caught:
        with_own(tmp_path, files).heads(BASE, SCRIPTS)
    assert [error.source for error in caught.value.errors] == sorted(files)
    assert all(error.line and error.hint for error in caught.value.errors)


def test_a_file_that_is_not_there_is_told() -> None:
    assert refusal(lambda: Assets((), {}).text("static/x")) == "static/x: there is no such file"


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    gone = Assets((), {"static/x": StaticFile(str(tmp_path / "gone"), own=True)})
    assert refusal(lambda: gone.text("static/x")).startswith("static/x: cannot be read: ")


def test_the_simulation_s_modules_may_be_the_owner_s(tmp_path: Path) -> None:
    found = with_own(tmp_path, {"static/js/simulation/scheduler.js": "own"})
    modules = found.simulation_modules()
    assert modules["static/js/simulation/scheduler.js"] == "own"
    assert "static/js/simulation/prerender.js" in modules
    assert all(
        re.fullmatch(r"static/js/simulation/(browser/)?[\w-]+\.js", name) for name in modules
    )


# --- the head -----------------------------------------------------------------------------------


def test_every_kind_of_page_has_its_own_style_and_the_one_script(tmp_path: Path) -> None:
    heads = find(str(tmp_path)).heads(BASE, SCRIPTS)
    assert {"home", "project", "writing", "resume", "not_found"} <= heads.keys()
    assert len({head.theme_script for head in heads.values()}) == 1
    assert heads["home"].style != heads["writing"].style
    for head in heads.values():
        assert head.style.startswith("@layer reset,")


def test_the_owner_s_own_sheet_comes_last_on_every_page(tmp_path: Path) -> None:
    heads = with_own(tmp_path, {"static/css/custom.css": "b { order: 7 }"}).heads(BASE, SCRIPTS)
    assert all(head.style.endswith("b{order:7}") for head in heads.values())


@pytest.mark.parametrize(
    ("name", "tag"), [("static/css/custom.css", "</style"), ("static/js/theme.js", "</script")]
)
def test_what_would_end_its_own_element_is_refused(name: str, tag: str, tmp_path: Path) -> None:
    text = 'b::after { content: "</STYLE></SCRIPT>" }'
    found = with_own(tmp_path, {name: text})
    said = refusal(lambda: found.heads(BASE, found.single_scripts()))
    assert said == f'{name}: "{tag}" in this file would end the element that it stands in'


def test_a_wheel_s_theme_is_found_before_a_checkout_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "lib/batcher_site/theme/templates/base.html"
    inside.parent.mkdir(parents=True)
    inside.touch()
    monkeypatch.setattr(assets, "__file__", str(tmp_path / "lib/batcher_site/assets.py"))
    assert theme_folder() == str(tmp_path / "lib/batcher_site/theme")


def test_a_theme_that_is_not_installed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "__file__", str(tmp_path / "lib/batcher_site/assets.py"))
    with pytest.raises(Exception, match="the theme is not installed"):
        theme_folder()
