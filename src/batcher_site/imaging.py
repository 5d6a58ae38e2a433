"""
Pictures made ready for the web: `prepare` cleans one and makes smaller copies.

What a camera writes into a file (place, time, names) is taken out; the colour profile stays, and
the orientation is applied. Copies are WebP, never larger than the picture. Moving pictures stay as
they are.
"""

import re
from io import BytesIO

from PIL import Image, ImageOps, UnidentifiedImageError

from batcher_site.pictures import VECTOR, Prepared

WIDTHS = (480, 960, 1440)
"""The widths of the copies, in pixels."""
MOST_PIXELS = 100_000_000
"""What has more is refused before it is decoded."""

_QUALITY, _OWN_QUALITY = 80, 90
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "AVIF")
_WORDS = frozenset({"comment", "xmp", "XML:com.adobe.xmp", "photoshop", "Raw profile type exif"})
_SVG_ROOT = re.compile(rb"<svg\b[^>]*>", re.IGNORECASE)
_SVG_LENGTH = re.compile(rb"""\s(width|height)\s*=\s*["']\s*([\d.]+)(?:px)?\s*["']""")
_SVG_BOX = re.compile(
    rb"""\sviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)"""
)


class BrokenPictureError(Exception):
    """A file that is no picture that can be published; the text says why."""


def prepare(name: str, data: bytes) -> Prepared:
    """
    Clean a picture and make its copies.

    Raises BrokenPictureError for what is no picture, is cut off, or has too many pixels.
    """
    if name.lower().endswith(VECTOR):
        width, height = _vector_size(data)
        return Prepared(width, height, data, {})
    if not data:
        raise BrokenPictureError("the file is empty")
    try:
        return _prepare_raster(data)
    except UnidentifiedImageError:
        raise BrokenPictureError("it is no picture of a kind that browsers show") from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise BrokenPictureError(f"it cannot be decoded: {error}") from error


def _vector_size(data: bytes) -> tuple[int, int]:
    """Give the size that a drawing says it has, 0 where it says none."""
    root = _SVG_ROOT.search(data)
    is_whole = root and (root[0].endswith(b"/>") or b"</svg" in data[root.end() :].lower())
    if not root or not is_whole:
        raise BrokenPictureError("it is no complete SVG")
    lengths = {name: float(value) for name, value in _SVG_LENGTH.findall(root[0])}
    box = _SVG_BOX.search(root[0])
    if box:
        lengths = {b"width": float(box[1]), b"height": float(box[2])} | lengths
    return round(lengths.get(b"width", 0)), round(lengths.get(b"height", 0))


def _prepare_raster(data: bytes) -> Prepared:
    image: Image.Image = Image.open(BytesIO(data), formats=_FORMATS)
    if image.width * image.height > MOST_PIXELS:
        raise BrokenPictureError(
            f"it has {image.width * image.height:,} pixels, and {MOST_PIXELS:,} are the most"
        )
    kind = image.format
    if getattr(image, "n_frames", 1) > 1 and kind != "MPO":
        image.load()
        return Prepared(image.width, image.height, data, {})
    has_more = bool(image.getexif()) or kind == "MPO" or _has_words(image)
    profile = image.info.get("icc_profile")
    image = ImageOps.exif_transpose(image)
    image.load()
    cleaned = _encoded(image, kind or "PNG", profile) if has_more else data
    return Prepared(image.width, image.height, cleaned, _copies(image, profile))


def _has_words(image: Image.Image) -> bool:
    """Tell whether a picture has comments, XMP or other notes beside its pixels."""
    return bool(_WORDS & image.info.keys()) or bool(getattr(image, "text", None))


def _encoded(image: Image.Image, kind: str, profile: bytes | None) -> bytes:
    """Give a picture in its own format without anything but pixels and the colour profile."""
    bare = image.copy()
    bare.info = {key: image.info[key] for key in ("transparency",) if key in image.info}
    file = BytesIO()
    settings: dict[str, object] = {"icc_profile": profile} if profile else {}
    if kind in {"JPEG", "MPO"}:
        bare.save(file, "JPEG", quality=_OWN_QUALITY, **settings)
    elif kind in {"WEBP", "AVIF"}:
        bare.save(file, kind, quality=_OWN_QUALITY, **settings)
    else:
        bare.save(file, kind, **settings)
    return file.getvalue()


def _copies(image: Image.Image, profile: bytes | None) -> dict[int, bytes]:
    """Make the copies that are smaller than the picture, each from the next larger one."""
    has_alpha = image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info
    source = image.convert("RGBA" if has_alpha else "RGB")
    source.info = {}
    settings: dict[str, object] = {"icc_profile": profile} if profile else {}
    copies: dict[int, bytes] = {}
    for width in sorted((width for width in WIDTHS if width < image.width), reverse=True):
        height = max(1, round(image.height * width / image.width))
        source = source.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)
        file = BytesIO()
        source.save(file, "WEBP", quality=_QUALITY, method=4, **settings)
        copies[width] = file.getvalue()
    return dict(sorted(copies.items()))
