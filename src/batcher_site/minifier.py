"""
Scripts, parsed and shrunk.

The library starts threads of its own when it is loaded, after which a process should not be copied.
"""

import re

import minify

from batcher_site.errors import RenderError

_PLACE = re.compile(r" on line (\d+) and column (\d+)\n")


def shrink(name: str, text: str) -> str:
    """Shrink a script; raise RenderError where it does not parse."""
    try:
        return str(minify.string("application/javascript", text))
    except minify.MinifyError as error:
        message = str(error)
        place = _PLACE.search(message)
        raise RenderError(
            f"not valid JavaScript: {message[: place.start()] if place else message}",
            source=name,
            line=int(place[1]) if place else None,
            column=int(place[2]) if place else None,
            hint="mend the script there, or shortly before",
        ) from None
