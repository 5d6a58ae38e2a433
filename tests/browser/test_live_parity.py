"""One simulation: the embedded engine, Node and Chromium give the same bytes."""

import json
import shutil
import subprocess
from pathlib import Path

import _quickjs
import pytest
from playwright.sync_api import Browser

from batcher_site.assets import find
from batcher_site.scripts import make

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
LENGTHS = [(24, 18), (40, 30), (96, 12), (16, 44), (64, 22), (150, 10), (32, 36), (20, 16)]
CONFIGS = {
    "shipped": {},
    "under pressure, shortest first": {"blocks": 12, "policy": "shortest"},
    "wide, looking ahead": {"slots": 16, "budget": 32, "policy": "lookahead", "block_size": 5},
}
RUN = """(text) => {
  const { prerender, simulateWorkload } = globalThis.batcherPrerender;
  return JSON.stringify([prerender(text), simulateWorkload(text)]);
}"""


@pytest.fixture(scope="module")
def scripts() -> str:
    found = find(str(ROOT))
    made = make(found.simulation_modules(), found.single_scripts())
    return f"{made.page.text};{made.prerender.text}"


def node() -> str:
    record = ROOT / ".venv" / "node-path"
    path = record.read_text(encoding="utf-8").strip() if record.is_file() else shutil.which("node")
    assert path is not None
    return path


@pytest.mark.parametrize("name", CONFIGS)
def test_three_engines_give_the_same_traces_and_markup(
    name: str, scripts: str, browser: Browser
) -> None:
    requests = [
        {"id": f"r{i}", "prompt": prompt, "output": output, "arrival": i % 3}
        for i, (prompt, output) in enumerate(LENGTHS)
    ]
    items = {
        str(request["id"]): {"label": "Ä & <b>", "title": "", "href": "/a/", "pinned": i == 2}
        for i, request in enumerate(requests)
    }
    given = json.dumps(
        {"config": CONFIGS[name], "requests": requests, "at": 20, "total": 9, "items": items}
    )
    context = _quickjs.Context()
    context.eval(scripts)
    embedded = context.eval(RUN)(given)
    program = f"{scripts}\nprocess.stdout.write(({RUN})({json.dumps(given)}));"
    in_node = subprocess.run(
        [node(), "-"], input=program, capture_output=True, check=True, text=True
    )
    page = browser.new_page()
    page.evaluate(f"() => {{ {scripts} }}")
    in_chromium = page.evaluate(RUN, given)
    page.close()
    assert len(embedded) > 10_000
    assert embedded == in_node.stdout == in_chromium
