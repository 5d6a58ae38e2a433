"""The commit on a real folder: what it writes, what it leaves alone, what it refuses."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from batcher_site.errors import OutputError, SiteErrors, UsageError
from batcher_site.output import FORMAT, MANIFEST, WORK_FOLDER, commit, differences, refuse_dangerous
from tests.property.trees import files_below

Outputs = Mapping[str, bytes]

OLD: Outputs = {
    "index.html": b"old home",
    "feed.xml": b"old feed",
    "projects/x/index.html": b"x",
    "projects/y/index.html": b"old y",
    "projects/y/plan.pdf": b"plan",
    "robots.txt": b"same",
}
NEW: Outputs = {
    "index.html": b"new home",
    "feed.xml": b"new feed, longer",
    "projects/y/index.html": b"new y",
    "projects/z/index.html": b"z",
    "icons/favicon.svg": b"<svg/>",
    "robots.txt": b"same",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "dist"


def put(folder: Path, outputs: Outputs) -> None:
    """Write files as somebody else would."""
    for name, data in outputs.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def published(folder: Path) -> dict[str, bytes]:
    return {path: data for path, data in files_below(folder).items() if path != MANIFEST}


def refusals(outputs: Outputs, folder: Path) -> list[str]:
    """What is said against a commit, which then has changed nothing."""
    before = files_below(folder)
    with pytest.raises(SiteErrors) as caught:
        commit(outputs, str(folder))
    assert files_below(folder) == before
    assert all(isinstance(error, OutputError) and error.hint for error in caught.value.errors)
    return [str(error).replace(str(folder) + os.sep, "") for error in caught.value.errors]


# --- what a commit does -------------------------------------------------------------------------


def test_a_first_commit_makes_the_folder_and_all_files(folder: Path) -> None:
    changes = commit(OLD, str(folder))
    assert published(folder) == OLD
    assert set(changes.written) == set(OLD)
    assert (changes.removed, changes.kept) == ((), 0)
    assert not (folder / WORK_FOLDER).exists()


def test_a_commit_writes_what_differs_and_removes_what_is_stale(folder: Path) -> None:
    commit(OLD, str(folder))
    changes = commit(NEW, str(folder))
    assert published(folder) == NEW
    assert set(changes.written) == set(NEW) - {"robots.txt"}
    assert set(changes.removed) == {"projects/x/index.html", "projects/y/plan.pdf"}
    assert changes.kept == 1
    assert not (folder / "projects/x").exists()
    assert not (folder / WORK_FOLDER).exists()


def test_a_file_that_is_the_same_is_not_touched(folder: Path) -> None:
    commit(OLD, str(folder))
    os.utime(folder / "robots.txt", (1, 1))
    commit(NEW, str(folder))
    assert (folder / "robots.txt").stat().st_mtime == 1


def test_a_second_commit_of_the_same_writes_nothing_at_all(folder: Path) -> None:
    commit(OLD, str(folder))
    for path in [folder, *folder.rglob("*")]:
        os.utime(path, (1, 1))
    changes = commit(OLD, str(folder))
    assert (changes.written, changes.removed, changes.kept) == ((), (), len(OLD))
    assert {path.stat().st_mtime for path in [folder, *folder.rglob("*")]} == {1}


def test_what_visitors_ask_for_first_is_written_last(folder: Path) -> None:
    """A page never asks for a picture that is not there yet, a feed never names a lost page."""
    outputs = {"a.html": b"", "b.xml": b"", "c.json": b"", "z/pic.png": b"", "z/style.css": b""}
    changes = commit(outputs, str(folder))
    assert changes.written == ("z/pic.png", "z/style.css", "a.html", "b.xml", "c.json")


def test_files_of_somebody_else_stay(folder: Path) -> None:
    commit(OLD, str(folder))
    foreign = {"CNAME": b"me.example", "projects/x/notes.txt": b"mine", "own/deep/file": b"mine"}
    put(folder, foreign)
    commit(NEW, str(folder))
    assert published(folder) == {**NEW, **foreign}
    assert set(commit({}, str(folder)).removed) == set(NEW)
    assert published(folder) == foreign


def test_a_stale_file_that_somebody_changed_stays(folder: Path) -> None:
    commit(OLD, str(folder))
    put(folder, {"projects/x/index.html": b"by hand"})
    assert "projects/x/index.html" not in commit(NEW, str(folder)).removed
    assert published(folder) == {**NEW, "projects/x/index.html": b"by hand"}


def test_a_file_of_ours_that_somebody_changed_is_made_again(folder: Path) -> None:
    commit(OLD, str(folder))
    put(folder, {"index.html": b"by hand!"})
    (folder / "robots.txt").unlink()
    assert set(commit(OLD, str(folder)).written) == {"index.html", "robots.txt"}
    assert published(folder) == OLD


def test_a_stale_file_that_is_gone_already_is_no_fault(folder: Path) -> None:
    commit(OLD, str(folder))
    shutil.rmtree(folder / "projects")
    commit(NEW, str(folder))
    assert published(folder) == NEW


def test_a_file_may_become_a_folder_and_a_folder_a_file(folder: Path) -> None:
    commit({"a": b"1", "b/c/d": b"2", "b/e": b"3"}, str(folder))
    commit({"a/x/y": b"4", "b": b"5"}, str(folder))
    assert published(folder) == {"a/x/y": b"4", "b": b"5"}


def test_the_manifest_lists_our_files_sorted_and_without_a_clock(folder: Path) -> None:
    commit({"b.html": b"b", "a/c.html": b"c", "B.txt": b""}, str(folder))
    first = (folder / MANIFEST).read_bytes()
    assert first.decode() == (
        "{\n"
        f' "format": {FORMAT},\n'
        ' "files": {\n'
        '  "B.txt": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",\n'
        '  "a/c.html": "2e7d2c03a9507ae265ecf5b5356885a53393a2029d241394997265a1a25aefc6",\n'
        '  "b.html": "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"\n'
        " }\n"
        "}\n"
    )
    commit(OLD, str(folder))
    commit({"B.txt": b"", "a/c.html": b"c", "b.html": b"b"}, str(folder))
    assert (folder / MANIFEST).read_bytes() == first


def test_a_manifest_that_was_changed_is_written_again(folder: Path) -> None:
    commit(OLD, str(folder))
    before = (folder / MANIFEST).read_bytes()
    (folder / MANIFEST).write_bytes(before.replace(b"\n", b"\r\n"))
    commit(OLD, str(folder))
    assert (folder / MANIFEST).read_bytes() == before


# --- what a commit refuses ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "..",
        "../x",
        "/x",
        "//x",
        "a/../../x",
        "a/../x",
        "./x",
        "a//x",
        "a/",
        "a\\x",
        "a\0x",
        "C:x",
        "C:/x",
        MANIFEST,
        f"{WORK_FOLDER}/x",
        f"{MANIFEST}/x",
    ],
)
def test_an_unsafe_path_is_refused(path: str, folder: Path) -> None:
    commit(OLD, str(folder))
    assert refusals({**OLD, path: b"x"}, folder) == [f'the path "{path}" may not be written']


def test_two_files_that_differ_in_capitals_are_refused(folder: Path) -> None:
    assert refusals({"a/X.html": b"", "a/x.html": b""}, folder) == [
        '"a/x.html" and "a/X.html" are one file where capitals do not count'
    ]


def test_a_path_that_would_be_a_file_and_a_folder_is_refused(folder: Path) -> None:
    assert refusals({"a/b": b"", "a/b/c/d": b""}, folder) == ['"a/b" would be a file and a folder']


def test_a_foreign_file_where_a_page_belongs_is_refused(folder: Path) -> None:
    commit(OLD, str(folder))
    put(folder, {"projects/z/index.html": b"mine", "icons/favicon.svg": b"mine"})
    said = "a file that is not ours stands where a page belongs"
    assert refusals(NEW, folder) == [
        f"icons/favicon.svg: {said}",
        f"projects/z/index.html: {said}",
    ]


def test_a_foreign_file_that_is_the_same_is_no_fault(folder: Path) -> None:
    """It becomes ours: nothing of anybody's is lost."""
    commit(OLD, str(folder))
    put(folder, {"projects/z/index.html": b"z"})
    assert "projects/z/index.html" not in commit(NEW, str(folder)).written
    assert published(folder) == NEW


def test_a_foreign_file_where_a_folder_belongs_is_refused(folder: Path) -> None:
    commit({"index.html": b""}, str(folder))
    put(folder, {"projects": b"mine"})
    assert refusals(OLD, folder) == [
        "projects: a file that is not ours stands where a folder belongs"
    ]


@pytest.mark.parametrize("inner", ["mine.txt", "deep/mine.txt", ""])
def test_a_foreign_folder_where_a_page_belongs_is_refused(inner: str, folder: Path) -> None:
    commit(OLD, str(folder))
    (folder / "icons/favicon.svg").mkdir(parents=True)
    if inner:
        put(folder, {f"icons/favicon.svg/{inner}": b"mine"})
    assert refusals(NEW, folder) == [
        "icons/favicon.svg: a file that is not ours stands where a page belongs"
    ]


def test_a_folder_of_ours_with_a_foreign_file_does_not_become_a_file(folder: Path) -> None:
    commit({"b/c": b"2"}, str(folder))
    put(folder, {"b/mine": b"mine"})
    assert refusals({"b": b"5"}, folder) == [
        "b: a file that is not ours stands where a page belongs"
    ]


@pytest.mark.parametrize("path", ["index.html", "projects", WORK_FOLDER])
def test_a_link_inside_the_folder_is_not_followed(path: str, folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    put(outside, {"y/index.html": b"theirs"})
    commit(OLD, str(folder))
    place = folder / path
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.symlink_to(outside / "y/index.html" if path == "index.html" else outside)
    (said,) = refusals(NEW, folder)
    assert said.startswith(f"{path}: a ")
    assert files_below(outside) == {"y/index.html": b"theirs"}


def test_a_stale_file_behind_a_link_is_not_removed(folder: Path, tmp_path: Path) -> None:
    """Nothing outside of the output folder is ever deleted."""
    commit(OLD, str(folder))
    (folder / "projects").rename(tmp_path / "moved")
    (folder / "projects").symlink_to(tmp_path / "moved")
    changes = commit({"index.html": b"alone"}, str(folder))
    assert not any(path.startswith("projects/") for path in changes.removed)
    assert set(files_below(tmp_path / "moved")) == {"x/index.html", "y/index.html", "y/plan.pdf"}


def test_a_stale_file_that_became_a_link_is_not_removed(folder: Path, tmp_path: Path) -> None:
    commit(OLD, str(folder))
    put(tmp_path, {"x": b"x"})
    (folder / "projects/x/index.html").unlink()
    (folder / "projects/x/index.html").symlink_to(tmp_path / "x")
    assert "projects/x/index.html" not in commit(NEW, str(folder)).removed
    assert (folder / "projects/x/index.html").is_symlink()


def test_what_the_system_refuses_is_told_and_the_manifest_stays(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(OLD, str(folder))
    before = (folder / MANIFEST).read_bytes()

    def full(self: Path, _data: bytes) -> int:
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError, match="cannot be written: No space left on device") as caught:
        commit(NEW, str(folder))
    assert str(caught.value.source).startswith(str(folder))
    assert (folder / MANIFEST).read_bytes() == before
    assert published(folder) == OLD


# --- a killed commit ----------------------------------------------------------------------------


class Killed(BaseException):
    """Stands for a signal that no handler sees."""


STEPS: tuple[tuple[object, str], ...] = (
    (Path, "replace"),
    (Path, "unlink"),
    (Path, "rmdir"),
    (Path, "mkdir"),
    (Path, "write_bytes"),
    (shutil, "rmtree"),
)


def killed(outputs: Outputs, folder: Path, step: int) -> bool:
    """Commit and be killed before the given step on the disk; False where there are less steps."""
    with pytest.MonkeyPatch.context() as patch:
        left = [step]

        def counted(work: Callable[..., object]) -> Callable[..., object]:
            def count(*args: object, **options: object) -> object:
                left[0] -= 1
                if left[0] == 0:
                    raise Killed
                return work(*args, **options)

            return count

        for holder, name in STEPS:
            patch.setattr(holder, name, counted(getattr(holder, name)))
        try:
            commit(outputs, str(folder))
        except Killed:
            return True
    return False


def kill_everywhere(
    prepare: Callable[[Path], None], outputs: Outputs, tmp_path: Path
) -> list[Path]:
    """Give a folder for every step before which a commit was killed."""
    folders: list[Path] = []
    while True:
        folder = tmp_path / f"killed-{len(folders) + 1}"
        prepare(folder)
        if not killed(outputs, folder, len(folders) + 1):
            assert published(folder) == outputs
            return folders
        folders.append(folder)


def old_site(folder: Path) -> None:
    commit(OLD, str(folder))


def test_a_killed_commit_leaves_every_file_old_or_new(tmp_path: Path) -> None:
    folders = kill_everywhere(old_site, NEW, tmp_path)
    assert len(folders) > 2 * len(NEW)
    for folder in folders:
        for path, data in published(folder).items():
            if not path.startswith(WORK_FOLDER):
                assert data in {OLD.get(path), NEW.get(path)}
        for path in OLD.keys() & NEW.keys():
            assert (folder / path).exists()


@pytest.mark.parametrize("outputs", [NEW, OLD, {}, {"projects": b"a file now"}])
def test_the_commit_after_a_killed_one_gives_the_fresh_tree(
    outputs: Outputs, tmp_path: Path
) -> None:
    """The same after every step, whatever is built next: no leftover, no empty folder."""
    commit(outputs, str(tmp_path / "fresh"))
    fresh = files_below(tmp_path / "fresh")
    for folder in kill_everywhere(old_site, NEW, tmp_path):
        refuse_dangerous(str(folder), str(tmp_path / "site"))
        commit(outputs, str(folder))
        assert files_below(folder) == fresh
        assert not (folder / WORK_FOLDER).exists()
        assert all(any(path.iterdir()) for path in folder.rglob("*") if path.is_dir())


def test_a_first_commit_that_was_killed_is_healed_too(tmp_path: Path) -> None:
    for folder in kill_everywhere(lambda _: None, NEW, tmp_path):
        refuse_dangerous(str(folder), str(tmp_path / "site"))
        commit(OLD, str(folder))
        assert published(folder) == OLD


def test_a_commit_that_is_killed_twice_is_healed(tmp_path: Path) -> None:
    """The second journal must not forget what the first commit may have written."""
    third = {"index.html": b"third", "projects/y/index.html": b"third"}
    for step in range(1, 30):
        folder = tmp_path / f"twice-{step}"
        commit(OLD, str(folder))
        killed(NEW, folder, step)
        killed(third, folder, 4)
        commit({"robots.txt": b"same"}, str(folder))
        assert published(folder) == {"robots.txt": b"same"}


def test_foreign_files_stay_through_a_killed_commit(tmp_path: Path) -> None:
    def prepare(folder: Path) -> None:
        commit(OLD, str(folder))
        put(folder, {"CNAME": b"mine", "projects/x/mine": b"mine"})

    wanted = {**NEW, "CNAME": b"mine", "projects/x/mine": b"mine"}
    for step in range(1, 20):
        folder = tmp_path / str(step)
        prepare(folder)
        killed(NEW, folder, step)
        commit(NEW, str(folder))
        assert published(folder) == wanted


# --- folders that are not ours ------------------------------------------------------------------


@pytest.fixture
def source(tmp_path: Path) -> Path:
    put(tmp_path / "home/site", {"content/site.yaml": b"", "templates/x.html": b"", "README": b""})
    return tmp_path / "home/site"


def refusal(output: Path, source: Path) -> str:
    before = files_below(source)
    with pytest.raises(UsageError) as caught:
        refuse_dangerous(str(output), str(source))
    assert caught.value.hint
    assert files_below(source) == before
    return caught.value.message.replace(f"the output folder {output} ", "")


@pytest.mark.parametrize("place", ["dist", "content2", "deep/down/dist", "../dist"])
def test_a_folder_that_is_not_there_yet_is_fine(place: str, source: Path) -> None:
    refuse_dangerous(str(source / place), str(source))
    assert not (source / place).exists()


def test_an_empty_folder_is_fine(source: Path) -> None:
    (source / "dist").mkdir()
    refuse_dangerous(str(source / "dist"), str(source))


def test_a_folder_that_we_wrote_is_fine(source: Path) -> None:
    commit(OLD, str(source / "dist"))
    put(source / "dist", {"CNAME": b"mine"})
    refuse_dangerous(str(source / "dist"), str(source))


@pytest.mark.parametrize("place", [".", "..", "../..", "/"])
def test_the_source_and_what_holds_it_is_refused(place: str, source: Path) -> None:
    """Even where a manifest says that it is ours."""
    if place in {".", ".."}:
        put(source / place, {MANIFEST: b'{"format": 1, "files": {}}'})
    output = Path(os.path.normpath(source / place))
    assert refusal(output, source) == "holds more than a site"


def test_the_home_folder_is_refused(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "ada"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    assert refusal(home, source) == "holds more than a site"


@pytest.mark.parametrize("name", ["content", "templates", "static"])
@pytest.mark.parametrize("inner", ["", "/deep/dist"])
def test_a_folder_of_the_sources_is_refused(name: str, inner: str, source: Path) -> None:
    assert refusal(source / (name + inner), source) == f"lies inside {name}/"


def test_a_folder_of_the_sources_is_refused_behind_a_link_too(source: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(source / "content")
    assert refusal(tmp_path / "link/dist", source) == "lies inside content/"


def test_a_link_is_refused(source: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (source / "dist").symlink_to(tmp_path / "real")
    assert refusal(source / "dist", source) == "is a link"
    (source / "dangling").symlink_to(tmp_path / "nowhere")
    assert refusal(source / "dangling", source) == "is a link"


def test_a_file_is_refused(source: Path) -> None:
    assert refusal(source / "README", source) == "is not a folder"


NOT_OURS = f"is not empty and has no readable {MANIFEST}, so it is not ours"


def test_a_full_folder_of_somebody_else_is_refused(source: Path) -> None:
    put(source / "dist", {"thesis.doc": b"years of work"})
    assert refusal(source / "dist", source) == NOT_OURS


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b"\xff",
        b'{"format": 1}',
        b'{"format": 2, "files": {}}',
        b'{"format": 1, "files": {"a": 1}}',
        b'{"format": 1, "files": {"../a": "00"}}',
        b'{"format": 1, "files": {"/a": "00"}}',
    ],
)
def test_a_damaged_manifest_makes_no_folder_ours(manifest: bytes, source: Path) -> None:
    put(source / "dist", {MANIFEST: manifest, "thesis.doc": b"years of work"})
    assert refusal(source / "dist", source) == NOT_OURS


def test_a_folder_for_temporary_files_makes_no_folder_ours(source: Path) -> None:
    put(source / "dist", {f"{WORK_FOLDER}/next": b"", "thesis.doc": b"years of work"})
    assert refusal(source / "dist", source) == NOT_OURS


# --- two commits at once ------------------------------------------------------------------------


def test_commits_at_once_do_not_mix(tmp_path: Path) -> None:
    """Whoever comes last wins whole: every file and the manifest are of one of the two."""
    folder = tmp_path / "dist"
    sites = [
        {f"p{number:02}/index.html": f"{word} {number}".encode() * 50 for number in range(40)}
        for word in ("one", "other")
    ]
    with ThreadPoolExecutor(max_workers=4) as pool:
        for _ in range(5):
            list(pool.map(lambda site: commit(site, str(folder)), sites * 2))
            found = {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in folder.rglob("*.html")
            }
            assert found in sites
            digests = json.loads((folder / MANIFEST).read_bytes())["files"]
            assert digests == {
                path: hashlib.sha256(data).hexdigest() for path, data in found.items()
            }
            assert not (folder / WORK_FOLDER).exists()


def test_a_name_that_no_file_system_takes_is_refused_before_anything_moves(tmp_path: Path) -> None:
    folder = str(tmp_path / "dist")
    commit({"a.html": b"old"}, folder)
    with pytest.raises(SiteErrors, match="may not be written"):
        commit({"a.html": b"new", f"{'g' * 300}/index.html": b"x"}, folder)
    assert (tmp_path / "dist" / "a.html").read_bytes() == b"old"


def test_a_folder_that_cannot_be_made_ends_the_commit(tmp_path: Path) -> None:
    """Waiting for another process is not endless where there is none."""
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    with pytest.raises(OutputError, match="cannot be written"):
        commit({"a.html": b"a"}, str(tmp_path / "gone" / "dist"))


# --- a folder that is only looked at ------------------------------------------------------------


def test_a_folder_that_was_just_built_does_not_differ(folder: Path) -> None:
    commit(OLD, str(folder))
    assert differences(OLD, str(folder), str(folder.parent)) == ([], [])


def test_every_way_in_which_a_folder_differs_is_told_and_nothing_is_written(folder: Path) -> None:
    built = {"gone.html": b"x", "same.html": b"s", "other.html": b"o", "late.txt": b"l"}
    commit(built, str(folder))
    (folder / "same.html").unlink()
    put(folder, {"other.html": b"changed by hand", ".env": b"secret", "deep/own.txt": b""})
    before = published(folder)
    made = {"same.html": b"s", "other.html": b"o", "late.txt": b"later", "new/a.html": b"n"}
    errors, notices = differences(made, str(folder), str(folder.parent))
    assert [str(error).removeprefix("dist/") for error in errors] == [
        "new/a.html: the file is missing",
        "same.html: the file is missing",
        "gone.html: the file is no longer made",
        "late.txt: the file is not what the site's files give",
        "other.html: the file is not what the site's files give",
    ]
    assert all(error.hint == "build the site again" for error in errors)
    assert [notice.source.removeprefix("dist/") for notice in notices] == [
        ".env",
        "deep/own.txt",
    ]
    assert published(folder) == before


@pytest.mark.parametrize("files", [None, {}, {"index.html": b""}, {MANIFEST: b"{"}])
def test_a_folder_that_no_build_wrote_is_not_compared(
    files: dict[str, bytes] | None, folder: Path
) -> None:
    if files is not None:
        folder.mkdir(exist_ok=True)
        put(folder, files)
    with pytest.raises(UsageError, match="has no readable"):
        differences(OLD, str(folder), str(folder.parent))
