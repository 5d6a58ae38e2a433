"""
JSON Schemas of the owner's files, made from the types that the reader checks them with.

They are for editors, which read YAML with YAML's own rules before they look at a schema, so a
schema must take every value that the reader takes: a text may look like a number. It may take more
than the reader does, whose word is the last. Draft 7 is what the editors' YAML server knows best,
and nothing is shared by reference, which draft 7 would let no description stand beside.
"""

import re
from inspect import cleandoc
from typing import Any

from msgspec import Struct, inspect, json

from batcher_site import model, urls
from batcher_site.validation import PRESENT

Schema = dict[str, Any]

EDITOR_SETTINGS = ".vscode/settings.json"
FOLDER = ".vscode/schema"
_DIALECT = "http://json-schema.org/draft-07/schema#"

_DATE: Schema = {
    "anyOf": [
        {
            "type": "string",
            "pattern": r"^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$",
            "patternErrorMessage": "expected a date: YYYY, YYYY-MM or YYYY-MM-DD",
        },
        {"type": "integer", "minimum": 1000, "maximum": 9999},
    ]
}
_IN_ANY_CAPITALS = "|".join(
    "".join(f"[{letter.upper()}{letter}]" for letter in word) for word in PRESENT
)
# The first is offered for completion; the second takes the other words, in any capitals.
_PRESENT: Schema = {
    "anyOf": [{"const": PRESENT[0]}, {"type": "string", "pattern": f"^({_IN_ANY_CAPITALS})$"}]
}
_DATES: dict[type, Schema] = {model.PartialDate: _DATE, model.Present: _PRESENT}
_NOTHING: Schema = {"type": "null"}

# Texts that only `crosschecks` compares with what there is.
_WORDS: dict[tuple[type[Struct], str], tuple[str, ...]] = {
    (model.SectionSettings, "id"): tuple(model.SECTION_TITLES)
}

# What else YAML may make of a scalar that is a text for us, with a sample of each.
_LOOKS_LIKE = {"integer": "1", "number": "1.5", "boolean": "true"}


class ContentFile(Struct, frozen=True):
    """A kind of file of the owner's: its schema's name, its place, and the type of its data."""

    name: str
    place: str
    kind: Any


FILES = (
    ContentFile("site", urls.SETTINGS, model.Site),
    ContentFile("about", urls.ABOUT, model.AboutMeta),
    ContentFile("now", urls.NOW, model.Now),
    ContentFile("project", f"{urls.PROJECTS}/*.md", model.ProjectMeta),
    ContentFile("writing", f"{urls.WRITING}/*.md", model.WritingMeta),
    ContentFile("experience", urls.EXPERIENCE, list[model.Station]),
    ContentFile("open_source", urls.OPEN_SOURCE, list[model.PullRequest]),
    ContentFile("notes", urls.NOTES, list[model.Note]),
    ContentFile("resume", urls.RESUME, model.ResumeExtras),
)

# They stand here and not beside the fields: every build imports the model, and none reads these.
DESCRIPTIONS: dict[type[Struct], dict[str, str]] = {
    model.Quantity: {
        "value": "The number, with a point and without commas or a unit.",
        "unit": "The unit, such as tok/s or ms.",
    },
    model.Baseline: {
        "label": "What it is held against, with its version, such as vLLM 0.21.0.",
        "value": "The number that was measured there; without one, the label alone is shown.",
        "unit": "The unit of that number. A bar is drawn where two numbers share one.",
    },
    model.Reading: {
        "value": "The number, with a point and without commas or a unit.",
        "unit": "The unit, such as tok/s or ms. A bar is drawn where two numbers share one.",
        "approx": "true prints ~ before the number.",
        "signed": "true prints + before an increase.",
        "bound": "within: the number is a limit, not a reading.",
        "name": "What this value is of; with a single value, the name at its bar instead of mine.",
    },
    model.Metric: {
        "label": "What was measured.",
        "values": "What came out: a list of values, or a text such as measuring.",
        "from": "The value before, on the same machine.",
        "baseline": "What it is held against.",
        "outcome": "How it came out against the baseline. A loss is shown as large as a win.",
        "better": "Which direction is the better one.",
        "conditions": "Under which conditions: the model, the batch, the precision.",
        "evidence": "An address where this can be checked.",
    },
    model.MeasuredResult: {
        "project": "The project that it comes from: the name of its file without .md.",
    },
    model.OwnerLink: {
        "label": "The words of the link.",
        "url": "Where it leads; without it there is text, and batcher check says so.",
    },
    model.Owner: {
        "name": "Your name.",
        "role": "What you are, in a few words.",
        "pitch": "What you build, and for whom, in one sentence.",
        "location": "Where you are.",
        "graduating": "When you graduate.",
        "studies": "What you study, and where.",
        "seeking": "What you look for, and from when.",
        "approach": "How you work, in a sentence or two.",
        "email": "Your e-mail address. It stands on every page.",
        "links": "Places where you can be found, by a name of your choice such as github.",
    },
    model.Hardware: {
        "gpu": "The GPU, as it is sold.",
        "architecture": "Its architecture, such as Blackwell.",
        "compute_capability": "Its compute capability, such as sm_120.",
        "memory": "Its memory, such as 16 GB.",
        "cuda": "The version of CUDA.",
    },
    model.SectionSettings: {
        "id": "Which section.",
        "title": "Its title, in the page and in every menu.",
        "eyebrow": "A short line above the title.",
        "intro": "A sentence below the title; {projects} and {open_prs} stand for counts.",
        "number": "Its number; by default its place in the list.",
    },
    model.SimulationSettings: {
        "include": "How many requests enter; 0 leaves the figure out.",
        "at": "The iteration that the page shows; by default one in which much happens.",
        "seed": "Decides when a finished request comes back in the endless run.",
    },
    model.CheckSettings: {
        "ignore": "Addresses that batcher check --external does not ask for, by their beginnings.",
    },
    model.Site: {
        "title": "The site's name.",
        "description": "For search engines and previews; by default the owner's pitch.",
        "url": "The site's whole address, such as https://me.github.io/portfolio/.",
        "domain": "A domain of your own; writes the file CNAME.",
        "language": "The language of the texts, such as en or de-CH.",
        "timezone": "The zone in which the site's days begin, such as Europe/Berlin.",
        "edit_url": "Where the site's files can be edited, such as https://github.com/me/site/edit/main.",
        "wordmark": "The words in the header; by default the title.",
        "owner": "The person whose portfolio this is.",
        "hardware": "The machine that the results were measured on.",
        "measured_results": "The figures of the first screen.",
        "sections": "The home page's sections in order; one that is not named is left out.",
        "simulation": "Which requests enter the simulation, and what the page shows of it.",
        "check": "What a check of links to other hosts leaves alone.",
        "social_cards": "How many projects and write-ups have a picture of their own; 0: no page.",
    },
    model.ProjectLink: {
        "kind": "What the link leads to.",
        "url": "Where it leads; without it there is text, and batcher check says so.",
        "label": "The words of the link; by default those of its kind.",
    },
    model.RequestLengths: {
        "prompt": "Tokens of its prompt.",
        "output": "Tokens that it produces.",
        "arrival": "The iteration before which it arrives.",
    },
    model.ProjectMeta: {
        "title": "The project's name.",
        "summary": "One or two sentences: what it is, what it is held against, where it loses.",
        "date": "When it was done: YYYY, YYYY-MM or YYYY-MM-DD. A date ahead holds it back.",
        "order": "Its place among the projects; those without one come after, newest first.",
        "status": "How far it is.",
        "status_text": "Words that are shown in place of the status.",
        "pinned": "true puts its request first in the queue.",
        "draft": "true holds it back.",
        "stack": "What it is made of.",
        "tags": "What it is about; each tag has a page.",
        "hardware": "The machine that it was measured on, where that differs from the site's.",
        "metrics": "The measured results, as data.",
        "headline": "The label of the metric that the request log shows.",
        "links": "The code, a paper, a demo.",
        "request": "The request that stands for it in the simulation, key by key.",
        "cover": "A picture beside the file.",
        "alt": "What the picture shows, for those who do not see it.",
    },
    model.WritingMeta: {
        "title": "The title.",
        "date": "When it was published: YYYY-MM-DD. A date ahead holds it back.",
        "updated": "When it was last changed.",
        "summary": "One or two sentences for lists and previews.",
        "tags": "What it is about; each tag has a page.",
        "draft": "true holds it back.",
        "project": "The project that it is about: the name of its file without .md.",
    },
    model.AboutMeta: {"facts": "Short facts about you, shown as a list."},
    model.NowItem: {"tag": "One word for it.", "text": "What is going on."},
    model.Now: {
        "month": "The month in which this was true: YYYY-MM.",
        "items": "What is going on.",
    },
    model.ExperienceLink: {
        "label": "The words of the link.",
        "url": "Where it leads; without it there is text, and batcher check says so.",
    },
    model.Station: {
        "start": "When it began: YYYY, YYYY-MM or YYYY-MM-DD.",
        "end": "When it ended, or present.",
        "when": "Words that are shown in place of the dates.",
        "role": "What you were.",
        "place": "Where.",
        "what": "What you did.",
        "badge": "A word or two beside the role.",
        "links": "Where more of it can be seen.",
    },
    model.PullRequest: {
        "repository": "The repository, as its owner writes it.",
        "number": "The number of the pull request.",
        "title": "Its title.",
        "month": "When it was opened: YYYY-MM.",
        "status": "Where it stands.",
        "status_text": "Words that are shown in place of the status.",
        "headline": "What the request log shows of it.",
        "link": "Where it is; without it there is text, and batcher check says so.",
        "note": "A sentence about it.",
        "pinned": "true puts its request first in the queue.",
        "request": "The request that stands for it in the simulation, key by key.",
    },
    model.Note: {
        "topic": "The heading that it stands under.",
        "title": "Its title.",
        "file": "The PDF's name; it lies beside this file.",
        "label": "The words of the link.",
    },
    model.Education: {
        "institution": "The school.",
        "area": "The subject.",
        "degree": "The degree.",
        "start": "When it began: YYYY, YYYY-MM or YYYY-MM-DD.",
        "end": "When it ended, or present.",
        "when": "Words that are shown in place of the dates.",
    },
    model.SkillGroup: {
        "name": "The heading of the group.",
        "keywords": "The skills.",
    },
    model.ResumeExtras: {
        "education": "Schools and degrees, newest first.",
        "skills": "Skills under headings.",
    },
}


def schemas() -> dict[str, Schema]:
    """
    Give the schema of every kind of file by its place, such as `content/site.yaml`.

    That of a Markdown file is of its front matter.
    """
    return {file.place: _file_schema(file) for file in FILES}


def editor_files() -> dict[str, str]:
    """
    Give the schemas as files of a site's folder, and the settings that point an editor to them.

    The settings are those of the YAML extension of Visual Studio Code, which looks at YAML files
    only: a front matter has a schema, and no mapping.
    """
    mapping = {f"./{_path(file)}": file.place for file in FILES if not file.place.endswith(".md")}
    texts = {_path(file): as_text(_file_schema(file)) + "\n" for file in FILES}
    return {EDITOR_SETTINGS: as_text({"yaml.schemas": mapping}) + "\n", **texts}


def as_text(value: object) -> str:
    """Give a value as JSON for people, without an end of line."""
    return json.format(json.encode(value), indent=2).decode()


def _path(file: ContentFile) -> str:
    return f"{FOLDER}/{file.name}.json"


def _file_schema(file: ContentFile) -> Schema:
    made = _schema(inspect.type_info(file.kind))
    if not made.get("required"):
        made = _or_nothing(made)  # a file in which nothing must stand may be empty
    return {"$schema": _DIALECT, "title": file.place, **made}


def _schema(kind: inspect.Type) -> Schema:  # noqa: PLR0911 -- one case for each kind of type
    match kind:
        case inspect.Metadata():
            return _explained(_schema(kind.type), kind.extra_json_schema or {})
        case inspect.StructType():
            return _struct(kind)
        case inspect.UnionType():
            return _union(kind)
        case inspect.ListType():
            least = {"minItems": kind.min_length} if kind.min_length else {}
            return {"type": "array", "items": _schema(kind.item_type), **least}
        case inspect.DictType():
            names, values = _schema(kind.key_type), _schema(kind.value_type)
            return {"type": "object", "propertyNames": names, "additionalProperties": values}
        case inspect.EnumType():
            return {"enum": [str(member) for member in kind.cls]}
        case _:
            return _scalar(kind)


def _scalar(kind: inspect.Type) -> Schema:
    match kind:
        case inspect.StrType():
            return _text_schema(kind)
        case inspect.IntType():
            limits = {"minimum": kind.ge, "maximum": kind.le}
            return {"type": "integer"} | {key: n for key, n in limits.items() if n is not None}
        case inspect.DecimalType():
            return {"type": "number"}
        case inspect.BoolType():
            return {"type": "boolean"}
    raise TypeError(f"no schema says what a {kind} is")


def _text_schema(kind: inspect.StrType) -> Schema:
    fits = [
        name
        for name, sample in _LOOKS_LIKE.items()
        if kind.pattern is None or re.match(kind.pattern, sample)
    ]
    made: Schema = {"type": ["string", *fits] if fits else "string"}
    if kind.min_length:
        made["minLength"] = kind.min_length
    if kind.pattern:
        # The end of the text is written in Python's way there, in JavaScript's here.
        made["pattern"] = kind.pattern.replace(r"\Z", "$")
    return made


def _explained(made: Schema, extra: Schema) -> Schema:
    """Let an editor say what is expected where a text does not fit its pattern."""
    if "pattern" in made and "description" in extra:
        return {**made, "patternErrorMessage": f"expected {extra['description']}"}
    return made


def _union(kind: inspect.UnionType) -> Schema:
    made = [_schema(part) for part in kind.types if not isinstance(part, inspect.NoneType)]
    parts = [part for one in made for part in one.get("anyOf", [one])]
    whole = made[0] if len(made) == 1 else {"anyOf": parts}
    return _or_nothing(whole) if kind.includes_none else whole


def _or_nothing(made: Schema) -> Schema:
    """Let a value be left empty, as every key may be that need not be there."""
    if "anyOf" in made:
        parts = made["anyOf"]
        return made if _NOTHING in parts else {**made, "anyOf": [*parts, _NOTHING]}
    if "enum" in made:
        return made if None in made["enum"] else {**made, "enum": [*made["enum"], None]}
    kinds = made["type"] if isinstance(made["type"], list) else [made["type"]]
    return made if "null" in kinds else {**made, "type": [*kinds, "null"]}


def _struct(kind: inspect.StructType) -> Schema:
    if kind.cls in _DATES:
        return _DATES[kind.cls]
    return {
        "description": cleandoc(kind.cls.__doc__ or kind.cls.__name__),
        "type": "object",
        "properties": {field.encode_name: _field(kind.cls, field) for field in kind.fields},
        "required": [field.encode_name for field in kind.fields if field.required],
        "additionalProperties": False,
    }


def _field(owner: type[Struct], field: inspect.Field) -> Schema:
    words = _WORDS.get((owner, field.encode_name))
    made = {"enum": list(words)} if words else _schema(field.type)
    if not field.required:
        made = _or_nothing(made)
    shown = field.default
    default = {"default": shown} if isinstance(shown, str | int) else {}
    return {**made, **default, "description": _description(owner, field.encode_name)}


def _description(owner: type[Struct], key: str) -> str:
    """Give what a key means; it may be a key of the kind that the owner extends."""
    return next(
        DESCRIPTIONS[kind][key] for kind in owner.__mro__ if key in DESCRIPTIONS.get(kind, {})
    )
