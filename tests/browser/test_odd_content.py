"""Content that no design was drawn for, on the narrowest phone: the page stays in shape."""

import struct
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from batcher_site.model import Selection
from tests.browser.served import Server, served
from tests.conftest import write_files

pytestmark = pytest.mark.browser

SELECTION = Selection(now=datetime(2026, 12, 1, 12, tzinfo=UTC))
OWNER = "title: T\nowner: {name: Ada Test, role: Tests, pitch: A pitch., %s}\n"
EMAIL = "email: ada@example.test"
LONG_TITLE = ("A title of two hundred characters " * 6)[:200]
LONG_WORD = "unbreakable" * 27 + "ble"
METRIC = (
    "{label: Metric %d, values: [{value: %d, unit: tok/s}], "
    "baseline: {label: other, value: 7, unit: tok/s}, outcome: loss, better: higher}"
)
OTHER_SCRIPTS = {
    "arabic": "مسرّع الاستدلال للنماذج اللغوية الكبيرة",
    "chinese": "分页推理引擎与连续批处理调度器的实现与测量" * 4,
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈" * 30,
}
WIDE = """() => [...document.querySelectorAll("body *")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1
    && !element.closest(".table, .timeline__scroller, pre"))
  .map((element) => `${element.tagName}.${element.className}`)"""


def project(title: str, *, metrics: int = 0, summary: str = "It is.", text: str = "Text.") -> str:
    lines = [f'title: "{title}"', f'summary: "{summary}"']
    if metrics:
        lines.append(f"metrics: [{', '.join(METRIC % (n, n + 1) for n in range(metrics))}]")
    return "\n".join(["---", *lines, "---", "", text, ""])


def strip_of_pixels(width: int, height: int) -> bytes:
    """A grey PNG of this size."""
    rows = zlib.compress((b"\0" + b"\x80" * width) * height)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


ODD: dict[str, dict[str, str | bytes]] = {
    "every odd text at once": {
        "content/site.yaml": OWNER % EMAIL,
        "content/about.md": f"---\nfacts: [{LONG_WORD}]\n---\n{LONG_WORD}\n",
        "content/projects/long.md": project(LONG_TITLE, summary=LONG_WORD, text=LONG_WORD),
        "content/projects/word.md": project(LONG_WORD, text=f"## {LONG_WORD}\n\n`{LONG_WORD}`"),
        "content/projects/forty.md": project("Forty", metrics=40),
        "content/projects/wide/index.md": project("Wide", text="![A strip](strip.png)"),
        "content/projects/wide/strip.png": strip_of_pixels(4000, 10),
        **{
            f"content/projects/{name}.md": project(text, summary=text, metrics=1, text=text)
            for name, text in OTHER_SCRIPTS.items()
        },
        "content/experience.yaml": f"- {{start: 2025, role: {LONG_WORD}, place: {LONG_WORD}}}\n",
        "content/open_source.yaml": (
            f"- {{repository: {LONG_WORD}, number: 1, title: {LONG_WORD}, month: 2026-11, "
            f"status: open, status_text: {LONG_TITLE.strip()}}}\n"
        ),
        "content/writing/w.md": (
            f'---\ntitle: "{LONG_TITLE}"\ndate: 2026-11-30\ntags: [{LONG_WORD}]\n---\nText.\n'
        ),
    },
    "no project": {"content/site.yaml": OWNER % EMAIL},
    "one project without metrics": {
        "content/site.yaml": OWNER % EMAIL,
        "content/projects/one.md": project("One"),
    },
    "sixty projects": {
        "content/site.yaml": OWNER % EMAIL,
        **{f"content/projects/p{n}.md": project(f"Project {n}", metrics=2) for n in range(60)},
    },
    "a section left out": {
        "content/site.yaml": OWNER % EMAIL + "sections: [{id: top, title: Top}]\n",
        "content/projects/one.md": project("One", metrics=1),
    },
    "no e-mail": {
        "content/site.yaml": OWNER % "links: {github: {label: GitHub}}",
        "content/projects/one.md": project("One", metrics=1),
    },
}


@pytest.fixture(params=ODD)
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """Serve one of the odd sites."""
    write_files(tmp_path, ODD[request.param])
    with served(str(tmp_path), SELECTION) as server:
        yield server


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """Give a page of 320 px."""
    context = browser.new_context(viewport={"width": 320, "height": 640})
    yield context.new_page()
    context.close()


def test_odd_content_stays_in_shape_on_the_narrowest_phone(odd: Server, phone: Page) -> None:
    """No page scrolls sideways, no error, one heading of the page, and it is in sight."""
    errors: list[str] = []
    phone.on("pageerror", lambda error: errors.append(str(error)))
    phone.on("console", lambda message: errors.append(message.text))
    broken = {}
    # Enough for every kind: of sixty projects most are alike.
    for name in odd.pages[:20]:
        phone.goto(f"{odd.origin}/{name}")
        bad = phone.evaluate(WIDE)
        if phone.evaluate("document.documentElement.scrollWidth > innerWidth"):
            bad.append("scrolls sideways")
        if phone.locator("h1:visible").count() != 1:
            bad.append("has not one heading")
        if bad:
            broken[name] = bad[:8]
    assert broken == {}
    assert errors == []
