"""Schemas take what the reader takes, refuse what an editor can see, and explain every key."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
import yaml
from jsonschema import Draft7Validator
from msgspec import Struct, structs

from batcher_site import content, frontmatter, model, schema
from batcher_site.__main__ import main
from batcher_site.nodes import Items
from batcher_site.urls import PROJECTS, WRITING
from batcher_site.validation import convert

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
SITES = (ROOT, ROOT / "src/batcher_site/starter", GOLDEN / "site" / "before")
FILES = {file.name: file for file in schema.FILES}
# An entry of each kind that says as little as it may.
LEAST = {
    "site": {"title": "T", "owner": "{name: N, role: R, pitch: P}"},
    "about": {},
    "now": {"month": "2026-10", "items": "[{tag: a, text: b}]"},
    "project": {"title": "T", "summary": "S"},
    "writing": {"title": "T", "date": "2026-10"},
    "experience": {"start": "2025", "role": "R"},
    "open_source": {
        "repository": "r",
        "number": "1",
        "title": "T",
        "month": "2026-10",
        "status": "open",
    },
    "notes": {"topic": "a", "title": "b", "file": "c.pdf"},
    "resume": {},
}
VALUES = (
    *(
        "",
        "~",
        "word",
        "two words",
        "no",
        "true",
        "false",
        "'true'",
        "0",
        "12",
        "012",
        "1.10",
        "-3",
    ),
    *("1e3", "9999999", "2026", "2026-10", "2026-10-05", "2026-13", "present", "Now", "12:30"),
    *("open", "done", "win", "lower", "within", "repo", "top", "en", "sm_120", "a.example"),
    *(
        "https://a.example/",
        "https://a.example",
        "mailto:a@b.example",
        "a@b.example",
        "javascript:x",
    ),
    *("[]", "[word]", "[1, true, no]", "[[]]", "{}", "{a: {label: b}}", "{word: 1}"),
    *(
        "{gpu: G}",
        "{name: N, role: R, pitch: P}",
        "{prompt: 5}",
        "{prompt: 0}",
        "[{kind: repo}]",
        "[{label: L, values: many}]",
    ),
    *("[{label: L, values: [{value: 1.5}], outcome: loss}]", "[{label: L, values: []}]"),
    *("[{id: top, title: T}]", "[{tag: a, text: 1}]", "{include: 25}", "{at: 3}"),
)


class EditorLoader(yaml.SafeLoader):
    """YAML as editors read it: by the core schema of YAML 1.2, so `no` and dates are texts."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 -- declared so by the parent


for _name, _pattern, _signs in (
    ("bool", "true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", "~|null|Null|NULL|", "~nN"),
    ("int", "[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    EditorLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_name}", re.compile(f"^(?:{_pattern})$"), [*_signs, ""]
    )


def complaints(name: str, text: str) -> list[str]:
    """What an editor says of a file."""
    data = yaml.load(text, EditorLoader)  # noqa: S506 -- it is a SafeLoader
    found = Draft7Validator(schema.schemas()[FILES[name].place]).iter_errors(data)
    return [f"{error.json_path}: {error.message}" for error in found]


def is_read(name: str, text: str) -> bool:
    node = frontmatter.parse(text, "x.yaml") or Items((), 1, 1)
    return not convert(node, FILES[name].kind, "x.yaml").errors


def written(name: str, **changes: str) -> str:
    """Write a file with the least entry of its kind, changed."""
    lines = [f"{key}: {value}" for key, value in (LEAST[name] | changes).items()]
    return "- " + "\n  ".join(lines) if get_origin(FILES[name].kind) is list else "\n".join(lines)


def content_files() -> Iterator[tuple[str, Path]]:
    for site in SITES:
        for name, file in FILES.items():
            yield from ((name, path) for path in sorted(site.glob(file.place)))


@pytest.mark.parametrize(
    ("name", "path"),
    [pytest.param(*item, id=item[1].relative_to(ROOT).as_posix()) for item in content_files()],
)
def test_a_file_that_builds_is_good_in_the_editor(name: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        text = text.split("---\n")[1]
    assert complaints(name, text) == []


def test_every_kind_of_file_was_looked_at() -> None:
    assert {name for name, _ in content_files()} == FILES.keys()


def keys(kind: Any) -> list[str]:  # noqa: ANN401 -- types as values
    owner = get_args(kind)[0] if get_origin(kind) is list else kind
    return [field.encode_name for field in structs.fields(owner)]


@pytest.mark.parametrize(
    ("name", "key"), [(name, key) for name, file in FILES.items() for key in keys(file.kind)]
)
def test_what_the_reader_takes_is_good_in_the_editor(name: str, key: str) -> None:
    """An editor that marks what builds would be turned off: every key with every kind of value."""
    texts = [written(name, **{key: value}) for value in VALUES]
    taken = [text for text in texts if is_read(name, text)]
    assert taken
    assert {text: said for text in taken if (said := complaints(name, text))} == {}


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("site", "title: T", "$: 'owner' is a required"),
        ("site", written("site", titel="T"), "$: Additional properties"),
        ("site", written("site", url="example.org"), "$.url: "),
        ("site", written("site", sections="[{id: tip, title: T}]"), "$.sections[0].id: 'tip'"),
        ("site", written("site", simulation="{include: 25}"), "$.simulation.include: 25 is"),
        ("site", written("site", simulation="{seed: 0}"), "$.simulation.seed: 0 is less"),
        ("site", written("site", title=""), "$.title: None is not"),
        ("project", written("project", status="finished"), "$.status: 'finished' is not one of"),
        ("project", written("project", draft="no"), "$.draft: 'no' is not of type 'boolean'"),
        ("project", written("project", date="2026-13"), "$.date: "),
        ("project", written("project", tags="one"), "$.tags: 'one' is not of type 'array'"),
        ("project", written("project", metrics="[{label: L, values: []}]"), "$.metrics[0].values"),
        ("project", written("project", metrics="[{label: L}]"), "$.metrics[0]: 'values' is a"),
        ("experience", written("experience", end="presnt"), "$[0].end: "),
        ("experience", "start: 2025\nrole: R", "$: {'start': 2025, 'role': 'R'} is not of"),
        ("open_source", written("open_source", number="0"), "$[0].number: 0 is less"),
    ],
)
def test_what_an_editor_can_see_is_marked(name: str, text: str, place: str) -> None:
    assert not is_read(name, text) or "id: tip" in text  # which only the cross-checks refuse
    assert any(said.startswith(place) for said in complaints(name, text))


@pytest.mark.parametrize("name", FILES)
def test_a_schema_is_valid_and_explains_every_key(name: str) -> None:
    made = schema.schemas()[FILES[name].place]
    Draft7Validator.check_schema(made)

    def walk(part: Any) -> Iterator[str]:  # noqa: ANN401 -- JSON
        for key, inner in part.get("properties", {}).items():
            assert re.fullmatch(r"\S.*\S\.", inner["description"], re.DOTALL), key
            yield key
            yield from walk(inner)
        for inner in (part.get("items"), *part.get("anyOf", ())):
            yield from walk(inner) if inner else ()

    assert len(list(walk(made))) >= len(keys(FILES[name].kind))


def test_no_description_is_of_a_key_that_is_gone() -> None:
    for kind, described in schema.DESCRIPTIONS.items():
        assert issubclass(kind, Struct)
        assert described.keys() <= {field.encode_name for field in structs.fields(kind)}


def test_every_file_that_is_read_has_a_schema() -> None:
    places = {PROJECTS + "/*.md", WRITING + "/*.md", *content._SINGLE_FILES}
    assert places == schema.schemas().keys()


def test_defaults_are_those_of_the_model() -> None:
    project = schema.schemas()[f"{PROJECTS}/*.md"]["properties"]
    assert project["status"]["default"] == model.Status.DONE
    assert project["draft"]["default"] is False
    assert "default" not in project["title"]
    settings = schema.schemas()["content/site.yaml"]["properties"]
    assert settings["simulation"]["properties"]["include"]["default"] == 12


def test_the_editor_is_pointed_to_schemas_that_are_there_for_files_that_are_yaml() -> None:
    files = schema.editor_files()
    mapping = yaml.safe_load(files[schema.EDITOR_SETTINGS])["yaml.schemas"]
    assert {path.removeprefix("./") for path in mapping} <= files.keys()
    yaml_files = {place for place in schema.schemas() if place.endswith(".yaml")}
    assert set(mapping.values()) == yaml_files


def test_the_command_prints_every_schema_by_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schema.schemas()


def test_the_schemas_are_those_that_were_reviewed(request: pytest.FixtureRequest) -> None:
    """A golden folder, so that a change of the content's contract is seen as what it is."""
    folder = GOLDEN / "schema"
    made = {Path(name).name: text for name, text in schema.editor_files().items()}
    if request.config.getoption("--update-golden", default=False):
        folder.mkdir(exist_ok=True)
        for path in folder.iterdir():
            path.unlink()
        for name, text in made.items():
            (folder / name).write_text(text, encoding="utf-8")
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == made
