"""
The simulation's scripts, run in an embedded engine.

The scheduler exists once, in `static/js/simulation`; nothing here computes a schedule. The engine
evaluates the text that the linker made and that the browser loads.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

import _quickjs
import msgspec
from markupsafe import Markup

from batcher_site.errors import SimulationError, SiteErrors
from batcher_site.linker import LinkedScript
from batcher_site.model import Prerendered


class _Engine(Protocol):
    """The part of the engine's context that is used; the engine itself has no types."""

    def eval(self, code: str) -> Callable[[str, str], object]: ...
    def set_time_limit(self, limit: float) -> None: ...
    def set_memory_limit(self, limit: int) -> None: ...
    def set_max_stack_size(self, limit: int) -> None: ...


# Only JSON text crosses the border: an object is the result, a list has the faults of the workload;
# anything else thrown is a fault of the modules. The engine cannot give away a string that was just
# concatenated, so none is. All is on one line: a frame in line 1 is never a module's.
_CALL = (
    "(name, text) => { try { return globalThis.GLOBAL[name](text); } catch (error) {"
    " if (!error || !error.problems) throw error; return JSON.stringify(error.problems); } }"
)
_FRAME = re.compile(r"<input>:(\d+):(\d+)")
_STACK_BYTES = 512 * 1024


class Simulator:
    """
    Runs linked modules, each call in a fresh engine of its own.

    `scripts` are evaluated in this order; the last one's global has `prerender` and
    `simulateWorkload`. `seconds` of processor time and `megabytes` are limits of one call.
    """

    __slots__ = ("megabytes", "scripts", "seconds")

    def __init__(self, *scripts: LinkedScript, seconds: float = 10.0, megabytes: int = 256) -> None:
        self.scripts = scripts
        self.seconds = seconds
        self.megabytes = megabytes

    def prerender(self, request: Mapping[str, Any]) -> Prerendered:
        """
        The fragments of a page for `{config, requests, at, total, items}`.

        Raises `SiteErrors` where the requests or settings are not valid, and `SimulationError`
        where a module fails or a limit is met.
        """
        text = json.dumps(request)
        try:
            json.dumps(request, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            message = f"a text with half a surrogate pair, {error.object[error.start]!r}"
            raise SimulationError(message, hint="write the character itself") from error
        return msgspec.json.decode(
            self._call("prerender", text, "simulation"),
            type=Prerendered,
            dec_hook=_mark_up,
        )

    def simulate(self, workload: bytes, *, source: str = "workload.json") -> str:
        """
        The trace of a workload, as JSON text in the form of section 9 of the specification.

        Raises `SiteErrors` with every fault of the workload, and `SimulationError` where it is no
        JSON, a module fails or a limit is met.
        """
        return self._call("simulateWorkload", json.dumps(_read_json(workload, source)), source)

    def _call(self, function: str, text: str, source: str) -> str:
        try:
            answer = self._evaluate([script.text for script in self.scripts], function, text)
        except _quickjs.JSException as error:
            raise self._failure(str(error), self._stack(function, text), source) from error
        if not isinstance(answer, str):
            raise SimulationError(f"{function} gave no text, but {answer!r}", source=source)
        if answer.startswith("["):
            problems = json.loads(answer)
            raise SiteErrors(_workload_fault(problem, source) for problem in problems)
        return answer

    def _evaluate(self, scripts: Sequence[str], function: str, text: str) -> object:
        context: _Engine = _quickjs.Context()
        context.set_memory_limit(self.megabytes * 1024 * 1024)
        context.set_time_limit(self.seconds)
        context.set_max_stack_size(_STACK_BYTES)
        context.eval(";".join(scripts))
        call = context.eval(_CALL.replace("GLOBAL", self.scripts[-1].global_name))
        return call(function, text)

    def _stack(self, function: str, text: str) -> str:
        """Give the stack of a failure once more, with the lines of the modules as written."""
        try:
            self._evaluate([script.linked for script in self.scripts], function, text)
        except _quickjs.JSException as error:
            return str(error).partition("\n    at ")[2]
        return ""

    def _failure(self, text: str, stack: str, source: str) -> SimulationError:
        """An exception of the engine as a fault with its place in a module."""
        message = text.partition("\n    at ")[0]
        message = message.removesuffix("\nundefined").strip()
        too_long = f"the simulation took more than {self.seconds:g} s"
        too_large = f"the simulation took more than {self.megabytes} MB"
        # Without memory for an error of its own the engine throws null.
        limits = {
            "InternalError: interrupted": too_long,
            "InternalError: out of memory": too_large,
            "null": too_large,
        }
        if message in limits:
            hint = "give fewer or shorter requests, or earlier arrivals"
            return SimulationError(limits[message], source=source, hint=hint)
        hint = "this is a fault in the module, not in the workload"
        for frame in _FRAME.finditer(stack):
            if place := self._place(int(frame[1]), int(frame[2])):
                at, line, column = place
                return SimulationError(message, source=at, line=line, column=column, hint=hint)
        return SimulationError(message, source=source, hint=hint)

    def _place(self, line: int, column: int) -> tuple[str, int, int] | None:
        """Give the place in a module of a place in all the scripts together."""
        for script in self.scripts:
            if line <= script.lines:
                return script.place(line, column)
            line -= script.lines
        return None


def _workload_fault(problem: Mapping[str, str], source: str) -> SimulationError:
    path = problem["path"] or "workload"
    hint = 'the README lists keys and limits under "Workloads"'
    return SimulationError(f"{path}: {problem['message']}", source=source, hint=hint)


def _read_json(text: bytes, source: str) -> object:
    hint = "give one JSON object with `requests` and, if wanted, `config`"
    try:
        return json.loads(
            text.decode("utf-8-sig"),
            parse_constant=_no_number,
            parse_float=_number,
            object_pairs_hook=_unique_keys,
        )
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg}"
        line, column = error.lineno, error.colno
        raise SimulationError(
            message, source=source, line=line, column=column, hint=hint
        ) from error
    except (ValueError, RecursionError) as error:
        raise SimulationError(f"not JSON: {error}", source=source, hint=hint) from error


def _number(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _no_number(text)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f'the key "{twice}" stands twice in one object')
    return table


def _mark_up(kind: type, value: str) -> Markup:
    """The view escapes what it prints, so its strings are finished markup."""
    if kind is not Markup:
        raise NotImplementedError(kind)
    return Markup(value)  # noqa: S704
