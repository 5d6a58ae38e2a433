"""What is published of the scripts: shrunk, run as it is, and told in the words of the files."""

import gzip
from pathlib import Path

import pytest

from batcher_site import minifier, scripts
from batcher_site.assets import find
from batcher_site.errors import RenderError, SimulationError, SiteErrors
from batcher_site.simulation import Simulator

FOLDER = "static/js/simulation"


@pytest.fixture(scope="module")
def modules() -> dict[str, str]:
    """The shipped modules."""
    return find(str(Path(__file__).parents[2])).simulation_modules()


def test_a_shrunk_script_says_the_same_in_fewer_bytes() -> None:
    shrunk = minifier.shrink("a.js", "// Why.\nfunction add(first, second) { return first + 1; }\n")
    assert shrunk == "function add(e){return e+1}"


def test_a_script_that_does_not_parse_is_told_with_its_place() -> None:
    with pytest.raises(RenderError) as caught:
        minifier.shrink("a.js", "go();\n\nretur 1;\n")
    assert str(caught.value) == "a.js:3:7: not valid JavaScript: unexpected 1 in expression"
    assert caught.value.hint


def test_the_engine_runs_the_published_text(modules: dict[str, str]) -> None:
    made = scripts.make(modules, {})
    linked = scripts.link_modules(modules)
    assert len(gzip.compress(made.page.text.encode())) < len(linked.page.text.encode()) / 4
    workload = b'{"requests": [{"id": "a", "prompt": 20, "output": 5, "arrival": 0}]}'
    assert Simulator(made.page, made.prerender).simulate(workload) == Simulator(
        linked.page, linked.prerender
    ).simulate(workload)


def test_the_single_scripts_are_shrunk_by_their_names(modules: dict[str, str]) -> None:
    made = scripts.make(modules, {"a.js": "// one\ngo();\n", "b.js": "stop();\n"})
    assert made.single == {"a.js": "go()", "b.js": "stop()"}


def test_every_script_that_does_not_parse_is_told(modules: dict[str, str]) -> None:
    """The linked ones with the module and the place in it."""
    name = f"{FOLDER}/mode.js"
    changed = modules | {name: modules[name].replace("return", "return )")}
    with pytest.raises(SiteErrors) as caught:
        scripts.make(changed, {"a.js": "go("})
    line = modules[name][: modules[name].index("return")].count("\n") + 1
    places = [error.place for error in caught.value.errors]
    assert places == ["a.js:1:4", f"{name}:{line}:10"]


def test_a_failure_of_a_shrunk_script_is_told_with_its_place_in_a_module(
    modules: dict[str, str],
) -> None:
    name = f"{FOLDER}/scheduler.js"
    source = modules[name]
    body = source.index("export function step(")
    start = source.index("{", body) + 1
    changed = modules | {name: f"{source[:start]}\n  null.tokens;{source[start:]}"}
    made = scripts.make(changed, {})
    workload = b'{"requests": [{"id": "a", "prompt": 20, "output": 5, "arrival": 0}]}'
    with pytest.raises(SimulationError) as caught:
        Simulator(made.page, made.prerender).simulate(workload)
    assert (caught.value.source, caught.value.line) == (name, source[:start].count("\n") + 2)
    assert "null" in caught.value.message
