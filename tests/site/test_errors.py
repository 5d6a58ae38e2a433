"""Bad input: a sentence with its place, the right exit code, and the last site untouched."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.site.console import Batcher

GOOD = {
    "content/projects/p.md": "---\ntitle: Paged\nsummary: It pages.\n---\nText.\n",
    "content/writing/w.md": "---\ntitle: Long\ndate: 2026-11-30\n---\nText.\n",
}
TWICE = '{"id": "a", "prompt": 1, "output": 1, "arrival": 0}'
SETTINGS = "title: T\nowner:\n  name: Ada\n  role: Tests\n  pitch: A pitch.\n"


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file of a folder with its bytes and the moment of its last change."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("files", "problem", "hint"),
    [
        (
            {"content/projects/p.md": "---\ntitle: Paged: fast\nsummary: x\n---\n"},
            "content/projects/p.md:2:13: a text with a colon and a space in it needs quotes",
            'write title: "Paged: fast"',
        ),
        (
            {"content/now.yaml": "month: 2026-11\nitems: [1, 2\nx: y\n"},
            "content/now.yaml:2:8: not valid YAML: ",
            "check the indentation",
        ),
        (
            {"content/site.yaml": SETTINGS.replace("  role", "\trole")},
            "content/site.yaml:4:1: indented by a tab; YAML needs spaces",
            "put two spaces where the tab is",
        ),
        (
            {"content/projects/p.md": "---\ntitle: A\nsummary: x\ntitle: B\n---\n"},
            'content/projects/p.md:4:1: the key "title" stands here again (first on line 2)',
            "keep one of the two",
        ),
        (
            {"content/projects/p.md": "---\ntitle: A\nsumary: x\n---\n"},
            'content/projects/p.md:3:1: unknown key "sumary"',
            'did you mean "summary"?',
        ),
        (
            {"content/site.yaml": f"{SETTINGS}lanuage: en\n"},
            'content/site.yaml:6:1: unknown key "lanuage"',
            'did you mean "language"?',
        ),
        (
            {"content/projects/p.md": "---\ntitle: A\nsummary: x\norder: first\n---\n"},
            'content/projects/p.md:4:8: order: expected a whole number, got "first"',
            "write digits only",
        ),
        (
            {"content/projects/p.md": "---\ntitle: A\nsummary: x\nstatus: dome\n---\n"},
            (
                "content/projects/p.md:4:9: status: expected one of done, in-progress, planned,"
                ' got "dome"'
            ),
            'did you mean "done"?',
        ),
        (
            {"content/projects/p.md": "---\ntitle: A\nsummary: x\nText without an end\n"},
            "content/projects/p.md:1:1: the front matter opens here and does not close",
            'add a line "---" at its end',
        ),
        (
            {"content/projects/p.md": "# Only a text\n"},
            "content/projects/p.md:1:1: the file has no front matter",
            'begin the file with a line "---"',
        ),
        (
            {"content/projects/p.md": "---\n- a\n- list\n---\n"},
            "content/projects/p.md:2:1: the front matter is a list, not a mapping",
            "write keys and values",
        ),
        (
            {"content/projects/p.md": f"{GOOD['content/projects/p.md']}[x](gone.md)\n"},
            'content/projects/p.md:6:5: the link "gone.md" leads nowhere',
            None,
        ),
        (
            {"content/writing/w/index.md": GOOD["content/writing/w.md"]},
            (
                "content/writing/w/index.md:1:1: this file and content/writing/w.md both claim the"
                ' address "w"'
            ),
            "rename one of the two",
        ),
        (
            {"templates/writing.html": "<h1>{{ writing.card.title }}</h1>\n{{ writing.autor }}\n"},
            "templates/writing.html:2: ",
            "found while rendering /writing/w/ from content/writing/w.md",
        ),
        (
            {"content/about.md": b"---\n---\nGr\xfc\xdfe\n"},
            "content/about.md:3:3: not UTF-8: the byte 0xFC",
            "save the file as UTF-8",
        ),
        (
            {"content/site.yaml": SETTINGS.encode("utf-16")},
            "content/site.yaml:1:1: not UTF-8: the byte 0xFF",
            "save the file as UTF-8",
        ),
        (
            {"content/projects/Q.MD": GOOD["content/projects/p.md"]},
            "content/projects/Q.MD:1:1: nothing reads this file",
            None,
        ),
        (
            {
                "content/projects/e-1.md": GOOD["content/projects/p.md"],
                "content/open_source.yaml": (
                    "- {repository: E, number: 1, title: T, month: 2026-11, status: open}\n"
                ),
            },
            'content/projects/e-1.md: the name "e-1" is that of a pull request',
            "rename the file",
        ),
        (
            {"content/site.yaml": f"{SETTINGS}url: 'https://:80/'\n"},
            'content/site.yaml: "https://:80/" is not the address of a site',
            "write it whole",
        ),
        (
            {"content/projcts/p.md": GOOD["content/projects/p.md"]},
            "content/projcts/p.md:1:1: nothing reads this file",
            "did you mean content/projects/p.md?",
        ),
        (
            {"content/site.yaml": f"{SETTINGS}timezone: Europe/Berlinn\n"},
            'content/site.yaml:6:11: there is no time zone "Europe/Berlinn"',
            'write a name such as "Europe/Berlin"',
        ),
        (
            {"content/site.yaml": f"{SETTINGS}sections: [{{id: wrk, title: W}}]\n"},
            'content/site.yaml:6:17: there is no section "wrk"',
            'did you mean "work"?',
        ),
        (
            {"content/notes/notes.yaml": "- {topic: T, title: N, file: n.pdf}\n"},
            'content/notes/notes.yaml:1:30: there is no PDF "n.pdf" beside the notes',
            "put the file into content/notes/",
        ),
        (
            {
                "content/projects/p.md": "---\ntitle: A\nsummary: x\ncover: c.png\n---\n",
            },
            'content/projects/p.md:4:8: there is no picture "c.png"',
            "looked for content/projects/c.png",
        ),
        (
            {"content/writing/w.md": "---\ntitle: L\ndate: 2026-02-30\n---\n"},
            (
                "content/writing/w.md:3:7: date: expected a date (YYYY, YYYY-MM or YYYY-MM-DD),"
                ' got "2026-02-30"'
            ),
            "such as 2026-10-05",
        ),
        (
            {"content/projects/p.md": "---\ntitle: &a A\nsummary: *a\n---\n"},
            "content/projects/p.md:2:8: anchors (&) and aliases (*) are not read",
            "write the value out",
        ),
        (
            {"content/writing/w.md": f"{GOOD['content/writing/w.md']}\n<script>x</script>\n"},
            "content/writing/w.md:7:1: <script> is not published",
            "delete it",
        ),
    ],
)
def test_a_fault_is_told_with_its_place_and_the_last_site_stays(
    site: Callable[..., Path],
    batcher: Batcher,
    files: dict[str, str | bytes],
    problem: str,
    hint: str | None,
) -> None:
    folder = site(GOOD)
    assert batcher("build", "--source", folder).code == 0
    before = snapshot(folder / "dist")

    answer = batcher("build", "--source", site({**GOOD, **files}))

    assert answer.code == 1
    assert answer.out == ""
    assert problem in answer.err
    assert hint is None or f"hint: {hint}" in answer.err
    assert "Traceback" not in answer.err
    assert snapshot(folder / "dist") == before


def test_a_folder_without_content_is_told(tmp_path: Path, batcher: Batcher) -> None:
    answer = batcher("build", "--source", tmp_path)
    assert answer.code == 1
    assert answer.err == (
        f'content: there is no folder "content" in {tmp_path}\n'
        '  hint: name the site\'s folder with --source, or make one with "batcher new DIR"\n'
    )
    assert list(tmp_path.iterdir()) == []


def test_an_empty_content_folder_is_told_with_what_was_found(
    tmp_path: Path, batcher: Batcher
) -> None:
    (tmp_path / "content").mkdir()
    answer = batcher("build", "--source", tmp_path)
    assert answer.code == 1
    assert answer.err.startswith("content/site.yaml: there is no settings file\n")
    assert f"looked in {tmp_path / 'content'} and found no file" in answer.err


def test_all_faults_of_all_files_are_told_at_once(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    """Five in one file, two of them inside its metrics, and one in each of two others."""
    faulty = """\
---
titel: Paged
summary: [a, list]
date: yesterday
metrics:
  - label: Speed
    values: [{value: "fast"}]
  - label: Size
    values: [{value: 3, unitt: GB}]
---
"""
    answer = batcher(
        "build",
        "--source",
        site(
            {
                "content/projects/p.md": faulty,
                "content/now.yaml": "month: 2026-13\nitems: []\n",
                "content/about.md": "---\nfacts: none\n---\n",
            }
        ),
    )
    assert answer.code == 1
    places = [line.split(": ")[0] for line in answer.err.splitlines() if line[:8] == "content/"]
    assert places == [
        "content/about.md:2:8",
        "content/now.yaml:1:8",
        "content/projects/p.md:2:1",
        "content/projects/p.md:2:1",
        "content/projects/p.md:3:10",
        "content/projects/p.md:4:7",
        "content/projects/p.md:7:22",
        "content/projects/p.md:9:25",
    ]
    assert answer.err.endswith("8 problems\n")


@pytest.mark.parametrize("name", ["notes.txt", "index.html", ".git/HEAD"])
def test_an_output_folder_that_is_not_ours_is_refused(
    site: Callable[..., Path], batcher: Batcher, tmp_path: Path, name: str
) -> None:
    theirs = tmp_path / "theirs" / name
    theirs.parent.mkdir(parents=True)
    theirs.write_text("precious")
    before = snapshot(tmp_path / "theirs")
    answer = batcher("build", "--source", site(GOOD), "--output", tmp_path / "theirs")
    assert answer.code == 2
    assert "is not empty and has no readable .batcher-manifest.json" in answer.err
    assert snapshot(tmp_path / "theirs") == before


@pytest.mark.parametrize("output", [".", "content", "content/x", "templates", "static/css", ".."])
def test_an_output_folder_that_holds_sources_is_refused(
    site: Callable[..., Path], batcher: Batcher, output: str
) -> None:
    folder = site(GOOD)
    before = snapshot(folder)
    answer = batcher("build", "--source", folder, "--output", folder / output)
    assert answer.code == 2
    assert "hint: " in answer.err
    assert snapshot(folder) == before


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["biuld"],
        ["build", "--no-such-option"],
        ["build", "--date", "yesterday"],
        ["new"],
        ["simulate"],
        ["simulate", "no-such-file.json"],
    ],
)
def test_a_wrong_use_ends_with_two(batcher: Batcher, arguments: list[str]) -> None:
    answer = batcher(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    "workload",
    [
        "",
        "[]",
        "{}",
        '{"requests": [{"id": "a"}]}',
        '{"requests": [], "config": {"slotz": 4}}',
        '{"requests": [{"id": "a", "prompt": 1, "output": 1, "arrival": 0, "x": 1}]}',
        f'{{"requests": [{TWICE}, {TWICE}]}}',
        '{"requests": [{"id": "a", "prompt": -1, "output": 1}]}',
    ],
)
def test_a_workload_that_is_not_valid_ends_with_one(
    tmp_path: Path, batcher: Batcher, workload: str
) -> None:
    file = tmp_path / "workload.json"
    file.write_text(workload)
    answer = batcher("simulate", file)
    assert answer.code == 1
    assert answer.out == ""
    assert str(file) in answer.err
    assert "Traceback" not in answer.err


def test_a_fault_of_the_program_ends_with_three(
    site: Callable[..., Path], batcher: Batcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner sees that it is not the site's, and the reporter gets the traceback."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("batcher_site.pages.plan", broken)
    answer = batcher("build", "--source", site(GOOD))
    assert answer.code == 3
    assert "ZeroDivisionError: a bug" in answer.err
    assert "this is a fault of batcher-site, not of your site" in answer.err


def test_check_finds_what_a_build_refuses_and_writes_nothing(
    site: Callable[..., Path], batcher: Batcher
) -> None:
    folder = site({**GOOD, "content/now.yaml": "month: soon\nitems: []\n"})
    before = snapshot(folder)
    build = batcher("build", "--source", folder, "--no-cache")
    check = batcher("check", "--source", folder)
    assert (check.code, check.err) == (build.code, build.err) == (1, build.err)
    assert snapshot(folder) == before
