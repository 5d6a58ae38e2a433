"""The house rules themselves: what the documents name, what templates and style sheets may hold."""

import argparse
import json
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import get_args

import pytest
from msgspec import Struct, structs

from batcher_site import model
from batcher_site.build import simulate
from batcher_site.cli import _parser

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
MODULES = sorted(path.stem for path in (ROOT / "src/batcher_site").glob("*.py"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SHEETS = sorted((ROOT / "static/css").glob("*.css"))
FILES_OF_THE_OWNER = (
    model.Site,
    model.ProjectMeta,
    model.WritingMeta,
    model.AboutMeta,
    model.Now,
    model.Station,
    model.PullRequest,
    model.Note,
    model.ResumeExtras,
    model.Chart,
)
LAYERS = ("reset", "tokens", "base", "layout", "components", "utilities", "print")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_VALUE = re.compile(r"[\w-]+\s*:\s*([^;{}]+)(?=[;}])")
_COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color|light-dark)a?\("
    r"|(?<![\w-])(?:black|white|gr[ae]y|silver|red|green|blue|orange|yellow|purple|pink|brown|navy"
    r"|teal|gold|crimson|tomato|coral|maroon|olive|lime|aqua|cyan|magenta|violet|indigo)(?![\w-])",
    re.IGNORECASE,
)


# --- documents ----------------------------------------------------------------------------------


def commands() -> dict[str, argparse.ArgumentParser]:
    (choices,) = [
        action.choices
        for action in _parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    return dict(choices)


def options() -> set[str]:
    return {
        option
        for command in commands().values()
        for action in command._actions
        for option in action.option_strings
        if option.startswith("--") and option != "--help"
    }


def keys(kind: type[Struct]) -> Iterator[tuple[str, str]]:
    """Give every key that a file of this kind may have, with the kinds inside it."""
    for field in structs.fields(kind):
        yield kind.__name__, field.encode_name
        for inner in _structs(field.type):
            yield from keys(inner)


def _structs(kind: object) -> Iterator[type[Struct]]:
    dates = {model.PartialDate, model.Present}
    if isinstance(kind, type) and issubclass(kind, Struct) and kind not in dates:
        yield kind
    for argument in get_args(kind):
        yield from _structs(argument)


@pytest.mark.parametrize("command", sorted(commands()))
def test_the_readme_names_every_command_and_its_help_says_what_it_does(command: str) -> None:
    assert f"`batcher {command}" in README
    description = commands()[command].description
    assert description
    assert description.strip().endswith(".")


@pytest.mark.parametrize("option", sorted(options()))
def test_the_readme_names_every_option(option: str) -> None:
    assert re.search(rf"`{option}\b", README)


@pytest.mark.parametrize(
    ("kind", "key"), sorted({pair for kind in FILES_OF_THE_OWNER for pair in keys(kind)})
)
def test_the_readme_names_every_key_of_the_owners_files(kind: str, key: str) -> None:
    """In backticks, or as a key of an example."""
    assert re.search(rf"`{key}[`:]|^\s*(?:- )?{key}: |[{{,] *{key}: ", README, re.MULTILINE), kind


@pytest.mark.parametrize(
    "word",
    sorted(
        str(word)
        for kind in (
            model.Status,
            model.PullRequestStatus,
            model.Outcome,
            model.Better,
            model.Bound,
            model.LinkKind,
            model.ChartType,
            model.LogAxes,
        )
        for word in kind
    ),
)
def test_the_readme_names_every_word_that_a_key_accepts(word: str) -> None:
    assert re.search(rf"(?<![\w-]){word}(?![\w-])", README)


def test_every_list_of_words_is_looked_at() -> None:
    """A new list belongs into the test above."""
    kinds = [
        kind
        for kind in vars(model).values()
        if isinstance(kind, type) and issubclass(kind, StrEnum) and kind is not StrEnum
    ]
    assert len(kinds) == 8


def test_the_readme_names_every_key_and_default_of_a_workload() -> None:
    request = b'{"requests": [{"id": "a", "prompt": 1, "output": 1, "arrival": 0}]}'
    config = json.loads(simulate(request, "workload", str(ROOT)))["config"]
    rows = [row for row in README.splitlines() if row.startswith("| `")]
    for key, default in config.items():
        (row,) = [row for row in rows if re.search(rf"^\|[^|]*`{key}`", row)]
        assert re.search(rf"\b{default}\b", row.split("|")[2])


@pytest.mark.parametrize("section", model.SECTION_TITLES)
def test_the_readme_names_every_section(section: str) -> None:
    assert f"`{section}`" in README


@pytest.mark.parametrize("name", [name for name in MODULES if name != "__init__"])
def test_the_architecture_names_every_module_and_no_other(name: str) -> None:
    layers = ARCHITECTURE.partition("## The layers")[2].partition("\n## ")[0]
    assert re.search(rf"(?<!\w){name}(?!\w)", layers)


def test_the_architecture_names_no_module_that_is_gone() -> None:
    layers = re.findall(r"^    ([a-z_| ]+?)(?:  |$)", ARCHITECTURE, re.MULTILINE)
    named = {name.strip() for layer in layers for name in layer.split("|")} - {""}
    assert named
    assert named <= set(MODULES)


def test_make_check_runs_every_checker() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ncheck:")[2]
    recipe = recipe.partition("\n\n")[0]
    for checker in ("ruff format --check", "ruff check", "mypy", "lint-imports", "codespell"):
        assert re.search(rf"/{checker}$", recipe, re.MULTILINE)
    runner = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert re.search(r"^make check\b", runner, re.MULTILINE)
    assert re.search(r"^make test\b", runner, re.MULTILINE)


# --- templates ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parent.stem}/{path.stem}")
def test_a_template_marks_nothing_as_finished_and_styles_nothing(path: Path) -> None:
    """Finished HTML is marked where it is made; looks come from the style sheets."""
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\|\s*safe\b|\bautoescape\b|\bMarkup\b", text)
    assert not re.search(r"\sstyle\s*=|\son[a-z]+\s*=", text)
    assert not re.search(r"""(?:fill|stroke|color)\s*=\s*["']#""", text)


def test_no_output_has_a_style_attribute_or_an_inline_handler(
    shipped_site: Mapping[str, bytes],
) -> None:
    pages = {name: data for name, data in shipped_site.items() if name.endswith(".html")}
    assert len(pages) > 15
    for name, page in pages.items():
        for tag in re.findall(rb"<[a-z][^<>]*>", page):
            assert not re.search(rb"\s(?:style|on[a-z]+)\s*=", tag), name


# --- style sheets -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_style_sheet_opens_with_its_own_layer(path: Path) -> None:
    """The file itself says where it ranks, so the order of inclusion does not matter."""
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    if path.stem == "layers":
        assert first == f"@layer {', '.join(LAYERS)};"
        assert "".join(rest).strip() == ""
        return
    opened = re.fullmatch(r"@layer ([a-z]+) \{", first)
    assert opened
    assert opened[1] in LAYERS
    assert rest[-1] == "}"
    assert all(line.startswith((" ", "\t")) or not line for line in rest[:-1])


@pytest.mark.parametrize(
    "path", [path for path in SHEETS if path.stem != "tokens"], ids=lambda path: path.stem
)
def test_a_colour_is_written_in_the_tokens_only(path: Path) -> None:
    sheet = _COMMENT.sub("", path.read_text(encoding="utf-8"))
    assert [value for value in _VALUE.findall(sheet) if _COLOUR.search(value)] == []


def test_the_tokens_hold_the_colours() -> None:
    """The pattern of the test above finds what it looks for."""
    sheet = _COMMENT.sub("", (ROOT / "static/css/tokens.css").read_text(encoding="utf-8"))
    values = _VALUE.findall(sheet)
    assert sum(bool(_COLOUR.search(value)) for value in values) >= 6


def test_the_figure_takes_its_colours_from_the_style_sheets() -> None:
    for path in (ROOT / "static/js").rglob("*.js"):
        for value in re.findall(r"""(?:fill|stroke|color)="([^"$]*)""", path.read_text()):
            assert value in {"", "none", "currentColor", "url(#sim-hatch)"}, path.name
