"""
What is known of pictures, and how pages tell of it: `dress` gives them their sizes and copies.

Pure; `imaging` is what opens them.
"""

import re
from collections.abc import Mapping
from html import escape, unescape

from markupsafe import Markup
from msgspec import Struct

RASTER = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif")
VECTOR = (".svg",)
KINDS = (*RASTER, *VECTOR)
"""The endings of the names of pictures."""

# What a text shows is at most as wide as its column.
_SIZES = "(max-width: 54rem) 100vw, 54rem"
_IMG = re.compile(r"<img\b[^>]*>")
_ATTRIBUTE = re.compile(r'\s([\w-]+)(?:="([^"]*)")?')


class Prepared(Struct, frozen=True):
    """
    A picture as it is published: its size, its own bytes, and its copies by their widths.

    A drawing may have no size of its own: then `width` or `height` is 0.
    """

    width: int
    height: int
    data: bytes
    copies: dict[int, bytes]


class Shown(Struct, frozen=True):
    """What pages say of a picture: its size, and the addresses of its copies by their widths."""

    width: int
    height: int
    copies: tuple[tuple[int, str], ...] = ()

    @property
    def sizes(self) -> str:
        """How wide a copy is shown, as an attribute has it; empty where there are none."""
        return _SIZES if self.copies else ""

    @property
    def srcset(self) -> str:
        """The copies as an attribute has them; empty where there are none."""
        return ", ".join(f"{address} {width}w" for width, address in self.copies)


def dress(html: Markup, shown: Mapping[str, Shown]) -> Markup:
    """
    Give HTML in which every picture that is known has its size and its copies.

    `shown` goes by the addresses that pages use. The first picture is loaded at once, the others
    when they come near. A width that the author gave stays.
    """
    count = 0

    def dressed(found: re.Match[str]) -> str:
        nonlocal count
        attributes = dict(_ATTRIBUTE.findall(found[0]))
        picture = shown.get(unescape(attributes.get("src", "")))
        if picture is None:
            return found[0]
        count += 1
        if count == 1:
            attributes.pop("loading", None)
        attributes |= _measures(attributes, picture)
        inner = "".join(f' {name}="{value}"' for name, value in attributes.items())
        return f"<img{inner}>"

    return Markup(_IMG.sub(dressed, html))  # noqa: S704 -- as safe as it came


def _measures(attributes: Mapping[str, str], picture: Shown) -> dict[str, str]:
    wanted = attributes.get("width", "")
    given = int(wanted) if wanted.isdecimal() and int(wanted) else None
    width = given or picture.width
    found = {"width": str(width)}
    if not attributes.get("height") or given is None:
        found["height"] = str(max(1, round(width * picture.height / picture.width)))
    if picture.copies:
        found["srcset"] = escape(picture.srcset)
        found["sizes"] = f"{given}px" if given else _SIZES
    return found
