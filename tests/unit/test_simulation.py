"""The embedded engine: what crosses its border, and its limits."""

import json
from pathlib import Path

import pytest
from markupsafe import Markup

from batcher_site.errors import SimulationError, SiteErrors
from batcher_site.linker import link
from batcher_site.simulation import Simulator

FOLDER = Path(__file__).parents[2] / "static" / "js" / "simulation"
ENTRY = "static/js/simulation/prerender.js"
LENGTHS = [(24, 18), (40, 30), (96, 12), (16, 44), (64, 22), (150, 10), (32, 36), (20, 16)]


@pytest.fixture(scope="module")
def simulator() -> Simulator:
    modules = {
        f"static/js/simulation/{path.name}": path.read_text() for path in FOLDER.glob("*.js")
    }
    return Simulator(link(modules, ENTRY, global_name="BatcherSimulation"))


def running(body: str, *, seconds: float = 10.0, megabytes: int = 256) -> Simulator:
    """A simulator whose only module does what the test wants."""
    source = f"export function simulateWorkload(json) {{\n  {body}\n}}\n"
    script = link({ENTRY: source}, ENTRY, global_name="Broken")
    return Simulator(script, seconds=seconds, megabytes=megabytes)


def failure(body: str, *, seconds: float = 10.0, megabytes: int = 256) -> SimulationError:
    with pytest.raises(SimulationError) as caught:
        running(body, seconds=seconds, megabytes=megabytes).simulate(b"{}", source="w.json")
    return caught.value


def problems(simulator: Simulator, workload: bytes) -> list[str]:
    with pytest.raises(SiteErrors) as caught:
        simulator.simulate(workload, source="w.json")
    return [str(error) for error in caught.value.errors]


def request(label: str = "{}") -> dict[str, object]:
    requests = [
        {"id": f"r{i}", "prompt": prompt, "output": output, "arrival": 0}
        for i, (prompt, output) in enumerate(LENGTHS)
    ]
    items = {
        str(r["id"]): {"label": label.format(r["id"]), "title": "", "href": "/", "pinned": False}
        for r in requests
    }
    return {"config": {}, "requests": requests, "at": None, "total": 8, "items": items}


def test_a_page_is_prerendered_as_markup(simulator: Simulator) -> None:
    page = simulator.prerender(request())
    assert (page.at, page.iterations, page.static_iterations) == (14, 66, 86)
    assert isinstance(page.html.timeline, Markup)
    assert all(isinstance(life, Markup) for life in page.lives.values())
    assert page.metrics["peak_blocks"] == 23
    assert page.config["blocks"] == 64


@pytest.mark.parametrize("label", ["a\0b", "\U0001f600 {}", "</script>", "\u2028"])
def test_any_text_crosses_the_border_whole(simulator: Simulator, label: str) -> None:
    """The engine cuts a raw string at NUL; JSON text has none."""
    wanted = Markup.escape(label.format("r0"))
    assert f">{wanted}</a>" in simulator.prerender(request(label)).html.table


def test_half_a_surrogate_pair_is_refused(simulator: Simulator) -> None:
    with pytest.raises(SimulationError, match="half a surrogate pair"):
        simulator.prerender(request("a\ud800b"))


def test_half_a_surrogate_pair_in_an_id_comes_back_as_it_was(simulator: Simulator) -> None:
    workload = json.dumps({"requests": [{"id": "\ud800", "prompt": 1, "output": 1}]})
    assert json.loads(simulator.simulate(workload.encode()))["requests"][0]["id"] == "\ud800"


def test_a_trace_is_a_valid_workload(simulator: Simulator) -> None:
    workload = json.dumps({"name": "n", "requests": [{"id": "a", "prompt": 20, "output": 4}]})
    trace = simulator.simulate(workload.encode())
    assert simulator.simulate(trace.encode()) == trace


def test_a_byte_order_mark_is_no_part_of_a_workload(simulator: Simulator) -> None:
    assert simulator.simulate(b'\xef\xbb\xbf{"requests": []}').startswith('{"config":')


def test_every_fault_of_a_workload_is_told_with_its_path(simulator: Simulator) -> None:
    workload = {"config": {"slot": 1}, "requests": [{"id": "a", "prompt": 0}]}
    keys = "slots, blocks, block_size, budget, policy, lookahead, skip_threshold, tick_floor"
    assert problems(simulator, json.dumps(workload).encode()) == [
        f"w.json: config.slot: unknown key; the keys are {keys}, prefix_cache",
        "w.json: requests[0].output: is missing",
        "w.json: requests[0].prompt: must be an integer from 1 to 1000000, not 0",
    ]


@pytest.mark.parametrize(
    ("workload", "said"),
    [
        (b'{"requests": [\n,]}', "w.json:2:1: not JSON"),
        (b'{"requests": NaN}', "w.json: not JSON: NaN is not a number in JSON"),
        (b'{"requests": [], "requests": []}', 'w.json: not JSON: the key "requests" stands twice'),
        (b"\xff", "w.json: not JSON: 'utf-8' codec"),
        (b"[" * 100_000, "w.json: not JSON: "),
        (b"", "w.json:1:1: not JSON"),
    ],
)
def test_what_is_no_json_is_refused(simulator: Simulator, workload: bytes, said: str) -> None:
    with pytest.raises(SimulationError) as caught:
        simulator.simulate(workload, source="w.json")
    assert str(caught.value).startswith(said)
    assert caught.value.hint


def test_what_is_json_but_no_object_is_refused(simulator: Simulator) -> None:
    (problem,) = problems(simulator, b"[]")
    assert problem == "w.json: workload: must be an object with requests, not []"


def test_an_endless_loop_ends_with_the_time_limit() -> None:
    error = failure("for (;;);", seconds=0.1)
    assert str(error) == "w.json: the simulation took more than 0.1 s"
    assert error.hint == "give fewer or shorter requests, or earlier arrivals"


def test_an_endless_regular_expression_ends_with_the_time_limit() -> None:
    error = failure('return /(a+)+$/.test("a".repeat(40) + "b") ? json : json;', seconds=0.1)
    assert error.message == "the simulation took more than 0.1 s"


def test_a_memory_bomb_ends_with_the_memory_limit() -> None:
    error = failure("const a = []; for (;;) a.push(new Array(1000).fill(1));", megabytes=16)
    assert error.message == "the simulation took more than 16 MB"


def test_calls_without_an_end_are_told_with_their_place() -> None:
    error = failure("return simulateWorkload(json);")
    assert "call stack" in error.message
    assert (error.source, error.line) == (ENTRY, 2)


def test_nothing_is_left_from_one_call_to_the_next() -> None:
    simulator = running(
        "globalThis.calls = (globalThis.calls ?? 0) + 1;\n"
        "  return JSON.stringify({ calls: globalThis.calls });"
    )
    assert [simulator.simulate(b"{}") for _ in range(2)] == ['{"calls":1}'] * 2


@pytest.mark.parametrize("thrown", ['"text"', "{ a: 1 }", "1"])
def test_whatever_is_thrown_is_a_fault_of_the_module(thrown: str) -> None:
    assert failure(f"throw {thrown};").hint == "this is a fault in the module, not in the workload"


def test_a_result_that_is_no_text_is_refused() -> None:
    assert "gave no text" in str(failure("return undefined;"))
