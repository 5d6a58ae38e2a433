"""What all tests share: sites from inline files, and the shipped site, built once."""

from base64 import b64decode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from batcher_site.build import Options, RenderedSite, render_site
from batcher_site.model import Selection

ROOT = Path(__file__).parent.parent
SHIPPED_TITLE = "title: Vraj Patel"
TODAY = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
SETTINGS = """\
title: Test site
owner:
  name: Ada Test
  role: Tests
  pitch: A pitch.
"""

PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)
"""A picture of one pixel."""

Files = Mapping[str, str | bytes]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let golden files be written anew, and the browser look at every page."""
    parser.addoption(
        "--update-golden", action="store_true", help="write the outputs of golden files anew"
    )
    parser.addoption(
        "--every-page", action="store_true", help="look at all pages, not at one of each kind"
    )


def write_files(folder: Path, files: Files) -> Path:
    """Write files below a folder and give the folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Callable[[Files], Path]:
    """Give a function that writes a site from `{path: text}`; settings are added if missing."""

    def make(files: Files) -> Path:
        return write_files(tmp_path / "site", {"content/site.yaml": SETTINGS, **files})

    return make


@pytest.fixture
def render(site: Callable[[Files], Path]) -> Callable[..., RenderedSite]:
    """Give a function that renders a site from `{path: text}` in memory."""

    def make(files: Files, *, base_url: str | None = None, **selection: object) -> RenderedSite:
        chosen = Selection(**{"now": TODAY, **selection})  # type: ignore[arg-type]
        return render_site(Options(source=str(site(files)), base_url=base_url, selection=chosen))

    return make


@pytest.fixture(scope="session")
def shipped_site() -> Mapping[str, bytes]:
    """Give the outputs of the site that ships, by their paths."""
    selection = Selection(now=TODAY)
    return render_site(Options(source=str(ROOT), selection=selection)).outputs


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what is about the portfolio that ships where `content/` is somebody else's."""
    settings = (ROOT / "content" / "site.yaml").read_text(encoding="utf-8")
    if SHIPPED_TITLE in settings.splitlines():
        return
    reason = "content/ is not the portfolio that ships"
    for item in items:
        fixtures: tuple[str, ...] = getattr(item, "fixturenames", ())
        folders = (ROOT / "tests" / "content", ROOT / "tests" / "browser")
        if "shipped_site" in fixtures or any(map(item.path.is_relative_to, folders)):
            item.add_marker(pytest.mark.skip(reason=reason))
