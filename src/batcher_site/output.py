"""
The output folder: `commit` brings it to the new state, touching only what differs.

The folder holds a manifest that lists our files with their hashes: it marks the folder as ours and
says what may be deleted. All files are written beside their places first, so a full disk changes
nothing; then each is moved over its place: what visitors may ask for first is moved first, the
manifest last. A journal in the folder for temporary files lists what a commit is about to write, so
that the next commit knows the files of a killed one. A lock lets one commit in at a time.
"""

import hashlib
import os
import posixpath
import re
import shutil
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from msgspec import DecodeError, Struct, ValidationError, json

from batcher_site.errors import CheckError, OutputError, SiteErrors, UsageError
from batcher_site.lock import exclusive
from batcher_site.model import Changes, Notice
from batcher_site.unchanged import signatures

MANIFEST = ".batcher-manifest.json"
WORK_FOLDER = ".batcher-tmp"
FORMAT = 1

_JOURNAL = "journal.json"
_LONGEST_NAME = 255
# Most paths; what else is safe takes a closer look.
_PLAIN = re.compile(r"(?:[a-z0-9][a-z0-9.-]{0,99}/)*[a-z0-9][a-z0-9.-]{0,99}")
_LAST = (".html", ".xml", ".txt", ".json")


class Manifest(Struct, frozen=True):
    """The list of our files: path below the folder to the SHA-256 of its bytes."""

    format: int
    files: dict[str, str]


class Journal(Struct, frozen=True):
    """What a commit found and is about to write: path to every SHA-256 that it may have."""

    format: int
    files: dict[str, list[str]]


T = TypeVar("T", Manifest, Journal)


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
    try:
        names = set(os.listdir(path))
    except OSError as error:
        raise _refusal(
            output, f"cannot be read: {error.strerror}", "check its permissions"
        ) from None
    if names - {WORK_FOLDER} and not _is_ours(Path(path)):
        raise _refusal(
            output,
            f"is not empty and has no readable {MANIFEST}, so it is not ours",
            "name a new folder, or empty this one by hand",
        )


def commit(
    outputs: Mapping[str, bytes],
    output: str,
    digests: Mapping[str, str] = MappingProxyType({}),
    left: Sequence[str] = (),
) -> Changes:
    """
    Bring the folder to hold `outputs` (path below the folder to bytes) and what is not ours.

    `digests` are those of files whose bytes need not be read to know them; `left` are the
    signatures that an earlier commit left, so that an unchanged file need not be read either.
    Files that are the same already are not touched. Of our earlier files, those that are no longer
    made are deleted if nobody changed them since. Raises OutputError where a path is unsafe, where
    a file of somebody else is in the way, or where the system refuses; the old manifest then still
    stands.
    """
    _refuse_unsafe(outputs)
    folder = Path(output)
    try:
        new = {path: digests.get(path) or digest_of(outputs[path]) for path in outputs}
        changes = _nothing_to_do(new, folder, _Folder(folder, left))
        if changes is not None:
            return changes
        _refuse_foreign((), folder, (), ())
        with exclusive(folder / WORK_FOLDER), _cleaning(folder / WORK_FOLDER):
            return _commit(outputs, new, folder, _Folder(folder, left))
    except OSError as error:
        raise OutputError(
            f"cannot be written: {error.strerror}",
            source=str(error.filename or output),
            hint="check the folder's permissions and the space on the disk, then build again",
        ) from None


def differences(
    outputs: Mapping[str, bytes], output: str, source: str
) -> tuple[list[CheckError], list[Notice]]:
    """
    Say where a folder that was built is not what a build would make of it now.

    Files that are missing, differ, or are no longer made are errors; files of somebody else, which
    are published with the folder, are notices; places are told as seen from the folder `source`.
    Nothing is written. Raises UsageError where the folder is not ours.
    """
    folder = Path(output)
    manifest = _read(folder / MANIFEST, Manifest)
    if manifest is None:
        hint = "name the folder of a build, or build first"
        raise _refusal(output, f"has no readable {MANIFEST}, so it is not ours", hint)
    there = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and WORK_FOLDER not in path.relative_to(folder).parts
    }
    ours = manifest.files.keys()
    seen = os.path.relpath(output, source) if _same_drive(output, source) else output
    name = seen.replace(os.sep, "/")
    told = {
        "is missing": outputs.keys() - there,
        "is no longer made": (ours & there) - outputs.keys(),
        "is not what the site's files give": {
            path
            for path in outputs.keys() & there
            if not _is_unchanged(folder, path, {digest_of(outputs[path])})
        },
    }
    errors = [
        CheckError(
            f"the file {what}", source=posixpath.join(name, path), hint="build the site again"
        )
        for what, paths in told.items()
        for path in sorted(paths)
    ]
    foreign = sorted(there - ours - outputs.keys() - {MANIFEST})
    notices = [
        Notice(
            posixpath.join(name, path),
            1,
            "this file is not of the build, and is published with it",
        )
        for path in foreign
    ]
    return errors, notices


class _Folder:
    """
    What the output folder holds.

    A file with the signature that an earlier commit left has the digest that the manifest says, if
    the manifest is still the one of that commit; any other file is read.
    """

    def __init__(self, folder: Path, left: Sequence[str]) -> None:
        self._folder = folder
        manifest = _read(folder / MANIFEST, Manifest)
        known = dict(zip(left[::2], left[1::2], strict=True))
        now = signatures(str(folder), [MANIFEST])[1]
        is_same = manifest is not None and bool(now) and known.get(MANIFEST) == now
        self._known = known if is_same else {}
        self._digests = manifest.files if manifest else {}

    def has(self, path: str, digest: str) -> bool:
        """Tell whether a plain file with this digest stands at a path."""
        signature = signatures(str(self._folder), [path])[1]
        if signature and self._known.get(path) == signature:
            return self._digests.get(path) == digest
        file = self._folder / path
        try:
            return bool(signature) and not file.is_symlink() and _digest(file) == digest
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return False


def _nothing_to_do(new: Mapping[str, str], folder: Path, found: _Folder) -> Changes | None:
    """Give the changes where there are none to make, without writing anything at all."""
    if (folder / WORK_FOLDER).exists():
        return None
    left = _left(new, folder)  # before the files are read: a later change must show
    wanted = {MANIFEST: digest_of(_manifest(new)), **new}
    if not all(found.has(path, digest) for path, digest in wanted.items()):
        return None
    return Changes(written=(), removed=(), abandoned=(), kept=len(new), left=left)


def _left(paths: Iterable[str], folder: Path) -> tuple[str, ...]:
    return tuple(signatures(str(folder), [*paths, MANIFEST]))


@contextmanager
def _cleaning(work: Path) -> Iterator[None]:
    """Take away what a commit that fails before its journal has left: nothing has moved yet."""
    try:
        yield
    except BaseException:
        if not (work / _JOURNAL).exists():
            shutil.rmtree(work, ignore_errors=True)
        raise


def _commit(
    outputs: Mapping[str, bytes], new: Mapping[str, str], folder: Path, found: _Folder
) -> Changes:
    work = folder / WORK_FOLDER
    owned = _owned(folder)
    differing = [path for path in sorted(new, key=_rank) if not found.has(path, new[path])]
    stale = [
        path
        for path, digests in owned.items()
        if path not in new and _is_unchanged(folder, path, digests)
    ]
    gone = owned.keys() - new.keys()
    going = {*stale, *(f"{parent}/" for path in gone for parent in _parents(path))}
    _refuse_foreign(differing, folder, owned, going)
    manifest = _manifest(new)
    staged = [(work / str(number), path) for number, path in enumerate(differing)]
    for temporary, path in staged:
        temporary.write_bytes(outputs[path])
    (work / MANIFEST).write_bytes(manifest)
    _write_journal(work, _journal(owned, new))
    blocking = _blocking(stale, new)
    _remove(blocking, gone, folder)
    for temporary, path in staged:
        _move(temporary, folder / path)
    # Before the manifest forgets them, so that the next commit ends what a killed one began.
    _remove((path for path in stale if path not in blocking), gone, folder)
    _move(work / MANIFEST, folder / MANIFEST)
    left = _left(new, folder)  # while nobody else may write
    # Who waits may have put a new lock there already; on Windows an open lock cannot go.
    shutil.rmtree(work, ignore_errors=True)
    return Changes(
        written=tuple(differing),
        removed=tuple(stale),
        abandoned=tuple(sorted(path for path in gone if (folder / path).is_file())),
        kept=len(new) - len(differing),
        left=left,
    )


def _is_ours(folder: Path) -> bool:
    """Tell whether a folder has our manifest, or the journal of a first commit that was killed."""
    manifest = _read(folder / MANIFEST, Manifest)
    return manifest is not None or _read(folder / WORK_FOLDER / _JOURNAL, Journal) is not None


def _owned(folder: Path) -> dict[str, set[str]]:
    """Give our files with all that each may hold: the manifest's, and a killed commit's."""
    owned: dict[str, set[str]] = {}
    manifest = _read(folder / MANIFEST, Manifest)
    for path, digest in manifest.files.items() if manifest else ():
        owned[path] = {digest}
    journal = _read(folder / WORK_FOLDER / _JOURNAL, Journal)
    for path, digests in journal.files.items() if journal else ():
        owned.setdefault(path, set()).update(digests)
    return owned


def _read(file: Path, kind: type[T]) -> T | None:
    if not file.is_file():
        return None
    try:
        found = json.decode(file.read_bytes(), type=kind)
    except (OSError, DecodeError, ValidationError):
        return None
    return found if found.format == FORMAT and not _unsafe(found.files) else None


def _journal(owned: Mapping[str, set[str]], new: Mapping[str, str]) -> Journal:
    files = {path: set(digests) for path, digests in owned.items()}
    for path, digest in new.items():
        files.setdefault(path, set()).add(digest)
    return Journal(FORMAT, {path: sorted(files[path]) for path in sorted(files)})


def _manifest(files: Mapping[str, str]) -> bytes:
    return _json_bytes(Manifest(FORMAT, dict(sorted(files.items()))))


def _json_bytes(value: Manifest | Journal) -> bytes:
    return json.format(json.encode(value), indent=1) + b"\n"


def _refuse_unsafe(outputs: Mapping[str, bytes]) -> None:
    unsafe = _unsafe(outputs)
    if unsafe:
        raise SiteErrors(
            OutputError(f'the path "{path}" may not be written', hint="rename or shorten its name")
            for path in unsafe
        )
    errors = []
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
        errors += [
            OutputError(f'"{parent}" would be a file and a folder', hint="rename one of the two")
            for parent in _parents(path)
            if parent in outputs
        ]
    if errors:
        raise SiteErrors(errors)


def _unsafe(paths: Iterable[str]) -> list[str]:
    return [path for path in paths if not _PLAIN.fullmatch(path) and _is_unsafe(path)]


def _is_unsafe(path: str) -> bool:
    return (
        not path
        or "\\" in path
        or "\0" in path
        or ":" in path.partition("/")[0]
        or path.startswith("/")
        or posixpath.normpath(path) != path
        or path.split("/", maxsplit=1)[0] in {".", "..", MANIFEST, WORK_FOLDER}
        or any(len(os.fsencode(name)) > _LONGEST_NAME for name in path.split("/"))
    )


def _parents(path: str) -> list[str]:
    """Give the folders that a safe path lies in, the nearest first."""
    parents = []
    while "/" in path:
        path = path.rpartition("/")[0]
        parents.append(path)
    return parents


def _refuse_foreign(
    paths: Iterable[str], folder: Path, owned: Container[str], going: Container[str]
) -> None:
    faults: dict[str, str] = {}
    parents = {WORK_FOLDER}
    for path in paths:
        parents.update(_parents(path))
        if _is_foreign(path, folder, owned, going):
            faults[path] = "a file that is not ours stands where a page belongs"
    for path in parents:
        if (folder / path).is_symlink():
            faults[path] = "a link stands where a folder belongs"
        elif (folder / path).is_file() and path not in going:
            faults[path] = "a file that is not ours stands where a folder belongs"
    if faults:
        raise SiteErrors(
            OutputError(message, source=str(folder / path), hint="move it away, then build again")
            for path, message in faults.items()
        )


def _is_foreign(path: str, folder: Path, owned: Container[str], going: Container[str]) -> bool:
    target = folder / path
    if target.is_symlink():
        return True
    if target.is_dir():
        return not _is_going(target, folder, going)
    return target.exists() and path not in owned


def _is_going(place: Path, folder: Path, going: Container[str]) -> bool:
    """Tell whether all of a folder goes: stale files, and folders of ours that are empty."""
    found = list(place.iterdir())
    if not found:
        return f"{place.relative_to(folder).as_posix()}/" in going
    return all(
        _is_going(entry, folder, going)
        if entry.is_dir() and not entry.is_symlink()
        else entry.relative_to(folder).as_posix() in going
        for entry in found
    )


def _blocking(stale: Iterable[str], new: Collection[str]) -> set[str]:
    """Give the stale files that stand where a folder belongs, or in a folder where a file does."""
    folders = {parent for path in new for parent in _parents(path)}
    return {
        path for path in stale if path in folders or any(parent in new for parent in _parents(path))
    }


def _remove(paths: Iterable[str], gone: Iterable[str], folder: Path) -> None:
    for path in paths:
        (folder / path).unlink(missing_ok=True)
    _remove_empty_folders(gone, folder)


def _rank(path: str) -> tuple[bool, bool, str]:
    """Order assets before pages, so a page never asks for a file that is not there yet."""
    return (path.endswith(_LAST), not path.endswith(".html"), path)


def _is_unchanged(folder: Path, path: str, digests: Container[str]) -> bool:
    # Behind a link lies what belongs to somebody else.
    if any((folder / place).is_symlink() for place in (path, *_parents(path))):
        return False
    try:
        return digest_of((folder / path).read_bytes()) in digests
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False


def _write_journal(work: Path, journal: Journal) -> None:
    """Pass the point from which on a commit is ended rather than thrown away."""
    temporary = work / f"{_JOURNAL}.next"
    with temporary.open("wb") as file:
        file.write(_json_bytes(journal))
        file.flush()
        # Once, not for each file: what was written before it goes to the disk with it or before it
        # on the journalling file systems that matter.
        os.fsync(file.fileno())
    temporary.replace(work / _JOURNAL)


def _move(temporary: Path, file: Path) -> None:
    try:
        temporary.replace(file)
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.replace(file)


def _remove_empty_folders(paths: Iterable[str], folder: Path) -> None:
    parents = {parent for path in paths for parent in Path(path).parents if parent.name}
    for parent in sorted(parents, key=lambda path: -len(path.parts)):
        path = folder / parent
        if path.is_dir() and not path.is_symlink() and not any(path.iterdir()):
            path.rmdir()


def _digest(file: Path) -> str:
    return digest_of(file.read_bytes())


def digest_of(data: bytes) -> str:
    """Give the digest by which the manifest knows a file."""
    return hashlib.sha256(data).hexdigest()


def _holds(folder: str, path: str) -> bool:
    return os.path.commonpath([folder, path]) == folder if _same_drive(folder, path) else False


def _same_drive(one: str, other: str) -> bool:
    return os.path.splitdrive(one)[0].lower() == os.path.splitdrive(other)[0].lower()


def _refusal(output: str, why: str, hint: str) -> UsageError:
    return UsageError(f"the output folder {output} {why}", hint=hint)
