"""
Modules that are loaded when something in them is first used: the one place that decides which.

Most builds need few stages: a text that is known is not parsed, a page that is known is not
rendered. Importers write plain imports at their top (`from batcher_site import prose`) and name
what they use through the module, so the layers and the types stay as they are.
"""

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec

import batcher_site

_COSTLY = (
    *("audit", "chart_table", "charts", "documents", "external", "frontmatter"),
    *("imaging", "maths", "minifier", "painter", "pool", "prose"),
    *("render", "resume_json", "simulation", "stylesheets", "validation"),
)


def defer() -> None:
    """Put off the loading of every costly module that is not loaded yet."""
    for name in _COSTLY:
        path = f"{batcher_site.__name__}.{name}"
        spec = find_spec(path) if path not in sys.modules else None
        if spec is None or spec.loader is None:
            continue  # loaded, or missing: then its importer says so
        loader = LazyLoader(spec.loader)
        spec.loader = loader
        module = module_from_spec(spec)
        sys.modules[path] = module
        # An import that finds it here asks it for nothing; one that looks it up would load it.
        setattr(batcher_site, name, module)
        loader.exec_module(module)
