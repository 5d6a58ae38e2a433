"""Rendered texts: when a remembered one is right, and the same from any number of processes."""

import multiprocessing
import re
from pathlib import Path

import pytest

from batcher_site import parallel, texts
from batcher_site.errors import SiteErrors
from batcher_site.memo import Memo
from batcher_site.model import Content, LeftOut, Prose
from batcher_site.texts import Texts, render_texts
from batcher_site.urls import Base
from tests.unit.values import content, project

BASE = Base.parse("https://me.example/a/")


def site(*bodies: str, **fields: object) -> Content:
    projects = tuple(project(f"p{number}", text=body) for number, body in enumerate(bodies))
    return content(projects=projects, **fields)


def proses(found: Texts) -> list[Prose]:
    return [found.prose(path) for path in found]


def paths(found: Texts) -> list[str]:
    """The texts that were rendered now."""
    return [re.sub(r".*/", "", path) for path in found.seconds]


def test_a_text_that_is_known_is_not_rendered_again(tmp_path: Path) -> None:
    memo = Memo(str(tmp_path))
    first = render_texts(site("One", "Two"), BASE, memo)
    memo.save()
    second = render_texts(site("One", "Six"), BASE, Memo(str(tmp_path)))
    assert (paths(first), paths(second)) == (["p0.md", "p1.md"], ["p1.md"])
    assert proses(second)[0] == proses(first)[0]
    assert second.key("content/projects/p0.md") == first.key("content/projects/p0.md")
    assert second.key("content/projects/p1.md") != first.key("content/projects/p1.md")


def test_a_text_is_rendered_again_where_its_links_lead_elsewhere() -> None:
    """And only then: a page more or less is no reason."""
    memo = Memo()
    linking = "[p](../notes/x.pdf)"
    here = site(linking, "Two", files=frozenset({"content/notes/x.pdf"}))
    more = site(linking, "Two", files=frozenset({"content/notes/x.pdf", "content/notes/y.pdf"}))
    render_texts(here, BASE, memo)
    assert paths(render_texts(more, BASE, memo)) == []
    with pytest.raises(SiteErrors, match="leads nowhere"):
        render_texts(site(linking, "Two"), BASE, memo)
    assert paths(render_texts(here, BASE, memo)) == []


def test_a_text_of_another_address_is_another_text() -> None:
    memo = Memo()
    one = render_texts(site("[p](p0.md)"), BASE, memo)
    other = render_texts(site("[p](p0.md)"), Base.parse("https://me.example/b/"), memo)
    assert "/a/projects/p0/" in proses(one)[0].html
    assert "/b/projects/p0/" in proses(other)[0].html


def test_a_text_whose_bytes_were_lost_is_rendered_again(tmp_path: Path) -> None:
    memo = Memo(str(tmp_path))
    first = render_texts(site("One"), BASE, memo)
    memo.save()
    again = Memo(str(tmp_path))
    found = render_texts(site("One"), BASE, again)
    again._rows = lambda *_: []  # type: ignore[method-assign]
    assert proses(found) == proses(first)


def test_the_faults_of_all_texts_are_told_together() -> None:
    with pytest.raises(SiteErrors) as caught:
        render_texts(site("<script>", "Fine", "[x](y.md) <iframe>"), BASE, Memo())
    assert len(caught.value.errors) == 3


def test_a_text_that_is_held_back_is_named_where_another_links_to_it() -> None:
    held = site("[d](d.md)", left_out=(LeftOut("content/projects/d.md", "draft"),))
    with pytest.raises(SiteErrors) as caught:
        render_texts(held, BASE, Memo())
    assert caught.value.errors[0].hint == "content/projects/d.md is held back: draft"


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_many_processes_give_what_one_gives(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    bodies = [f"# T {number}\n\n[p](p{number // 2}.md) `x`\n" for number in range(12)]
    bodies[7] = "<script>"
    monkeypatch.setattr(parallel, "_fewest_items", lambda **_: 2)
    monkeypatch.setattr(parallel, "_can_copy", lambda: method == "fork")
    if method == "spawn":
        monkeypatch.setattr(multiprocessing, "get_context", _spawn_context)
    with pytest.raises(SiteErrors) as one:
        render_texts(site(*bodies), BASE, Memo(), jobs=1)
    with pytest.raises(SiteErrors) as many:
        render_texts(site(*bodies), BASE, Memo(), jobs=3)
    assert [str(error) for error in many.value.errors] == [str(error) for error in one.value.errors]
    bodies[7] = "Fine"
    alone = render_texts(site(*bodies), BASE, Memo(), jobs=1)
    shared = render_texts(site(*bodies), BASE, Memo(), jobs=3)
    assert proses(shared) == proses(alone)
    assert [shared.key(path) for path in shared] == [alone.key(path) for path in alone]


_get_context = multiprocessing.get_context


def _spawn_context(_method: str | None) -> object:
    return _get_context("spawn")


def test_a_text_that_takes_too_long_is_told_and_the_others_are_rendered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(texts, "LONGEST_SECONDS", 0.2)
    endless = "[" * 3000
    with pytest.raises(SiteErrors) as caught:
        render_texts(site("Fine", endless, "<script>"), BASE, Memo(), jobs=1)
    said = [str(error) for error in caught.value.errors]
    assert said[0].startswith("content/projects/p1.md:1:1: the text takes more than 0.2 s")
    assert said[1].startswith("content/projects/p2.md:")
