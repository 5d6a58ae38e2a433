import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import yaml

from tests.content.visible_text import Element, read_page

PAGED = "Paged serving, 32 concurrent requests on GPT-2 small"
FACTS = Path(__file__).with_name("facts.yaml")
LARGEST_BLOCK = 300
"""A label and its figure stand together where the block around both has fewer characters."""
LARGEST_ENTRY = 700
"""The same for the title of an entry, which has sentences below it."""


@dataclass(frozen=True)
class Fact:
    """A row of the list, for one place; `labels` are all the labels of that place."""

    where: str
    texts: tuple[str, ...]
    beside: str | None = None
    under: str | None = None
    labels: frozenset[str] = frozenset()

    def __str__(self) -> str:
        label = self.beside or self.under or "anywhere"
        return f"{self.where} {label}: {' | '.join(self.texts)}"


def _facts() -> list[Fact]:
    facts = [
        Fact(where, tuple(_as_list(entry["text"])), entry.get("beside"), entry.get("under"))
        for entry in yaml.safe_load(FACTS.read_text(encoding="utf-8"))
        for where in _as_list(entry["where"])
    ]
    labels = defaultdict(set)
    for fact in facts:
        if fact.beside:
            labels[fact.where].add(fact.beside)
    return [replace(fact, labels=frozenset(labels[fact.where])) for fact in facts]


def _fact(where: str, beside: str) -> Fact:
    return next(fact for fact in _facts() if fact.where == where and fact.beside == beside)


def _as_list(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


@pytest.fixture(scope="session")
def shipped_pages(shipped_site: Mapping[str, bytes]) -> dict[str, Element]:
    return _pages(shipped_site)


def _pages(site: Mapping[str, bytes]) -> dict[str, Element]:
    wanted = {_output_path(fact.where) for fact in _facts()}
    return {path: read_page(site[path]) for path in wanted}


def _output_path(where: str) -> str:
    return f"{where.strip('/')}/index.html".lstrip("/") if where.startswith("/") else "index.html"


@pytest.mark.parametrize("fact", _facts(), ids=str)
def test_a_fact_is_visible_where_it_belongs(shipped_pages: dict[str, Element], fact: Fact) -> None:
    assert _missing(shipped_pages, fact) == []


def _missing(pages: dict[str, Element], fact: Fact) -> list[str]:
    """Give the pieces that a reader does not find; an empty list where all of the fact is there."""
    place = _place(pages, fact.where)
    return [text for text in fact.texts if place is None or not _shows(place, fact, text)]


def _place(pages: dict[str, Element], where: str) -> Element | None:
    page = pages[_output_path(where)]
    if where.startswith("/"):
        return page
    return next((element for element in page.walk() if element.id == where), None)


def _shows(place: Element, fact: Fact, text: str) -> bool:
    if fact.beside:
        others = frozenset(label for label in fact.labels if label not in fact.beside)
        return _stand_together(place, fact.beside, text, LARGEST_BLOCK, others)
    if fact.under:
        return _stand_together(place, fact.under, text, LARGEST_ENTRY)
    return _holds(place.text, text)


def _stand_together(
    place: Element, label: str, text: str, limit: int, others: frozenset[str] = frozenset()
) -> bool:
    """Tell whether one small element has the label, the text, and no label of another figure."""
    blocks = (element.text for element in place.walk())
    return any(
        len(block) < limit
        and _holds(block, label)
        and _holds(block.replace(label, " ", 1), text)
        and not any(_holds(block, other) for other in others)
        for block in blocks
    )


def _holds(content: str, text: str) -> bool:
    """Tell whether `text` stands in `content`, and not as a part of a longer word or number."""
    pattern = rf"(?<![\w.,~+]){re.escape(text)}(?!\w|[.,]\d)"
    return re.search(pattern, content) is not None


@pytest.mark.parametrize(
    ("old", "new", "fact", "gone"),
    [
        ("29.3", "29.4", _fact("top", "INT8 static memory cut"), ["29.3%"]),
        ("1,030", "1,031", _fact("top", PAGED), ["1,030 tok/s"]),
        ("99.5", "9.5", _fact("work", "FP16 · 260 MB"), ["2.5 ms · 99.5% agree"]),
        ("1.4", "2.4", _fact("work", "W8A8 · 88 MB"), ["1.4 ms · 24.6% agree"]),
    ],
)
def test_a_figure_that_was_changed_is_found_missing(
    shipped_site: Mapping[str, bytes], old: str, new: str, fact: Fact, gone: list[str]
) -> None:
    assert _missing(_with_home(shipped_site, (old, new)), fact) == gone


def test_two_figures_that_changed_places_are_found_missing(
    shipped_site: Mapping[str, bytes],
) -> None:
    """Both are still in the section, each beside the label of the other."""
    changed = _with_home(shipped_site, ("46.4", "swap"), ("60.3", "46.4"), ("swap", "60.3"))
    assert _missing(changed, Fact("top", ("46.4%", "60.3%"))) == []
    assert "46.4%" in _missing(changed, _fact("top", "INT8 static memory cut"))


def _with_home(site: Mapping[str, bytes], *changes: tuple[str, str]) -> dict[str, Element]:
    page = site["index.html"].decode("utf-8")
    for old, new in changes:
        assert old in page
        page = page.replace(old, new)
    return _pages({**site, "index.html": page.encode("utf-8")})


@pytest.mark.parametrize(
    ("markup", "seen"),
    [
        ("<p><b>3.5</b>x</p>", True),
        ("<p>3.5</p><p>x</p>", False),
        ("<p hidden>3.5x</p>", False),
        ("<template><p>3.5x</p></template>", False),
        ("<script>3.5x</script>", False),
        ("<svg><title>3.5x</title></svg>", False),
        ("<p>13.5x</p>", False),
        ("<p>~3.5x</p>", False),
        ("<p>3.5xy</p>", False),
        ('<ul><li hidden>2x<li>3.5x</ul><input type="text"><p>after', True),
    ],
)
def test_only_visible_text_counts(markup: str, *, seen: bool) -> None:
    assert _holds(read_page(markup.encode()).text, "3.5x") is seen


def test_a_label_far_from_its_figure_does_not_count() -> None:
    filler = "word " * LARGEST_BLOCK
    near = read_page(b"<section><div><dt>Cut</dt><dd>46.4%</dd></div></section>")
    far = read_page(f"<section><p>Cut</p><p>{filler}</p><p>46.4%</p></section>".encode())
    assert _stand_together(near, "Cut", "46.4%", LARGEST_BLOCK)
    assert not _stand_together(far, "Cut", "46.4%", LARGEST_BLOCK)


def test_a_figure_beside_another_label_does_not_count() -> None:
    page = read_page(b"<dl><div><dt>Cut<dd>1%</div><div><dt>Gap<dd>2%</div></dl>")
    assert _stand_together(page, "Cut", "1%", LARGEST_BLOCK, frozenset({"Gap"}))
    assert not _stand_together(page, "Cut", "2%", LARGEST_BLOCK, frozenset({"Gap"}))
