"""
All JavaScript that is published: the simulation's modules linked, and everything shrunk.

The shrunk text is the one that is run, in the engine and in browsers; faults are told with their
places in the files as they were written.
"""

from collections.abc import Mapping

from msgspec import Struct, structs

from batcher_site import minifier
from batcher_site.errors import RenderError, SiteErrors
from batcher_site.linker import LinkedScript, link
from batcher_site.urls import MODULES as FOLDER

# What the script of the page shares with the other two.
_SHARED = (
    *("arithmetic", "blocks", "finite-run", "first-come", "frame", "gauges", "markup", "moment"),
    *("progress", "queue", "scheduler", "sizes", "static-batching"),
    *("browser/drawing", "browser/patch"),
)


class Scripts(Struct, frozen=True):
    """
    The simulation's modules as three scripts, each of which needs the first, and all others.

    `page` is what a page with the figure loads, `controls` what it loads when a visitor wants more,
    `prerender` what only a build and the command line run; it is not shrunk. `single` has the
    others by their names.
    """

    page: LinkedScript
    controls: LinkedScript
    prerender: LinkedScript
    single: dict[str, str]


def make(modules: Mapping[str, str], single: Mapping[str, str]) -> Scripts:
    """
    Link the modules of `static/js/simulation` and shrink all scripts.

    Raises SiteErrors with every refusal of the linker, or with every script that does not parse.
    """
    linked = link_modules(modules)
    shrunk: dict[str, str] = {}
    errors: list[RenderError] = []
    texts = {"page": linked.page.linked, "controls": linked.controls.linked, **single}
    for name, text in texts.items():
        try:
            shrunk[name] = minifier.shrink(name, text)
        except RenderError as error:
            errors.append(_in_module(error, linked))
    if errors:
        raise SiteErrors(errors)
    return Scripts(
        page=structs.replace(linked.page, text=shrunk.pop("page")),
        controls=structs.replace(linked.controls, text=shrunk.pop("controls")),
        prerender=linked.prerender,
        single=shrunk,
    )


def link_modules(modules: Mapping[str, str]) -> Scripts:
    """Link the modules of `static/js/simulation`; raise SiteErrors with every refusal."""
    shared = [f"{FOLDER}/{name}.js" for name in _SHARED]
    element = f"{FOLDER}/browser/element.js"
    page = link(modules, [*shared, element], global_name="batcherSimulation")
    controls = f"{FOLDER}/browser/controls.js"
    prerender = f"{FOLDER}/prerender.js"
    return Scripts(
        page=page,
        controls=link(modules, controls, global_name="batcherControls", base=page),
        prerender=link(modules, prerender, global_name="batcherPrerender", base=page),
        single={},
    )


def _in_module(error: RenderError, linked: Scripts) -> RenderError:
    """Tell a fault of a linked script with its place in a module."""
    script = {"page": linked.page, "controls": linked.controls}.get(error.source or "")
    found = script.place(error.line or 0, error.column or 0) if script else None
    if not found:
        return error
    source, line, column = found
    return RenderError(error.message, source=source, line=line, column=column, hint=error.hint)
