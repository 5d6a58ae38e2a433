"""
The theme and the owner's static files: found, joined, and fingerprinted for the page's policy.

The theme lies beside the package in a wheel and at the repository's top in a checkout. A file in
the owner's `static/` or `templates/` stands before the theme's file of the same name.
Style sheets are joined per kind of page and stand inside the page, because a style sheet that is
fetched costs half a second on a slow phone; the policy allows them by their hash.
"""

import os
from collections.abc import Mapping

from markupsafe import Markup
from msgspec import Struct
from rcssmin import cssmin

from batcher_site.errors import RenderError, SiteErrors, UsageError
from batcher_site.pages import Head

STATIC = "static"
TEMPLATES = "templates"
SIMULATION = "static/js/simulation"

_FRAME_SHEETS = ("layers", "reset", "tokens", "base", "layout", "utilities", "print")
_SHEETS: dict[str, tuple[str, ...]] = {
    "home": ("hero", "home", "metrics", "project-card", "entries", "table", "simulation"),
    "project": ("page", "metrics", "entries", "table", "prose", "simulation"),
    "writing": ("page", "entries", "prose"),
    "writings": ("page", "entries"),
    "tag": ("page", "entries", "metrics", "project-card"),
    "resume": ("page", "entries", "metrics", "resume"),
    "not_found": ("page", "entries"),
}
_OWN_SHEET = "custom"
_THEME_SCRIPT = "static/js/theme.js"
_BUILT_FOLDERS = ("static/css/", "static/js/")


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

    def heads(self) -> dict[str, Head]:
        """Give each kind of page its style sheet, inline script and content security policy."""
        script = self.text(_THEME_SCRIPT).strip()
        if "</script" in script.lower():
            raise RenderError(
                "the inline script would end its own element",
                source=_THEME_SCRIPT,
                hint="write the closing tag in two pieces",
            )
        return {kind: self._head(kind, script) for kind in _SHEETS}

    def _head(self, kind: str, script: str) -> Head:
        style = self._style(kind)
        return Head(
            style=Markup(style),  # noqa: S704 -- our own style sheets, without a closing tag
            theme_script=Markup(script),  # noqa: S704 -- our own script, checked by heads()
        )

    def _style(self, kind: str) -> str:
        names = [f"static/css/{name}.css" for name in (*_FRAME_SHEETS, *_SHEETS[kind])]
        own = f"static/css/{_OWN_SHEET}.css"
        if own in self.static:
            names.append(own)
        style = str(cssmin("\n".join(self.text(name) for name in names)))
        if "</style" in style.lower():
            raise RenderError("a style sheet would end its own element", source=names[-1])
        return style

    def simulation_modules(self) -> dict[str, str]:
        """Give the simulation's modules by their names, such as `static/js/simulation/view.js`."""
        return {
            name: self.text(name)
            for name in sorted(self.static)
            if name.startswith(f"{SIMULATION}/") and name.endswith(".js")
        }

    def published(self) -> dict[str, bytes]:
        """Give every file that is copied as it is, by its site path."""
        return {
            name.removeprefix(STATIC): self._bytes(name)
            for name in sorted(self.static)
            if not name.startswith(_BUILT_FOLDERS)
        }

    def site_path(self, path: str) -> str:
        """Give the site path of a static file that a template asks for."""
        name = f"{STATIC}/{path}"
        if name not in self.static or name.startswith(_BUILT_FOLDERS):
            raise RenderError(
                f'a template asks for the static file "{path}"',
                source=name,
                hint="there is no such file in the theme or the site",
            )
        return f"/{path}"

    def text(self, name: str) -> str:
        """Give the text of a static file; raise RenderError where there is none."""
        try:
            return self._bytes(name).decode()
        except UnicodeDecodeError as error:
            raise RenderError(
                f"not UTF-8: the byte at {error.start}", source=name, hint="save it as UTF-8"
            ) from None

    def _bytes(self, name: str) -> bytes:
        if name not in self.static:
            raise RenderError("there is no such file", source=name, hint="the theme needs it")
        try:
            with open(self.static[name].path, "rb") as file:
                return file.read()
        except OSError as error:
            raise RenderError(f"cannot be read: {error.strerror}", source=name) from None


def find(root: str) -> Assets:
    """Find the theme and what the site in the folder `root` puts before it."""
    theme = theme_folder()
    own_templates = os.path.join(root, TEMPLATES)
    theme_templates = os.path.join(theme, TEMPLATES)
    folders = [(theme_templates, "the theme's templates")]
    if _same(own_templates, theme_templates):
        folders = [(theme_templates, TEMPLATES)]
    elif os.path.isdir(own_templates):
        folders.insert(0, (own_templates, TEMPLATES))
    static = _list(os.path.join(theme, STATIC), own=False)
    own_static = os.path.join(root, STATIC)
    if not _same(own_static, os.path.join(theme, STATIC)):
        static |= _list(own_static, own=True)
    return Assets(tuple(folders), static)


def theme_folder() -> str:
    """Give the folder that holds the theme's `templates/` and `static/`."""
    package = os.path.dirname(os.path.abspath(__file__))
    checkout = os.path.dirname(os.path.dirname(package))
    for folder in (os.path.join(package, "theme"), checkout):
        if os.path.isfile(os.path.join(folder, TEMPLATES, "base.html")):
            return folder
    raise UsageError("the theme is not installed", hint="install the package again from its wheel")


def _same(one: str, other: str) -> bool:
    return os.path.isdir(one) and os.path.isdir(other) and os.path.samefile(one, other)


def _list(folder: str, *, own: bool) -> dict[str, StaticFile]:
    found: dict[str, StaticFile] = {}
    errors: list[RenderError] = []
    real_folder = os.path.realpath(folder)
    for path, names, files in os.walk(folder):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(files):
            full = os.path.join(path, name)
            told = STATIC + full.removeprefix(folder).replace(os.sep, "/")
            if name.startswith("."):
                continue
            if os.path.commonpath([os.path.realpath(full), real_folder]) != real_folder:
                errors.append(
                    RenderError(
                        f"the link leads out of {STATIC}/",
                        source=told,
                        hint="copy the file instead",
                    )
                )
            found[told] = StaticFile(full, own)
    if errors:
        raise SiteErrors(errors)
    return found
