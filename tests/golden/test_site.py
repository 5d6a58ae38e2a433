"""
One small but complete site: `site/before` is built, and `site/after` is what must come out.

Its own templates print every field of the views and nothing of the theme, so that a change of the
theme's look leaves the expected tree alone, and a change of what a template sees does not.
"""

import inspect
import re
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec import Struct, structs

from batcher_site import views
from batcher_site.build import Options, RenderedSite, render_site
from batcher_site.model import LeftOut, Selection

SITE = Path(__file__).parent / "site"
BEFORE, AFTER = SITE / "before", SITE / "after"
LOOK = {
    "PageView": {"content_security_policy", "style", "theme_script", "scripts"},
    "SimulationView": {
        *("queue", "mode", "timeline", "gauges", "table", "summary"),
        *("controls", "drawer"),
    },
}
"""Fields whose bytes are the theme's style sheets, scripts and figure."""
FINGERPRINTED = re.compile(r"-[0-9a-f]{8,}\.\w+$")
"""Files of the theme whose names carry the hash of their bytes."""
PRINTED = "resume.pdf"
"""Each release of Typst names itself in what it prints."""


@pytest.fixture(scope="module")
def built() -> RenderedSite:
    selection = Selection(now=datetime(2026, 12, 1, 12, tzinfo=UTC))
    return render_site(Options(source=str(BEFORE), selection=selection))


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def test_the_site_comes_out_byte_for_byte(
    built: RenderedSite, request: pytest.FixtureRequest
) -> None:
    outputs = {
        name: data
        for name, data in sorted(built.outputs.items())
        if name != PRINTED and not FINGERPRINTED.search(name)
    }
    if request.config.getoption("--update-golden", default=False):
        write(AFTER, outputs)
    expected = tree(AFTER)
    assert list(outputs) == sorted(expected)
    # One file after the other, so that a difference is shown as lines of text.
    for name, data in expected.items():
        shown, wanted = (x.decode(errors="backslashreplace") for x in (outputs[name], data))
        assert (name, shown) == (name, wanted)


def test_the_site_leaves_out_its_draft(built: RenderedSite) -> None:
    assert built.left_out == (LeftOut("content/projects/draft.md", "draft"),)


def test_the_templates_print_every_field_of_every_view() -> None:
    """A new field belongs into the golden site, or into the list of what is the theme's look."""
    printed = "\n".join(path.read_text() for path in (BEFORE / "templates").glob("*.html"))
    words = set(re.findall(r"\.(\w+)", printed))
    for name, view in inspect.getmembers(views, inspect.isclass):
        if issubclass(view, Struct) and view is not Struct:
            fields = {field.name for field in structs.fields(view)} - LOOK.get(name, set())
            assert fields <= words, name
