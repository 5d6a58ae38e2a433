"""
What `batcher check` asks of finished files beyond what a build refuses.

Problems are what harms: a page that search engines cannot name, an address that leads to the
owner's own machine, a picture that tells where it was taken, colours that cannot be read. Notices
are what the owner may want to look at: headings that skip a rank, two pages with one title, a home
folder in a text, what is heavy on a phone. Pure over the files, as `check` is.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import unescape
from itertools import pairwise
from math import floor

from msgspec import Struct

from batcher_site import contrast, exif
from batcher_site.check import CheckedPage, attributes_of, located, markup_facts, shown
from batcher_site.errors import CheckError
from batcher_site.hosts import is_private
from batcher_site.model import Notice
from batcher_site.urls import Base, output_file

# What a slow phone gets in its first flight, and may run before the page rests; compressed bytes.
MOST_PAGE_BYTES = 14_000
MOST_SCRIPT_BYTES = 8_192
MOST_PICTURE_BYTES = 300_000

_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_HEADING = re.compile(r"<h([1-6])\b[^>]*>(.*?)</h\1>", re.DOTALL)
_ANY_TAG = re.compile(r"<[^>]*>")
# What stands inside a word, such as a part of highlighted code.
_INLINE_TAG = re.compile(r"</?(?:a|abbr|b|code|em|i|mark|s|small|span|strong|sub|sup)\b[^>]*>")

# Not the path of an address: https://a.example/home/news/.
_HOME_FOLDER = re.compile(
    r"(?:(?:(?<![\w.:/~-])|(?<=file://))(?:/home/|/Users/)|\b[A-Za-z]:\\{1,2}Users\\{1,2})"
    r"(\w[\w.-]*)(?=[/\\])"
)
# One of these is in every text in which the patterns find something: most texts have none, and to
# look for a plain text takes a tenth of the time.
_HOME_PARTS = ("/home/", "/Users/", "Users\\")
_PRIVATE_PARTS = ("10.", "192.168.", "172.")
# The names that documentation gives to nobody, and those of machines that anybody may use.
_NOBODY = frozenset("me you user username name your-name example runner ubuntu".split())
_PRIVATE_ADDRESS = re.compile(
    r"(?<![\d.])(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}(?![\d.])"
)
_TEXTS = (".html", ".xml", ".txt", ".json", ".csv", ".svg")
_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif")


class Audit(Struct, frozen=True):
    """What was found: problems fail a check, notices do not."""

    problems: tuple[CheckError, ...]
    notices: tuple[Notice, ...]


def audit(
    outputs: Mapping[str, bytes],
    pages: Iterable[CheckedPage],
    base: Base,
    sheets: Mapping[str, str],
    origins: Mapping[str, str],
) -> Audit:
    """
    Look at the files of a site.

    `sheets` are the style sheets that may set the tokens by their paths, in the order in which they
    count; `origins` tells from which file of the owner's an output was copied.
    """
    looked_at = [_page(page, outputs[page.file]) for page in pages]
    tokens = contrast.tokens(sheets)
    problems = [
        *(error for page in looked_at for error in _unnamed(page)),
        *(error for page in looked_at for error in _private_links(page, base)),
        *_tracked_pictures(outputs, origins),
        *map(_faint, contrast.faint(tokens)),
    ]
    notices = [
        *(notice for page in looked_at for notice in _skipped_ranks(page)),
        *_repeated(looked_at, "title", lambda page: page.title),
        *_repeated(looked_at, "description", lambda page: page.description),
        *_told_places(outputs, looked_at, origins),
        *(notice for page in looked_at for notice in _heavy(page, outputs, base)),
        *_heavy_pictures(outputs, origins),
        *(_unmeasured(token) for token in tokens.values() if token.pair is None),
    ]
    by_text = {str(error): error for error in problems}
    return Audit(tuple(by_text.values()), tuple(sorted(set(notices))))


def outgoing(
    outputs: Mapping[str, bytes], pages: Iterable[CheckedPage], base: Base
) -> dict[str, CheckedPage]:
    """
    Give every public link of the pages to another host, with the first page that has it.

    The part after "#" is left out: only a browser finds it.
    """
    found: dict[str, CheckedPage] = {}
    for page in pages:
        for href in markup_facts(outputs[page.file]).links:
            link = href.partition("#")[0]
            is_own = link == base.origin or link.startswith(f"{base.origin}/")
            if link.startswith(("http://", "https://")) and not is_own and not is_private(link):
                found.setdefault(link, page)
    return found


class _Page(Struct, frozen=True):
    """A finished page with what it says of itself."""

    checked: CheckedPage
    data: bytes
    title: str
    description: str
    headings: tuple[tuple[int, str], ...]
    links: tuple[str, ...]


def _page(page: CheckedPage, data: bytes) -> _Page:
    markup = shown(data.decode())
    title = _TITLE.search(markup)
    described = (
        attributes.get("content", "")
        for attributes in attributes_of(markup, "meta")
        if attributes.get("name", "").lower() == "description"
    )
    return _Page(
        checked=page,
        data=data,
        title=_words(title[1]) if title else "",
        description=" ".join(next(described, "").split()),
        headings=tuple((int(rank), _words(inner)) for rank, inner in _HEADING.findall(markup)),
        links=markup_facts(data).links,
    )


def _words(markup: str) -> str:
    return " ".join(unescape(_ANY_TAG.sub(" ", _INLINE_TAG.sub("", markup))).split())


def _unnamed(page: _Page) -> Iterator[CheckError]:
    for what, text in (("title", page.title), ("description", page.description)):
        if not text:
            message = f"{page.checked.file} has no {what}"
            hint = f"search engines and previews show it; give the page a {what}"
            yield located(page.checked, message, "", hint)


def _private_links(page: _Page, base: Base) -> Iterator[CheckError]:
    for href in page.links:
        # A site that is tried out at an address of its own machine may link to itself.
        if is_private(href) and not href.startswith(base.origin + "/"):
            message = f'the link "{href}" leads to a private machine'
            hint = "nobody else can follow it: name a public address, or show it as code"
            yield located(page.checked, message, href, hint)


def _tracked_pictures(
    outputs: Mapping[str, bytes], origins: Mapping[str, str]
) -> Iterator[CheckError]:
    for name in _pictures(outputs):
        if exif.has_position(outputs[name]):
            yield CheckError(
                "the picture tells where it was taken",
                source=origins.get(name, name),
                hint="take the position out, such as with: exiftool -gps:all= FILE",
            )


def _pictures(outputs: Iterable[str]) -> list[str]:
    return [name for name in outputs if name.lower().endswith(_PICTURES)]


def _faint(found: contrast.Faint) -> CheckError:
    reached = floor(found.contrast * 100) / 100  # rounded up, it might look like enough
    return CheckError(
        f"--{found.token.name} has a contrast of {reached:.2f} against the paper in"
        f" {found.scheme}, less than {found.least:g}",
        source=found.token.path,
        line=found.token.line,
        hint=f"make it {'darker' if found.scheme == 'light' else 'lighter'}, or the paper"
        f" {'lighter' if found.scheme == 'light' else 'darker'}",
    )


def _unmeasured(token: contrast.Token) -> Notice:
    message = f"the contrast of --{token.name} is not measured: it is not light-dark(#…, #…)"
    return Notice(token.path, token.line, message)


def _skipped_ranks(page: _Page) -> Iterator[Notice]:
    for (above, _), (rank, words) in pairwise(page.headings):
        if rank > above + 1:
            message = f'the heading "{words}" of rank {rank} follows one of rank {above}'
            yield _notice(page, f"{message}; readers of screens miss the one between", words)


def _notice(page: _Page, message: str, snippet: str = "") -> Notice:
    place = located(page.checked, message, snippet, "")
    return Notice(place.source or page.checked.file, place.line or 1, message)


def _repeated(
    pages: Iterable[_Page], what: str, text_of: Callable[[_Page], str]
) -> Iterator[Notice]:
    first: dict[str, str] = {}
    for page in pages:
        text = text_of(page)
        if text and first.setdefault(text, page.checked.file) != page.checked.file:
            message = f"{page.checked.file} has the {what} of {first[text]}"
            yield _notice(page, f"{message}; search engines cannot tell them apart")


def _told_places(
    outputs: Mapping[str, bytes], pages: Iterable[_Page], origins: Mapping[str, str]
) -> Iterator[Notice]:
    """Give each home folder and private address once: where a page shows it, else its file."""
    told: set[str] = set()
    for page in pages:
        for place in _places(_words(page.data.decode())):
            if place not in told:
                yield _notice(page, f'the text tells of "{place}"', place)
                told.add(place)
    for name, data in outputs.items():
        # Any file may hold a folder: a PDF says where it was made. An address there is chance.
        text = data.decode("utf-8", "replace")
        places = _places(text) if name.endswith(_TEXTS) else _home_folders(text)
        for place in places:
            if place not in told:
                yield Notice(origins.get(name, name), 1, f'the file tells of "{place}"')
                told.add(place)


def _places(text: str) -> Iterator[str]:
    yield from _home_folders(text)
    if any(part in text for part in _PRIVATE_PARTS):
        yield from (found[0] for found in _PRIVATE_ADDRESS.finditer(text))


def _home_folders(text: str) -> Iterator[str]:
    if not any(part in text for part in _HOME_PARTS):
        return
    for found in _HOME_FOLDER.finditer(text):
        if found[1].lower() not in _NOBODY:
            yield found[0]


def _heavy(page: _Page, outputs: Mapping[str, bytes], base: Base) -> Iterator[Notice]:
    weight = _compressed(page.data)
    if weight > MOST_PAGE_BYTES:
        message = f"{page.checked.file} weighs {weight:,} bytes compressed"
        yield _notice(page, f"{message}; a slow phone waits above {MOST_PAGE_BYTES:,}")
    addresses = (
        base.site_path(attributes.get("src", ""))
        for attributes in attributes_of(shown(page.data.decode()), "script")
    )
    scripts = {output_file(address) for address in addresses if address} & outputs.keys()
    run = sum(_compressed(outputs[name]) for name in scripts)
    if run > MOST_SCRIPT_BYTES:
        message = f"the scripts of {page.checked.file} weigh {run:,} bytes compressed"
        yield _notice(page, f"{message}; more than {MOST_SCRIPT_BYTES:,} are felt")


def _compressed(data: bytes) -> int:
    """Give about what a server sends, which compresses by gzip."""
    return len(zlib.compress(data, 9))


def _heavy_pictures(outputs: Mapping[str, bytes], origins: Mapping[str, str]) -> Iterator[Notice]:
    for name in _pictures(outputs):
        weight = len(outputs[name])
        if weight > MOST_PICTURE_BYTES:
            message = f"the picture weighs {weight:,} bytes; scale it to what is shown"
            yield Notice(origins.get(name, name), 1, message)
