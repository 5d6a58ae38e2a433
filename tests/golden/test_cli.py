"""
Console transcripts: `cli/*.md` show what is typed and what is answered.

A transcript is Markdown. A fenced block that opens with `file PATH` writes a file. One that opens
with `console` holds commands, each on a line that begins with `$ batcher`, and below it what the
command answered: standard output, then lines of standard error behind `! `, then the exit code as
`? n` where it is not 0. Seconds are written `0.00 s`, milliseconds `0.0 ms`.
"""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from batcher_site.__main__ import main

TRANSCRIPTS = sorted((Path(__file__).parent / "cli").glob("*.md"))
_BLOCK = re.compile(r"^```(file|console) ?(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_VOLATILE = (
    (re.compile(r"^ +\d+\.\d ms  /.*\n", re.MULTILINE), ""),  # which pages are slow differs
    (re.compile(r"\b\d+\.\d\d s\b"), "0.00 s"),
    (re.compile(r" +\d+\.\d ms"), " 0.0 ms"),
    (re.compile(r"\(choose from .*\)"), "(choose from …)"),  # Python 3.14 leaves the quotes out
)


def commands(block: str) -> Iterator[str]:
    """Give the commands of a console block."""
    yield from re.findall(r"^\$ (.+)$", block, re.MULTILINE)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript_is_what_the_command_line_answers(
    path: Path,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")  # argparse folds its help to the terminal

    def play(match: re.Match[str]) -> str:
        kind, name, body = match.groups()
        if kind == "console":
            body = "\n".join(_answer(command, capsys, tmp_path) for command in commands(body))
        else:
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(body, encoding="utf-8")
        return f"```{kind}{f' {name}' if name else ''}\n{body}```"

    written = path.read_text(encoding="utf-8")
    answered = _BLOCK.sub(play, written)
    if request.config.getoption("--update-golden", default=False):
        path.write_text(answered, encoding="utf-8")
    else:
        assert answered == written


def _answer(command: str, capsys: pytest.CaptureFixture[str], folder: Path) -> str:
    """Run one command and give it with its answer, in the form of a transcript."""
    program, *arguments = shlex.split(command)
    assert program == "batcher"
    try:
        code = main(arguments)
    except SystemExit as stop:  # argparse's own way out
        code = int(stop.code or 0)
    answer = capsys.readouterr()
    errors = "".join(f"! {line}\n" for line in answer.err.splitlines())
    text = answer.out + errors + (f"? {code}\n" if code else "")
    text = text.replace(str(folder), "/folder").replace(os.sep, "/")
    for pattern, steady in _VOLATILE:
        text = pattern.sub(steady, text)
    return f"$ {command}\n{text}"


def test_there_are_transcripts() -> None:
    """A reader that finds nothing would pass for ever."""
    texts = [path.read_text(encoding="utf-8") for path in TRANSCRIPTS]
    found = {word for text in texts for command in commands(text) for word in command.split()}
    assert {"build", "check", "new", "simulate", "--version", "--help"} <= found
