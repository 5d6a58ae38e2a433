"""Pictures made ready for the web: what is taken out, what is kept, and what is refused."""

from io import BytesIO

import pytest
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from batcher_site import imaging
from batcher_site.exif import has_position
from batcher_site.imaging import BrokenPictureError, prepare

ORIENTATION, ARTIST, GPS = 0x0112, 0x013B, 0x8825
TURNED = 6
SECRET = b"CANARY"


def picture(width: int = 64, height: int = 48, mode: str = "RGB") -> Image.Image:
    image = Image.new(mode, (width, height), "#1c5da8")
    image.paste("#b5400d", (0, 0, width // 2, height // 2))
    return image


def saved(image: Image.Image, kind: str = "JPEG", **settings: object) -> bytes:
    file = BytesIO()
    image.save(file, kind, **settings)
    return file.getvalue()


def camera(orientation: int = 1) -> Image.Exif:
    """What a phone writes into a photo."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    exif[ARTIST] = SECRET.decode()
    exif[GPS] = {1: "N", 2: (48.0, 8.0, 0.0), 3: "E", 4: (11.0, 34.0, 0.0)}
    return exif


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def refusal(name: str, data: bytes) -> str:
    with pytest.raises(BrokenPictureError) as caught:
        prepare(name, data)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_what_a_camera_writes_is_taken_out_of_the_picture_and_its_copies(kind: str) -> None:
    data = saved(picture(600, 400), kind, exif=camera())
    assert has_position(data)
    made = prepare(f"a.{kind.lower()}", data)
    for published in (made.data, *made.copies.values()):
        assert not has_position(published)
        assert SECRET not in published
        assert not opened(published).getexif()
    assert opened(made.data).format == kind


def test_notes_of_a_png_are_taken_out() -> None:
    info = PngInfo()
    info.add_text("Author", SECRET.decode())
    assert SECRET not in prepare("a.png", saved(picture(), "PNG", pnginfo=info)).data


def test_a_comment_of_a_jpeg_is_taken_out() -> None:
    assert SECRET not in prepare("a.jpg", saved(picture(), comment=SECRET)).data


def test_a_picture_without_notes_stays_as_it_is_byte_for_byte() -> None:
    for kind in ("JPEG", "PNG", "WEBP", "GIF"):
        data = saved(picture(), kind)
        assert prepare("a", data).data == data


def test_the_orientation_is_applied() -> None:
    made = prepare("a.jpg", saved(picture(64, 48), exif=camera(TURNED)))
    assert (made.width, made.height) == (48, 64)
    turned = opened(made.data)
    assert turned.size == (48, 64)
    red, _, blue = turned.convert("RGB").getpixel((47, 0))  # type: ignore[misc]
    assert red > blue


def test_the_colour_profile_stays() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    made = prepare("a.jpg", saved(picture(600, 400), exif=camera(), icc_profile=profile))
    for published in (made.data, *made.copies.values()):
        assert opened(published).info["icc_profile"] == profile


def test_copies_are_webp_and_never_larger_than_the_picture() -> None:
    assert prepare("a.png", saved(picture(480, 10), "PNG")).copies == {}
    made = prepare("a.png", saved(picture(1000, 500), "PNG"))
    assert list(made.copies) == [480, 960]
    for width, data in made.copies.items():
        copy = opened(data)
        assert (copy.format, copy.size) == ("WEBP", (width, width // 2))


@pytest.mark.parametrize("mode", ["L", "LA", "P", "RGBA", "1", "CMYK", "I;16"])
def test_every_kind_of_pixels_has_copies(mode: str) -> None:
    image = Image.new(mode, (600, 300)) if mode == "I;16" else picture(600, 300).convert(mode)
    kind = "JPEG" if mode == "CMYK" else "PNG"
    made = prepare("a", saved(image, kind))
    assert opened(made.copies[480]).size == (480, 240)


def test_what_can_be_seen_through_stays_so() -> None:
    image = picture(600, 300).convert("RGBA")
    image.putalpha(0)
    copy = opened(prepare("a.png", saved(image, "PNG")).copies[480]).convert("RGBA")
    assert copy.getpixel((9, 9))[3] == 0  # type: ignore[index]


def test_a_moving_picture_stays_as_it_is() -> None:
    frames = [picture(600, 300), Image.new("RGB", (600, 300), "#fff")]
    data = saved(frames[0], "GIF", save_all=True, append_images=frames[1:])
    made = prepare("a.gif", data)
    assert (made.data, made.copies) == (data, {})


@pytest.mark.parametrize(
    ("root", "size"),
    [
        ('<svg width="40" height="20">', (40, 20)),
        ("<svg width='40px' height='20px' viewBox='0 0 1 1'>", (40, 20)),
        ('<svg viewBox="0 0 300 150.4">', (300, 150)),
        ('<svg viewBox="0,0,3,1" height="9">', (3, 9)),
        ('<svg width="100%">', (0, 0)),
    ],
)
def test_a_drawing_has_the_size_that_it_says(root: str, size: tuple[int, int]) -> None:
    data = f'<?xml version="1.0"?>{root}<path d="M0 0"/></svg>'.encode()
    made = prepare("a.svg", data)
    assert ((made.width, made.height), made.data) == (size, data)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.jpg", b"", "empty"),
        ("a.jpg", b"<!doctype html>", "no picture of a kind"),
        ("a.png", saved(picture(), "PNG")[:60], "cannot be decoded"),
        ("a.jpg", saved(picture(300, 300))[:900], "cannot be decoded"),
        ("a.gif", b"GIF89a", ""),
        ("a.bmp", saved(picture(), "BMP"), "no picture of a kind"),
        ("a.svg", b"<svg>", "no complete SVG"),
        ("a.svg", b"\x89PNG", "no complete SVG"),
    ],
)
def test_what_is_no_whole_picture_is_refused(name: str, data: bytes, said: str) -> None:
    assert said in refusal(name, data)


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = saved(picture(), "PNG")
    monkeypatch.setattr(imaging, "MOST_PIXELS", 64 * 48 - 1)
    monkeypatch.setattr(Image.Image, "load", lambda _: pytest.fail("it was decoded"))
    assert "3,072 pixels" in refusal("a.png", data)
