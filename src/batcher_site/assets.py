"""
The theme and the owner's static files: found, joined, and fingerprinted for the page's policy.

The theme lies beside the package in a wheel and at the repository's top in a checkout. A file in
the owner's `static/` or `templates/` stands before the theme's file of the same name.
Scripts are joined per kind of page. So are style sheets, and they stand inside it, because a style
sheet that is fetched costs half a second on a slow phone; the policy allows them by their hash.
"""

import hashlib
import os
from collections.abc import Mapping

from markupsafe import Markup
from msgspec import Struct

from batcher_site import stylesheets
from batcher_site.errors import RenderError, SiteErrors, UsageError
from batcher_site.pages import Head
from batcher_site.sources import inside
from batcher_site.urls import MODULES as SIMULATION
from batcher_site.urls import Base

STATIC = "static"
TEMPLATES = "templates"

# What pictures and documents are set in; pages use the fonts of the system, or the owner's for the
# web.
_FONTS = "static/fonts"
_WEB_FONTS = (".woff", ".woff2")
_FRAME_SHEETS = ("layers", "reset", "tokens", "base", "layout", "utilities", "print")
_SHEETS: dict[str, tuple[str, ...]] = {
    "home": ("hero", "home", "metrics", "project-card", "entries", "table", "simulation"),
    "project": ("page", "metrics", "entries", "table", "prose", "chart", "simulation"),
    "writing": ("page", "entries", "table", "prose", "chart"),
    "writings": ("page", "entries"),
    "tag": ("page", "entries", "metrics", "project-card"),
    "resume": ("entries", "metrics", "resume"),
    "not_found": ("page",),
}
TITLE_FONT = f"{_FONTS}/Inter-SemiBold.ttf"
MONO_FONT = f"{_FONTS}/JetBrainsMono-Regular.ttf"
_OWN_SHEET = "static/css/custom.css"
_TOKEN_SHEETS = ("static/css/tokens.css", _OWN_SHEET)
DRAWER = f"{SIMULATION}/browser/drawer.html"
DRAWER_SHEET = "static/css/controls.css"
_THEME_SCRIPT = "static/js/theme.js"
PAPER = "resume.typ"
_SCRIPTS: dict[str, tuple[str, ...]] = {
    "home": ("playhead", "log", "copy"),
    "reading": ("contents", "copy"),
}
_SCRIPT_OF = {"home": "home", "project": "reading", "writing": "reading"}
_LOADED = tuple(sorted({f"static/js/{name}.js" for names in _SCRIPTS.values() for name in names}))


class StaticFile(Struct, frozen=True):
    """A static file: where it lies, and whether it is the owner's."""

    path: str
    own: bool


class Assets(Struct, frozen=True):
    """
    The template folders and static files of one site.

    `template_folders` are pairs of a folder and its name in messages; `static` maps names such as
    `static/css/tokens.css` to files.
    """

    template_folders: tuple[tuple[str, str], ...]
    static: Mapping[str, StaticFile]

    def heads(self, base: Base, scripts: Mapping[str, str]) -> dict[str, Head]:
        """
        Give each kind of page its style sheet and scripts; `scripts` are the shrunk single ones.

        Raises SiteErrors with every style sheet that does not parse or would end the element in
        which it stands, and RenderError where the script would.
        """
        script = stylesheets.inline(_THEME_SCRIPT, scripts[_THEME_SCRIPT], "</script")
        sheets, joined = self._sheets(), _join(scripts)
        return {
            kind: Head(
                style=Markup("".join(sheets[name] for name in self._sheet_names(kind))),  # noqa: S704 -- checked by inline
                theme_script=Markup(script),  # noqa: S704 -- checked by inline
                scripts=(base.href(joined[_SCRIPT_OF[kind]][0]),) if kind in _SCRIPT_OF else (),
            )
            for kind in _SHEETS
        }

    def _sheet_names(self, kind: str) -> tuple[str, ...]:
        names = (f"static/css/{name}.css" for name in (*_FRAME_SHEETS, *_SHEETS[kind]))
        return (*names, *([_OWN_SHEET] if _OWN_SHEET in self.static else []))

    def _sheets(self) -> dict[str, str]:
        """Shrink every style sheet once; the parser's places are line and column from 1."""
        sheets: dict[str, str] = {}
        errors: list[RenderError] = []
        for name in dict.fromkeys(name for kind in _SHEETS for name in self._sheet_names(kind)):
            try:
                sheets[name] = self.sheet(name)
            except RenderError as error:
                errors.append(error)
        if errors:
            raise SiteErrors(errors)
        return sheets

    def sheets(self) -> dict[str, str]:
        """Give the style sheets that go into the heads of pages, as written, by their names."""
        sheets = (name for kind in _SHEETS for name in self._sheet_names(kind))
        return {name: self.text(name) for name in sorted({*sheets} & self.static.keys())}

    def single_scripts(self) -> dict[str, str]:
        """Give the scripts that are no modules of the simulation, as written, by their names."""
        return {name: self.text(name) for name in (_THEME_SCRIPT, *_LOADED)}

    def templates(self) -> list[tuple[str, bytes]]:
        """Give the name and bytes of every template, the owner's before the theme's."""
        found: list[tuple[str, bytes]] = []
        for folder, _ in self.template_folders:
            for place, folders, names in os.walk(folder):
                folders.sort()
                for name in sorted(names):
                    path = os.path.join(place, name)
                    with open(path, "rb") as file:
                        found.append((os.path.relpath(path, folder), file.read()))
            found.append(("", b""))
        return found

    def template(self, name: str) -> str:
        """Give the file of a template, the owner's before the theme's."""
        files = [os.path.join(folder, name) for folder, _ in self.template_folders]
        return next((file for file in files if os.path.isfile(file)), files[-1])

    def fonts(self) -> list[tuple[str, bytes]]:
        """Give the folder and bytes of every font, the theme's and the owner's."""
        names = [name for name in sorted(self.static) if name.startswith(f"{_FONTS}/")]
        return [
            (os.path.dirname(self.static[name].path), self.bytes(name))
            for name in names
            if name.endswith((".otf", ".ttf"))
        ]

    def token_sheets(self) -> dict[str, str]:
        """Give the style sheets that set the tokens by their names, in the order they count in."""
        return {name: self.text(name) for name in _TOKEN_SHEETS if name in self.static}

    def copied(self) -> dict[str, str]:
        """Map the site path of each file that is published as it is to its name."""
        return {name.removeprefix(STATIC): name for name in self._plain_files()}

    def sheet(self, name: str) -> str:
        """Shrink a style sheet; raise RenderError where it does not parse."""
        return stylesheets.shrink(name, self.text(name))

    def simulation_modules(self) -> dict[str, str]:
        """Give the simulation's modules by their names, such as `static/js/simulation/view.js`."""
        return {
            name: self.text(name)
            for name in sorted(self.static)
            if name.startswith(f"{SIMULATION}/") and name.endswith(".js")
        }

    def published(self, scripts: Mapping[str, str]) -> dict[str, bytes]:
        """
        Give every file that pages ask for by an address of its own, by its site path.

        `scripts` are the shrunk single ones.
        """
        return dict(_join(scripts).values()) | {
            path: self.bytes(name) for path, name in self.copied().items()
        }

    def _plain_files(self) -> list[str]:
        return [
            name
            for name in sorted(self.static)
            if name not in _LOADED and not self._is_built_in(name)
        ]

    def _is_built_in(self, name: str) -> bool:
        """Tell whether a file goes into others that are published, and does not stand alone."""
        sheets = {sheet for kind in _SHEETS for sheet in self._sheet_names(kind)}
        if name in {*sheets, DRAWER_SHEET, _THEME_SCRIPT}:
            return True
        if name.startswith(f"{_FONTS}/"):
            return not name.endswith(_WEB_FONTS)
        return name.startswith(f"{SIMULATION}/")

    def site_path(self, path: str) -> str:
        """Give the site path of a static file that a template asks for."""
        name = f"{STATIC}/{path}"
        if name not in self.static or self._is_built_in(name):
            raise RenderError(
                f'a template asks for the static file "{path}"',
                source=name,
                hint="there is no such file in the theme or the site",
            )
        return f"/{path}"

    def text(self, name: str) -> str:
        """Give the text of a static file; raise RenderError where there is none."""
        try:
            return self.bytes(name).decode()
        except UnicodeDecodeError as error:
            raise RenderError(
                f"not UTF-8: the byte at {error.start}", source=name, hint="save it as UTF-8"
            ) from None

    def bytes(self, name: str) -> bytes:
        """Give a static file; raise RenderError where there is none, or it cannot be read."""
        if name not in self.static:
            raise RenderError("there is no such file", source=name, hint="the theme needs it")
        try:
            with open(self.static[name].path, "rb") as file:
                return file.read()
        except OSError as error:
            raise RenderError(f"cannot be read: {error.strerror}", source=name) from None


def fingerprinted(site_path: str, data: bytes) -> str:
    """Give the site path of a file with a hash in its name, which changes with the bytes."""
    stem, suffix = os.path.splitext(site_path)
    return f"{stem}-{hashlib.sha256(data).hexdigest()[:10]}{suffix}"


def find(root: str) -> Assets:
    """Find the theme and what the site in the folder `root` puts before it."""
    theme = theme_folder()
    own_templates = os.path.join(root, TEMPLATES)
    theme_templates = os.path.join(theme, TEMPLATES)
    folders = [(theme_templates, "the theme's templates")]
    if _same(own_templates, theme_templates):
        folders = [(theme_templates, TEMPLATES)]
    elif os.path.lexists(own_templates):
        folders.insert(0, (own_templates, TEMPLATES))
        _list(own_templates, TEMPLATES, own=True)
    static = _list(os.path.join(theme, STATIC), STATIC, own=False)
    own_static = os.path.join(root, STATIC)
    if not _same(own_static, os.path.join(theme, STATIC)):
        static |= _list(own_static, STATIC, own=True) if os.path.lexists(own_static) else {}
    return Assets(tuple(folders), static)


def theme_folder() -> str:
    """Give the folder that holds the theme's `templates/` and `static/`."""
    package = os.path.dirname(os.path.abspath(__file__))
    checkout = os.path.dirname(os.path.dirname(package))
    for folder in (os.path.join(package, "theme"), checkout):
        if os.path.isfile(os.path.join(folder, TEMPLATES, "base.html")):
            return folder
    raise UsageError("the theme is not installed", hint="install the package again from its wheel")


def _join(scripts: Mapping[str, str]) -> dict[str, tuple[str, bytes]]:
    """Give the site path and the bytes of each script that pages load, by its name."""
    files = {}
    for name, parts in _SCRIPTS.items():
        # A shrunk script may end without a semicolon.
        data = "".join(f"{scripts[f'static/js/{part}.js']};\n" for part in parts).encode()
        files[name] = (fingerprinted(f"/js/{name}.js", data), data)
    return files


def _same(one: str, other: str) -> bool:
    return os.path.isdir(one) and os.path.isdir(other) and os.path.samefile(one, other)


def _list(folder: str, told: str, *, own: bool) -> dict[str, StaticFile]:
    """
    List the files below `folder`, which messages call `told`, and refuse what is no plain file.

    Hidden files are not seen, but for `.well-known`, which is an address of the web (RFC 8615).
    """
    found: dict[str, StaticFile] = {}
    errors: list[RenderError] = []
    if not inside(folder, os.path.dirname(folder)):
        errors.append(_refusal(told, "the folder is a link that leads out of the site"))
    elif not os.path.isdir(folder):
        errors.append(_refusal(told, "this is a file where a folder belongs"))
    else:
        _walk(folder, told, found, errors, own=own)
    if errors:
        raise SiteErrors(errors)
    return found


def _walk(
    folder: str,
    told: str,
    found: dict[str, StaticFile],
    errors: list[RenderError],
    *,
    own: bool,
) -> None:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        errors.append(_refusal(told, f"cannot be read: {error.strerror}"))
        return
    for entry in entries:
        name = f"{told}/{entry.name}"
        if entry.name.startswith(".") and entry.name != ".well-known":
            continue
        if not entry.name.isprintable():
            errors.append(_refusal(repr(name)[1:-1], "the name has signs that cannot be shown"))
        elif entry.is_symlink() and not inside(entry.path, folder):
            errors.append(_refusal(name, f"the link leads out of {told}/"))
        elif entry.is_dir(follow_symlinks=False):
            _walk(entry.path, name, found, errors, own=own)
        elif os.path.isfile(entry.path):
            found[name] = StaticFile(entry.path, own)
        else:
            errors.append(_refusal(name, "neither a file nor a folder"))


def _refusal(told: str, message: str) -> RenderError:
    return RenderError(message, source=told, hint="put plain files and folders there")
