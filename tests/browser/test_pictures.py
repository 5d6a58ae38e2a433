"""Which copy of a picture a browser loads."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from batcher_site.model import Selection
from tests.browser.served import served
from tests.conftest import SETTINGS, TODAY, write_files

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("width", "density", "loaded"), [(390, 1, 480), (390, 2, 960), (768, 1, 960), (1280, 2, 1440)]
)
def test_a_browser_loads_the_smallest_copy_that_is_large_enough_or_the_largest(
    tmp_path: Path, browser: Browser, width: int, density: int, loaded: int
) -> None:
    photo = BytesIO()
    Image.new("RGB", (2000, 1000), "#1c5da8").save(photo, "JPEG")
    text = "---\ntitle: T\nsummary: S\n---\n\n![A field](a.jpg)\n"
    files: dict[str, str | bytes] = {
        "content/site.yaml": SETTINGS,
        "content/projects/p.md": text,
        "content/projects/a.jpg": photo.getvalue(),
    }
    with served(str(write_files(tmp_path, files)), Selection(now=TODAY)) as server:
        page = browser.new_page(
            viewport={"width": width, "height": 800}, device_scale_factor=density
        )
        page.goto(f"{server.origin}/portfolio/projects/p/")
        picture = page.locator(".prose img")
        source = picture.evaluate("(img) => img.decode().then(() => img.currentSrc)")
        with Image.open(BytesIO(page.request.get(source).body())) as got:
            assert got.width == loaded
        box = picture.bounding_box()
        assert box is not None
        assert abs(box["width"] / box["height"] - 2) < 0.01
        page.close()
