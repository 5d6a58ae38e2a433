"""A picture that tells where it was taken."""

from collections.abc import Callable
from struct import pack

import pytest

from batcher_site.exif import has_position

LATITUDE, ALTITUDE, VERSION = 2, 6, 0


def block(*tags: int, order: str = "<") -> bytes:
    """Give a TIFF block whose first directory has an orientation and a GPS directory of `tags`."""
    mark = b"II*\0" if order == "<" else b"MM\0*"
    entries = [(0x0112, 3, 1, 6), (0x8825, 4, 1, 8 + 2 + 2 * 12 + 4)]
    first = pack(f"{order}IH", 8, len(entries))
    first += b"".join(pack(f"{order}HHII", *entry) for entry in entries) + bytes(4)
    gps = pack(f"{order}H", len(tags)) + b"".join(
        pack(f"{order}HHII", tag, 5, 3, 0) for tag in tags
    )
    return mark + first + gps + bytes(4)


def jpeg(tiff: bytes) -> bytes:
    payload = b"Exif\0\0" + tiff
    return b"\xff\xd8\xff\xe1" + pack(">H", len(payload) + 2) + payload + b"\xff\xd9"


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_latitude_is_a_position(order: str) -> None:
    assert has_position(jpeg(block(VERSION, LATITUDE, order=order)))


def png(tiff: bytes) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + pack(">I", len(tiff)) + b"eXIf" + tiff


def webp(tiff: bytes) -> bytes:
    return b"RIFF....WEBPEXIF" + pack("<I", len(tiff)) + tiff


@pytest.mark.parametrize("wrap", [png, webp, lambda tiff: webp(b"Exif\0\0" + tiff)])
def test_every_format_wraps_the_same_block(wrap: Callable[[bytes], bytes]) -> None:
    assert has_position(wrap(block(LATITUDE)))
    assert not has_position(wrap(block(ALTITUDE)))


@pytest.mark.parametrize(
    "picture",
    [
        b"",
        b"\xff\xd8\xff\xd9",
        jpeg(block()),
        jpeg(block(VERSION, ALTITUDE)),
        jpeg(b"II*\0" + pack("<I", 9_999)),
        b"a text about Exif\0\0 and II*\0",
    ],
    ids=["empty", "no exif", "no tags", "no latitude", "leads out of it", "a text"],
)
def test_other_pictures_tell_no_position(picture: bytes) -> None:
    assert not has_position(picture)


def test_a_block_that_is_cut_anywhere_ends_the_search_and_nothing_else() -> None:
    whole = jpeg(block(VERSION, LATITUDE))
    told = [has_position(whole[:length]) for length in range(len(whole))]
    assert not any(told[: len(whole) - 20])
    assert has_position(whole[:40] + whole)
