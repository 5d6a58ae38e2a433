"""Builds: "after any edits the bytes, or the faults, are those of a fresh build"."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from batcher_site.__main__ import main
from tests.conftest import SETTINGS, write_files
from tests.property.trees import files_below

PAST_A_TICK = 0.06
names = st.sampled_from(["a", "b", "c"])
words = st.sampled_from(["One", "Two", "Six"])  # of one length: an edit may keep the file's size
tags = st.sampled_from(["", "x", "y, X", "Z"])
days = st.sampled_from(["", "2026-11-30", "2026-12-01", "2026-12-02", "2027-01"])
bodies = st.sampled_from(
    [
        "Text.",
        "## Part\n\n`code`",
        "```python\nx = 1\n```",
        "[a](a.md)",
        "[b](../projects/b.md#part)",
        "[w](../writing/a.md)",
        "[pdf](file.pdf)",
        "![p](pic.png)",
        "<b>x</b>",
        "<script>",
    ]
)
front_matters = st.builds(
    lambda title, tag, day, draft: (
        f"title: {title}\nsummary: About {title}.\ntags: [{tag}]\n{draft}"
        + (f"date: {day}\n" if day else "")
    ),
    words,
    tags,
    days,
    st.sampled_from(["", "", "draft: true\n"]),
)


class Edits(RuleBasedStateMachine):
    """A site, its owner, and after each edit two builds: one goes on, one is fresh."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.site = write_files(self.folder / "site", {"content/site.yaml": SETTINGS})
        self.today = "2026-12-01"
        self.options: list[str] = []
        self.build()

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def write(self, name: str, text: str) -> None:
        write_files(self.site, {name: text})
        self.build()

    def run(self, *more: str) -> tuple[int, str]:
        """Build and give the exit code and what was said of faults."""
        out, err = StringIO(), StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = main(
                ["build", "--source", str(self.site), "--date", self.today, *self.options, *more]
            )
        return code, err.getvalue()

    def build(self) -> None:
        fresh = self.folder / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        expected = self.run("--no-cache", "--output", str(fresh))
        assert self.run() == expected
        if expected[0] == 0:
            assert files_below(self.site / "dist") == files_below(fresh)

    @rule(name=names, front=front_matters, body=bodies)
    def change_a_project(self, name: str, front: str, body: str) -> None:
        self.write(f"content/projects/{name}.md", f"---\n{front}---\n{body}\n")

    @rule(name=names, title=words, tag=tags, day=days.filter(bool), body=bodies)
    def change_a_writing(self, name: str, title: str, tag: str, day: str, body: str) -> None:
        front = f"title: {title}\ndate: {day}\ntags: [{tag}]"
        self.write(f"content/writing/{name}.md", f"---\n{front}\n---\n{body}\n")

    @rule(text=st.sampled_from(["Me.", "About [a](projects/a.md)."]))
    def change_the_about_text(self, text: str) -> None:
        self.write("content/about.md", f"---\nfacts: [One fact]\n---\n{text}\n")

    @rule(name=names, folder=st.sampled_from(["projects", "writing"]))
    def delete_a_text(self, name: str, folder: str) -> None:
        (self.site / "content" / folder / f"{name}.md").unlink(missing_ok=True)
        self.build()

    @rule(name=names, other=names, folder=st.sampled_from(["projects", "writing"]))
    def rename_a_text(self, name: str, other: str, folder: str) -> None:
        file = self.site / "content" / folder / f"{name}.md"
        if file.exists():
            file.rename(file.with_name(f"{other}.md"))
        self.build()

    @rule(name=names, one=words, other=words)
    def change_a_word_and_keep_size_and_time(self, name: str, one: str, other: str) -> None:
        file = self.site / f"content/projects/{name}.md"
        if file.exists():
            status = file.stat()
            file.write_text(file.read_text().replace(one, other))
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.build()

    @rule(title=words, status=st.sampled_from(["open", "merged", "lost"]))
    def change_a_file_of_data(self, title: str, status: str) -> None:
        item = f"repository: r\n  number: 1\n  title: {title}\n  month: 2026-11\n  status: {status}"
        self.write("content/open_source.yaml", f"- {item}\n")

    @rule(title=words, more=st.sampled_from(["", "simulation: {include: 0}\n", "language: de\n"]))
    def change_the_settings(self, title: str, more: str) -> None:
        self.write("content/site.yaml", SETTINGS.replace("Test site", title) + more)

    @rule(
        name=st.sampled_from(["projects/file.pdf", "writing/pic.png", "projects/pic.png"]),
        data=st.sampled_from(["one", "two", ""]),
    )
    def change_a_file_beside_the_texts(self, name: str, data: str) -> None:
        file = self.site / "content" / name
        if data:
            write_files(self.site, {f"content/{name}": data})
        else:
            file.unlink(missing_ok=True)
        self.build()

    @rule(
        name=st.sampled_from(["tag.html", "not_found.html", "macros/link.html"]),
        mark=st.sampled_from(["one", "two", "{{ nothing }}", ""]),
    )
    def change_a_template(self, name: str, mark: str) -> None:
        file = self.site / "templates" / name
        theme = Path(__file__).parents[2] / "templates" / name
        if mark:
            write_files(self.site, {f"templates/{name}": f"{theme.read_text()}<!-- {mark} -->\n"})
        else:
            file.unlink(missing_ok=True)
        self.build()

    @rule(
        name=st.sampled_from(["css/custom.css", "css/tokens.css", "js/playhead.js", "x.txt"]),
        data=st.sampled_from([".a { top: 1px }", ".b { top: 1px }", ".c {", ""]),
    )
    def change_a_static_file(self, name: str, data: str) -> None:
        if data:
            write_files(self.site, {f"static/{name}": data})
        else:
            (self.site / "static" / name).unlink(missing_ok=True)
        self.build()

    @rule(day=st.sampled_from(["2026-11-01", "2026-12-01", "2026-12-05", "2027-02-01"]))
    def set_the_clock(self, day: str) -> None:
        self.today = day
        self.build()

    @rule(
        more=st.sampled_from(
            [[], ["--drafts"], ["--future"], ["--base-url", "https://o.example/x/"]]
        )
    )
    def ask_in_another_way(self, more: list[str]) -> None:
        self.options = more
        self.build()

    @rule(data=st.data())
    def alter_the_output_by_hand(self, data: st.DataObject) -> None:
        files = sorted((self.site / "dist").rglob("*.html"))
        file = data.draw(st.sampled_from(files)) if files else None
        if file and data.draw(st.booleans()):
            file.unlink()
        elif file:
            file.write_text("by hand")
        self.build()

    @rule(name=st.sampled_from(["memo.sqlite3", "unchanged"]), size=st.sampled_from([0, 500, 9000]))
    def damage_the_cache(self, name: str, size: int) -> None:
        file = self.site / ".batcher-cache" / name
        if file.exists():
            os.truncate(file, min(size, file.stat().st_size))
        self.build()

    @rule()
    def build_again_after_a_while(self) -> None:
        """Times are trusted by now: a build after which nothing has changed ends early."""
        time.sleep(PAST_A_TICK)
        self.build()
        self.build()


def run_edits(examples: int, steps: int) -> Callable[[], None]:
    """Give a test of so many chains of so many edits."""
    machine = Edits.TestCase
    machine.settings = settings(max_examples=examples, stateful_step_count=steps, deadline=None)
    return machine("runTest").runTest


@pytest.mark.slow
def test_a_build_after_any_edits_gives_what_a_fresh_one_gives() -> None:
    run_edits(examples=8, steps=12)()
