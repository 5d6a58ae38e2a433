"""From content to requests: DESIGN's derivation of lengths, and the owner's own."""

import pytest

from batcher_site.model import RequestLengths
from batcher_site.workload import Request, entries
from tests.unit.values import content, metric, project, pull_request


def request(**meta: object) -> Request:
    (entry,) = entries(content(projects=(project("x", **meta),)))
    return entry.request


@pytest.mark.parametrize(
    ("words", "prompt"), [(1, 16), (4, 16), (5, 20), (37, 148), (38, 150), (400, 150)]
)
def test_a_prompt_is_four_tokens_a_word_of_the_summary_within_limits(
    words: int, prompt: int
) -> None:
    assert request(summary=" ".join(["word"] * words)).prompt == prompt


@pytest.mark.parametrize(("metrics", "output"), [(0, 8), (1, 14), (6, 44), (7, 44)])
def test_an_output_is_eight_tokens_and_six_a_metric_within_limits(
    metrics: int, output: int
) -> None:
    assert request(metrics=[metric("M", "1")] * metrics).output == output


def test_a_request_is_there_from_the_beginning() -> None:
    assert request().arrival == 0


@pytest.mark.parametrize(
    ("own", "made"),
    [
        (RequestLengths(prompt=1), Request("x", 1, 8, 0)),
        (RequestLengths(output=999), Request("x", 20, 999, 0)),
        (RequestLengths(arrival=3), Request("x", 20, 8, 3)),
        (RequestLengths(prompt=4000, output=1, arrival=0), Request("x", 4000, 1, 0)),
    ],
)
def test_a_key_of_the_owner_replaces_what_is_derived_key_by_key(
    own: RequestLengths, made: Request
) -> None:
    assert request(request=own) == made


def test_a_pull_request_is_a_request_by_its_title_and_headline() -> None:
    items = (
        pull_request(number=1, title="one two three four five"),
        pull_request(number=2, headline="+5%", request=RequestLengths(prompt=24)),
    )
    first, second = entries(content(pull_requests=items))
    assert (first.request, second.request) == (
        Request("vllm-1", 20, 8, 0),
        Request("vllm-2", 24, 14, 0),
    )
    assert (first.label, first.title) == ("vLLM #1", "vLLM #1: one two three four five")
    assert first.site_path == "/#vllm-1"


def test_the_pinned_come_first_and_else_the_order_stays() -> None:
    read = content(
        projects=(project("a"), project("b", pinned=True), project("c")),
        pull_requests=(pull_request(number=1), pull_request(number=2, pinned=True)),
    )
    assert [entry.request.id for entry in entries(read)] == ["b", "vllm-2", "a", "c", "vllm-1"]
    assert [entry.pinned for entry in entries(read)] == [True, True, False, False, False]


def test_a_project_is_named_by_its_slug_and_told_on_its_page() -> None:
    (entry,) = entries(content(projects=(project("paged"),)))
    assert (entry.label, entry.title, entry.site_path) == ("paged", "Paged", "/projects/paged/")
