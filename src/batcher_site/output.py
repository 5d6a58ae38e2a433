"""
The output folder: `commit` brings it to the new state, touching only what differs.

The folder holds a manifest that lists our files with their hashes: it marks the folder as ours and
says what may be deleted. Every file is written beside its place and moved over it; what visitors
may ask for first is moved first, the manifest last. A journal in the folder for temporary files
lists what a commit is about to write, so that the next commit knows the files of a killed one.
"""

import hashlib
import os
import posixpath
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import DecodeError, Struct, ValidationError, json

from batcher_site.errors import OutputError, SiteErrors, UsageError
from batcher_site.model import Changes

MANIFEST = ".batcher-manifest.json"
WORK_FOLDER = ".batcher-tmp"
FORMAT = 1

_JOURNAL = "journal.json"
_LAST = (".html", ".xml", ".txt", ".json")


class Manifest(Struct, frozen=True):
    """The list of our files: path below the folder to the SHA-256 of its bytes."""

    format: int
    files: dict[str, str]


def refuse_dangerous(output: str, source: str) -> None:
    """
    Raise UsageError unless `output` is new, empty, or a folder that we wrote.

    Nothing is written. A folder that holds the site's sources, the home folder, a root, and a link
    are refused whatever they hold.
    """
    path = os.path.abspath(output)
    real = os.path.realpath(path)
    real_source = os.path.realpath(source)
    if os.path.islink(path):
        raise _refusal(output, "is a link", "name the folder itself")
    if _holds(real, real_source) or real == os.path.realpath(os.path.expanduser("~")):
        raise _refusal(output, "holds more than a site", "name a folder of its own, such as dist")
    for name in ("content", "templates", "static"):
        if _holds(os.path.join(real_source, name), real):
            raise _refusal(output, f"lies inside {name}/", "name a folder beside it, such as dist")
    if not os.path.lexists(path):
        return
    if not os.path.isdir(path):
        raise _refusal(output, "is not a folder", "name a folder")
    if os.listdir(path) and _read_manifest(Path(path, MANIFEST)) is None:
        raise _refusal(
            output,
            f"is not empty and has no readable {MANIFEST}, so it is not ours",
            "name a new folder, or empty this one by hand",
        )


def commit(outputs: Mapping[str, bytes], output: str) -> Changes:
    """
    Bring the folder to hold `outputs` (path below the folder to bytes) and what is not ours.

    Files that are the same already are not touched. Of our earlier files, those that are no longer
    made are deleted if nobody changed them since. Raises OutputError where a path is unsafe, where
    a file of somebody else is in the way, or where the system refuses; the old manifest then still
    stands.
    """
    _refuse_unsafe(outputs)
    folder = Path(output)
    try:
        return _commit(outputs, folder)
    except OSError as error:
        raise OutputError(
            f"cannot be written: {error.strerror}",
            source=str(error.filename or output),
            hint="check the folder's permissions and the space on the disk, then build again",
        ) from None


def _commit(outputs: Mapping[str, bytes], folder: Path) -> Changes:
    work = folder / WORK_FOLDER
    owned = _owned(folder)
    new = {path: _hash(data) for path, data in outputs.items()}
    differing = [path for path in sorted(new, key=_rank) if not _has(folder / path, outputs[path])]
    _refuse_foreign(differing, folder, owned)
    stale = [
        path
        for path, digest in owned.items()
        if path not in new and _is_unchanged(folder / path, digest)
    ]
    manifest = _manifest_bytes(new)
    if not differing and not stale and _has(folder / MANIFEST, manifest):
        shutil.rmtree(work, ignore_errors=True)
        return Changes(written=(), removed=(), kept=len(new))
    work.mkdir(parents=True, exist_ok=True)
    _replace(work / _JOURNAL, _manifest_bytes(owned | new), work)
    for path in differing:
        _replace(folder / path, outputs[path], work)
    for path in stale:
        (folder / path).unlink()
    _replace(folder / MANIFEST, manifest, work)
    _remove_empty_folders(stale, folder)
    shutil.rmtree(work)
    return Changes(written=tuple(differing), removed=tuple(stale), kept=len(new) - len(differing))


def _owned(folder: Path) -> dict[str, str]:
    """Give our files: those of the manifest, and those that a killed commit may have written."""
    owned: dict[str, str] = {}
    for file in (folder / MANIFEST, folder / WORK_FOLDER / _JOURNAL):
        manifest = _read_manifest(file)
        if manifest is not None:
            owned |= manifest.files
    return owned


def _read_manifest(file: Path) -> Manifest | None:
    try:
        manifest = json.decode(file.read_bytes(), type=Manifest)
    except (OSError, DecodeError, ValidationError):
        return None
    return manifest if manifest.format == FORMAT and not _unsafe(manifest.files) else None


def _manifest_bytes(files: Mapping[str, str]) -> bytes:
    manifest = Manifest(FORMAT, dict(sorted(files.items())))
    return json.format(json.encode(manifest), indent=1) + b"\n"


def _refuse_unsafe(outputs: Mapping[str, bytes]) -> None:
    errors = [
        OutputError(f'the path "{path}" may not be written', hint="rename what it is made from")
        for path in _unsafe(outputs)
    ]
    folded: dict[str, str] = {}
    for path in sorted(outputs):
        other = folded.setdefault(path.casefold(), path)
        if other != path:
            errors.append(
                OutputError(
                    f'"{path}" and "{other}" are one file where capitals do not count',
                    hint="rename one of the two",
                )
            )
        parent = posixpath.dirname(path)
        while parent:
            if parent in outputs:
                errors.append(
                    OutputError(
                        f'"{parent}" would be a file and a folder', hint="rename one of the two"
                    )
                )
            parent = posixpath.dirname(parent)
    if errors:
        raise SiteErrors(errors)


def _unsafe(paths: Iterable[str]) -> list[str]:
    return [
        path
        for path in paths
        if not path
        or "\\" in path
        or "\0" in path
        or ":" in path.partition("/")[0]
        or path.startswith("/")
        or posixpath.normpath(path) != path
        or path.split("/")[0] in {"..", MANIFEST, WORK_FOLDER}
    ]


def _refuse_foreign(paths: Iterable[str], folder: Path, owned: Mapping[str, str]) -> None:
    errors = []
    for path in paths:
        target = folder / path
        if target.is_symlink() or (target.exists() and path not in owned) or target.is_dir():
            errors.append(
                OutputError(
                    "a file that is not ours stands where a page belongs",
                    source=str(target),
                    hint="move it away, then build again",
                )
            )
        errors += [
            OutputError(
                "a link stands where a folder belongs",
                source=str(folder / parent),
                hint="remove it, then build again",
            )
            for parent in target.relative_to(folder).parents
            if (folder / parent).is_symlink()
        ]
    if errors:
        raise SiteErrors(errors)


def _rank(path: str) -> tuple[bool, bool, str]:
    """Order assets before pages, so a page never asks for a file that is not there yet."""
    return (path.endswith(_LAST), not path.endswith(".html"), path)


def _has(file: Path, data: bytes) -> bool:
    try:
        if file.is_symlink() or file.stat().st_size != len(data):
            return False
        return file.read_bytes() == data
    except (FileNotFoundError, NotADirectoryError):
        return False


def _is_unchanged(file: Path, digest: str) -> bool:
    try:
        return not file.is_symlink() and _hash(file.read_bytes()) == digest
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False


def _replace(file: Path, data: bytes, work: Path) -> None:
    temporary = work / "next"
    temporary.write_bytes(data)
    try:
        temporary.replace(file)
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.replace(file)


def _remove_empty_folders(paths: Iterable[str], folder: Path) -> None:
    parents = {parent for path in paths for parent in Path(path).parents if parent.name}
    for parent in sorted(parents, key=lambda path: -len(path.parts)):
        path = folder / parent
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _holds(folder: str, path: str) -> bool:
    return os.path.commonpath([folder, path]) == folder if _same_drive(folder, path) else False


def _same_drive(one: str, other: str) -> bool:
    return os.path.splitdrive(one)[0].lower() == os.path.splitdrive(other)[0].lower()


def _refusal(output: str, why: str, hint: str) -> UsageError:
    return UsageError(f"the output folder {output} {why}", hint=hint)
