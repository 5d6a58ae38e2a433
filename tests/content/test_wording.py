"""The facts are the earlier portfolio's; its sentences are not, and no address was made up."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.content.wording import mark, runs

CONTENT = Path(__file__).resolve().parents[2] / "content"
EARLIER_RUNS = frozenset(
    Path(__file__).with_name("earlier_runs.txt").read_text(encoding="ascii").split()
)
# Titles of pull requests and labels of figures are names: they stay as they are.
NAMES = (
    "[Bugfix][LoRA] Validate dtype at config time for Triton LoRA kernels",
    "Paged serving, 32 concurrent requests on GPT-2 small",
    "Throughput, 1 → 32 concurrent requests (GPT-2 small)",
    "Of FP32 peak, Triton matmul at N=2048",
    "Honest result: vLLM 0.21.0 is faster, at 32 requests",
    "Hugging Face with KV cache, at 32 concurrent requests",
)
ADDRESSES = {
    "https://github.com/VrajPatel105",
    "https://github.com/VrajPatel105/paged-inference-engine",
    "https://github.com/VrajPatel105/cpp-gpu-inference",
    "https://github.com/VrajPatel105/edge-quantization-snapdragon",
    "https://github.com/VrajPatel105/modern-llm-from-scratch",
    "https://github.com/vllm-project/vllm/pull/61901",
}
STAND_IN = "https://site.example/"
EMAIL = "vrajpatel.jobs@gmail.com"

_ADDRESS = re.compile(r"\b(?:https?|ftp)://[^\s)>\]\"'`]+|\bwww\.[^\s)>\]\"'`]+")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_HREF = re.compile(r"<a\b[^>]*?\bhref=(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))")


def _texts() -> dict[str, str]:
    return {
        path.relative_to(CONTENT).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(CONTENT.rglob("*"))
        if path.suffix in {".md", ".yaml"}
    }


@pytest.mark.parametrize("name", sorted(_texts()))
def test_no_sentence_of_the_earlier_portfolio_is_repeated(name: str) -> None:
    assert list(_repeated(_texts()[name])) == []


def _repeated(text: str) -> Iterator[str]:
    for name in NAMES:
        text = text.replace(name, "\n")
    return (" ".join(run) for run in runs(text) if mark(run) in EARLIER_RUNS)


def test_a_run_of_words_of_the_earlier_portfolio_is_known_again() -> None:
    """A title that stays is known in any setting; the list of names is what lets it through."""
    title = "Validate dtype at config\n  time, for TRITON (LoRA) kernels."
    assert len(list(_repeated(f"I wrote: {title} It is new."))) == 2
    assert list(_repeated(NAMES[0])) == []


def test_the_content_has_the_known_addresses_and_no_other() -> None:
    found = {address for text in _texts().values() for address in _ADDRESS.findall(text)}
    assert found == ADDRESSES


def test_the_content_has_one_email() -> None:
    found = {email for text in _texts().values() for email in _EMAIL.findall(text)}
    assert found == {EMAIL}


def test_the_notes_link_to_no_address() -> None:
    for path in sorted((CONTENT / "notes").glob("*.pdf")):
        assert b"/URI" not in path.read_bytes(), path.name


def test_the_shipped_site_links_to_the_known_addresses_and_no_other(
    shipped_site: Mapping[str, bytes],
) -> None:
    pages = [page for path, page in shipped_site.items() if path.endswith(".html")]
    links = {"".join(groups) for page in pages for groups in _HREF.findall(page.decode("utf-8"))}
    outward = {link for link in links if re.match(r"[a-z]+:|//", link)}
    elsewhere = {link for link in outward if not link.startswith((STAND_IN, f"mailto:{EMAIL}"))}
    assert elsewhere == ADDRESSES
    assert any(link.startswith(f"mailto:{EMAIL}") for link in outward)
