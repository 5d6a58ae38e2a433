"""The shipped modules in an embedded engine that stays warm, for thousands of short runs."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import _quickjs

from batcher_site.linker import link

ROOT = Path(__file__).parents[2]
ENTRIES = ("prerender.js", "replay.js")


def shipped_modules() -> dict[str, str]:
    """Give the texts of the shipped modules by their names."""
    folder = ROOT / "static" / "js" / "simulation"
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.js")}


class Engine:
    """
    Runs one workload after the other in one context, unlike `Simulator`, which makes one for each.

    A call then costs a third, and a module that keeps something from one run to the next is found
    out. `modules` are the shipped ones, or changed ones. Every call may take `seconds` of processor
    time; what fails raises `_quickjs.JSException`.
    """

    def __init__(self, modules: Mapping[str, str], *, seconds: float = 10.0) -> None:
        entry = Path(__file__).with_name("replay.js").read_text(encoding="utf-8")
        script = link({**modules, "replay.js": entry}, ENTRIES, global_name="Scheduler")
        self._context = _quickjs.Context()
        self._context.set_memory_limit(256 * 1024 * 1024)
        self._context.set_time_limit(seconds)
        self._context.set_max_stack_size(512 * 1024)
        self._context.eval(script.text)
        self._call = self._context.eval("(name, text) => globalThis.Scheduler[name](text)")

    def trace(self, workload: Mapping[str, Any]) -> str:
        """Give the trace of a workload as JSON text, in the form of section 9."""
        answer: str = self._call("simulateWorkload", json.dumps(workload))
        return answer

    def replay(self, workload: Mapping[str, Any], times: Sequence[int]) -> list[dict[str, Any]]:
        """Give the rows of a run in which each request is submitted before iteration `times[i]`."""
        text = json.dumps({"workload": workload, "times": times})
        rows: list[dict[str, Any]] = json.loads(self._call("replay", text))
        return rows
