"""
What is written into a site's own folder: the starter of a new one, texts, and files for an editor.

`create` and `add` write over nothing; `write_anew` over the files that it is given, and no other.
"""

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from datetime import date

from msgspec import json

from batcher_site.errors import OutputError, UsageError
from batcher_site.urls import CONTENT, SETTINGS, slugify

# A file that begins with a dot would be left out by packaging tools.
_RENAMED = {"gitignore": ".gitignore"}


def create(folder: str) -> tuple[str, ...]:
    """
    Write the starter site into `folder` and give the names of its files.

    Raises UsageError unless the folder is new or empty.
    """
    if os.path.lexists(folder) and not (os.path.isdir(folder) and not os.listdir(folder)):
        raise UsageError(f"{folder} is there already and not empty", hint="name a new folder")
    starter = os.path.join(os.path.dirname(os.path.abspath(__file__)), "starter")
    written = []
    try:
        for path, names, files in os.walk(starter):
            names.sort()
            for name in sorted(files):
                target = os.path.relpath(os.path.join(path, _RENAMED.get(name, name)), starter)
                os.makedirs(os.path.join(folder, os.path.dirname(target)), exist_ok=True)
                shutil.copyfile(os.path.join(path, name), os.path.join(folder, target))
                written.append(target)
    except OSError as error:
        raise _refused(error, folder) from None
    return tuple(sorted(written))


KINDS = ("project", "writing", "note")
"""What `add` can begin."""

_NOTES = f"{CONTENT}/notes/notes.yaml"
_PLACES = {"project": f"{CONTENT}/projects", "writing": f"{CONTENT}/writing"}
_TEXTS = {
    "project": """\
---
title: {title}
summary: One or two sentences that say what it is, what it is compared with, and where it loses.
date: {month}
draft: true # take this line out to publish it
stack: []
tags: []
metrics: []
links: []
---

## What I built

## How it was measured

## Where it loses
""",
    "writing": """\
---
title: {title}
date: {day}
draft: true # take this line out to publish it
summary: What a reader learns, in one sentence.
tags: []
---

""",
}
_NOTE = """\
- topic: Notes
  title: {title}
  file: {slug}.pdf
"""


def add(folder: str, kind: str, title: str, today: date) -> str:
    """
    Begin a project, write-up or note in a site, and give the name of the file that was written.

    A project or write-up is a draft in a file of its own; a note is an entry of the list of PDFs.
    Raises UsageError where there is no site, the title has no letter for a name, or its file is
    there already.
    """
    if not os.path.isfile(os.path.join(folder, SETTINGS)):
        raise UsageError(f"there is no {SETTINGS} in {folder}", hint="name the site with --source")
    slug = slugify(title)
    if not slug:
        raise UsageError(f'"{title}" has no letter to name a file by', hint="give another title")
    # A string of JSON is one of YAML, whatever signs it has.
    quoted = json.encode(title).decode()
    name = f"{_PLACES.get(kind)}/{slug}.md"
    try:
        if kind == "note":
            return _add_note(folder, quoted, slug)
        text = _TEXTS[kind].format(title=quoted, day=today.isoformat(), month=f"{today:%Y-%m}")
        if os.path.lexists(os.path.join(folder, _PLACES[kind], slug)):
            raise UsageError(f"{_PLACES[kind]}/{slug}/ is there already", hint="give another title")
        os.makedirs(os.path.join(folder, _PLACES[kind]), exist_ok=True)
        with open(os.path.join(folder, name), "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{name} is there already", hint="give another title") from None
    except OSError as error:
        raise _refused(error, folder) from None
    return name


def _add_note(folder: str, quoted: str, slug: str) -> str:
    """Write an entry at the end of the list; what stands there stays as it is."""
    path = os.path.join(folder, _NOTES)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    before = ""
    with suppress(FileNotFoundError), open(path, encoding="utf-8-sig") as file:
        before = file.read()
    if before.lstrip().startswith("["):
        raise UsageError(f"{_NOTES} is a list in brackets", hint="begin each entry with a dash")
    if f"file: {slug}.pdf" in before:
        raise UsageError(f"{_NOTES} has {slug}.pdf already", hint="give another title")
    gap = "" if not before or before.endswith("\n") else "\n"
    with open(path, "a", encoding="utf-8", newline="") as file:
        file.write(gap + _NOTE.format(title=quoted, slug=slug))
    return _NOTES


def write_anew(folder: str, files: Mapping[str, str]) -> tuple[str, ...]:
    """
    Bring files below `folder` to the given texts, each as a whole; give the names of the changed.

    Raises OutputError where a file cannot be written.
    """
    written = []
    for name, text in sorted(files.items()):
        target, data = os.path.join(folder, name), text.encode()
        try:
            if _holds(target, data):
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            beside = f"{target}.{os.getpid()}.tmp"
            try:
                with open(beside, "wb") as file:
                    file.write(data)
                os.replace(beside, target)
            finally:
                with suppress(FileNotFoundError):
                    os.remove(beside)
        except OSError as error:
            raise _refused(error, target) from None
        written.append(name)
    return tuple(written)


def _holds(path: str, data: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read() == data
    except FileNotFoundError:
        return False


def _refused(error: OSError, path: str) -> OutputError:
    return OutputError(
        f"cannot be written: {error.strerror}",
        source=str(error.filename or path),
        hint="check the permissions of the folder above it",
    )
