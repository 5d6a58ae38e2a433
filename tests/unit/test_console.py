import io
from time import perf_counter

import pytest

from batcher_site.console import Bar, say, say_errors
from batcher_site.errors import ContentError


class Terminal(io.StringIO):
    """A stream that a person reads."""

    def isatty(self) -> bool:
        return True


class Ascii(io.StringIO):
    """A pipe with an old encoding."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "ascii"


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_a_pipe_gets_no_colour() -> None:
    stream = io.StringIO()
    say(stream, ("done", "green"), "!")
    assert stream.getvalue() == "done!\n"


def test_a_terminal_gets_colour() -> None:
    stream = Terminal()
    say(stream, ("done", "green"), "!")
    assert stream.getvalue() == "\x1b[32mdone\x1b[0m!\n"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_who_wants_no_colour_gets_none(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    stream = Terminal()
    say(stream, ("done", "green"))
    assert stream.getvalue() == "done\n"


def test_a_name_from_a_file_cannot_steer_the_terminal() -> None:
    stream = Terminal()
    say(stream, "title \x1b[31m\x07")
    assert stream.getvalue() == "title \\x1b[31m\\x07\n"


def test_a_sign_that_the_encoding_lacks_is_written_another_way() -> None:
    stream = Ascii()
    say(stream, "é → dist")
    assert stream.getvalue() == "\\xe9 -> dist\n"


def test_a_closed_stream_is_no_fault() -> None:
    say(None, "nobody hears")


def test_faults_are_told_with_place_and_hint_and_counted() -> None:
    stream = io.StringIO()
    faults = [ContentError("wrong", source="x", line=2, column=3, hint="mend"), ContentError("odd")]
    say_errors(stream, faults)
    assert stream.getvalue() == "x:2:3: wrong\n  hint: mend\nerror: odd\n2 problems\n"


# --- the bar ------------------------------------------------------------------------------------


def test_a_bar_shows_after_a_second_and_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    bar = Bar(terminal, perf_counter())
    bar("texts", 1, 4)
    bar.clear()
    assert terminal.getvalue() == ""
    late = Bar(terminal, perf_counter() - 2)
    late("texts", 1, 4)
    assert terminal.getvalue() == "\rtexts   [#######.......................] 1/4\x1b[K"
    late("texts", 2, 4)
    assert "2/4" not in terminal.getvalue()
    late.clear()
    assert terminal.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize(("stream", "term"), [(io.StringIO(), "xterm"), (Terminal(), "dumb")])
def test_a_bar_is_shown_only_where_somebody_looks(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, term: str
) -> None:
    monkeypatch.setenv("TERM", term)
    bar = Bar(stream, perf_counter() - 2)
    bar("texts", 1, 4)
    bar.clear()
    assert stream.getvalue() == ""
