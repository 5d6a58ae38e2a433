"""Pictures of texts and covers: published clean, with their sizes, or refused where they stand."""

from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image

from batcher_site.build import RenderedSite
from batcher_site.errors import SiteErrors
from batcher_site.exif import has_position
from tests.site.markup import tags

Render = Callable[..., RenderedSite]
TEXT = "---\ntitle: T\nsummary: S\n---\n\nHello.\n\n"


def photo(width: int = 1000, height: int = 600) -> bytes:
    exif = Image.Exif()
    exif[0x8825] = {1: "N", 2: (48.0, 8.0, 0.0), 3: "E", 4: (11.0, 34.0, 0.0)}
    file = BytesIO()
    Image.new("RGB", (width, height), "#b5400d").save(file, "JPEG", exif=exif)
    return file.getvalue()


def refusals(render: Render, files: dict[str, str | bytes]) -> list[str]:
    with pytest.raises(SiteErrors) as caught:
        render(files)
    return [str(error) for error in caught.value.errors]


@pytest.mark.parametrize("base", ["https://me.example/", "https://me.example/portfolio/"])
def test_a_picture_is_published_clean_with_its_size_and_copies(render: Render, base: str) -> None:
    files = {"content/projects/p.md": TEXT + "![A](my%20photo.jpg)\n"}
    files["content/projects/my photo.jpg"] = photo()  # type: ignore[assignment]
    built = render(files, base_url=base)
    (tag,) = tags(built.outputs["projects/p/index.html"], "img")
    assert (tag.attributes["width"], tag.attributes["height"]) == ("1000", "600")
    root = base.removeprefix("https://me.example")
    offered = [part.split() for part in tag.attributes["srcset"].split(", ")]
    assert [width for _, width in offered] == ["480w", "960w"]
    for address, _ in offered:
        assert address.startswith(f"{root}projects/my%20photo-")
        path = address.removeprefix(root).replace("%20", " ")
        assert Image.open(BytesIO(built.outputs[path])).format == "WEBP"
    assert not has_position(built.outputs["projects/my photo.jpg"])


def test_a_photo_that_is_only_linked_is_cleaned_too(render: Render) -> None:
    built = render(
        {"content/projects/p.md": TEXT + "[a](a.jpg)\n", "content/projects/a.jpg": photo()}
    )
    assert not has_position(built.outputs["projects/a.jpg"])


def test_a_cover_has_its_own_size(render: Render) -> None:
    text = TEXT.replace("summary: S\n", "summary: S\ncover: c.jpg\nalt: A cover\n")
    built = render({"content/projects/p.md": text, "content/projects/c.jpg": photo(700, 300)})
    (tag,) = tags(built.outputs["projects/p/index.html"], "img")
    assert (tag.attributes["width"], tag.attributes["height"]) == ("700", "300")
    assert tag.attributes["srcset"].endswith(" 480w")


def test_every_broken_picture_is_told_where_it_is_shown(render: Render) -> None:
    files: dict[str, str | bytes] = {
        "content/projects/p.md": TEXT + "![A](a.jpg)\n\n![B](b.svg)\n",
        "content/projects/a.jpg": b"",
        "content/projects/b.svg": b"<svg",
    }
    told = refusals(render, files)
    assert told[0].startswith("content/projects/p.md:8: the picture content/projects/a.jpg ")
    assert told[1].startswith("content/projects/p.md:10: the picture content/projects/b.svg ")


def test_a_picture_that_changes_changes_the_pages_that_show_it(render: Render) -> None:
    files = {"content/projects/p.md": TEXT + "![A](a.jpg)\n"}
    one = render({**files, "content/projects/a.jpg": photo(600, 100)})
    two = render({**files, "content/projects/a.jpg": photo(700, 100)})
    page = "projects/p/index.html"
    assert b'width="600"' in one.outputs[page]
    assert b'width="700"' in two.outputs[page]
