"""
Whether a picture tells where it was taken: `has_position` looks for GPS in its Exif block.

JPEG, PNG and WebP each wrap the same block, a TIFF header with a directory of tags, so it is found
by the mark before it (CIPA DC-008, sections 4.6.2 and 4.7.2; PNG 1.5's eXIf; WebP's EXIF).
"""

import re
from collections.abc import Iterator
from struct import error as struct_error
from struct import unpack_from

_BLOCK = re.compile(rb"(?:Exif\0\0|eXIf|EXIF.{4})(?=(?P<order>II\*\0|MM\0\*))", re.DOTALL)
_GPS_DIRECTORY = 0x8825
_ENTRY_BYTES = 12
# Latitude and longitude; a GPS directory without them says nothing.
_POSITION = {2, 4}


def has_position(picture: bytes) -> bool:
    """Tell whether the bytes of a picture have a latitude or longitude; a cut block has none."""
    for found in _BLOCK.finditer(picture):
        order = "<" if found["order"].startswith(b"I") else ">"
        block = memoryview(picture)[found.end() :]
        try:
            (first,) = unpack_from(f"{order}I", block, 4)
            directories = [
                value for tag, value in _entries(block, first, order) if tag == _GPS_DIRECTORY
            ]
            tags = {tag for place in directories for tag, _ in _entries(block, place, order)}
        except struct_error:
            continue
        if tags & _POSITION:
            return True
    return False


def _entries(block: memoryview, start: int, order: str) -> Iterator[tuple[int, int]]:
    """Give the tags of a directory, each with its value as an offset."""
    (count,) = unpack_from(f"{order}H", block, start)
    for number in range(count):
        tag, value = unpack_from(f"{order}H6xI", block, start + 2 + number * _ENTRY_BYTES)
        yield tag, value
