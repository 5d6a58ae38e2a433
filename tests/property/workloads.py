"""Hypothesis strategies for workloads of the scheduler: small memories, so that rules collide."""

from typing import Any, TypeAlias

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

Workload: TypeAlias = dict[str, Any]

POLICIES = ("fcfs", "lookahead", "reserve", "shortest", "priority")
CASES = [(policy, prefix_cache) for policy in POLICIES for prefix_cache in (0, 1)]
# Names that a table keyed by ids could trip over.
ODD_IDS = ("__proto__", "constructor", "0", "-1", 'a "b"', "ä", "🦉", " ", "a@2")
# The text "1" is another group than the number 1.
GROUPS = (0, 1, "1", "g")


@st.composite
def workloads(draw: st.DrawFn, policy: str, prefix_cache: int) -> Workload:
    """
    Draw a workload under a policy.

    Most memories hold little more than the largest request, so that those that run together push
    each other out where the policy lets them; in some of them the largest can never fit.
    """
    block_size = draw(st.sampled_from((2, 1, 3, 4, 8, 16)))
    slots = draw(st.sampled_from((4, 1, 2, 3, 5, 8, 16)))
    arrivals = st.integers(0, draw(st.sampled_from((0, 3, 30))))
    prompts = st.integers(1, draw(st.sampled_from((4, 12, 40, 150))))
    count = draw(st.one_of(st.integers(3, 7), st.integers(0, 17)))
    kind = _request(prompts, arrivals, priority=policy == "priority", prefix=bool(prefix_cache))
    requests = [{"id": f"r{i}", **draw(kind)} for i in range(count)]
    if requests and draw(st.integers(0, 9)) == 9:
        requests[-1]["id"] = draw(st.sampled_from(ODD_IDS))
    config = {
        "slots": slots,
        "blocks": draw(_blocks(requests, block_size)),
        "block_size": block_size,
        "budget": slots + draw(st.one_of(st.integers(0, 5), st.integers(0, 64), st.just(2048))),
        "policy": policy,
        "lookahead": draw(st.integers(1, 6)) if policy == "lookahead" else 5,
        "skip_threshold": draw(st.integers(0, 4)) if policy == "lookahead" else 3,
        "tick_floor": draw(st.sampled_from((64, 0, 1, 7))),
        "prefix_cache": prefix_cache,
    }
    return {"config": config, "requests": requests}


@st.composite
def _request(
    draw: st.DrawFn,
    prompts: st.SearchStrategy[int],
    arrivals: st.SearchStrategy[int],
    *,
    priority: bool,
    prefix: bool,
) -> dict[str, Any]:
    prompt = draw(prompts)
    request: dict[str, Any] = {
        "prompt": prompt,
        "output": draw(st.integers(1, 16)),
        "arrival": draw(arrivals),
    }
    # Key 4 stands for none: a request without priority has 0, one without group shares nothing.
    if priority and (urgency := draw(st.integers(0, 4))) < 4:
        request["priority"] = urgency
    if prefix and (group := draw(st.integers(0, 4))) < 4:
        request["prefix_group"] = GROUPS[group]
        request["prefix_len"] = draw(st.integers(0, prompt + 4))
    return request


def _blocks(requests: list[dict[str, Any]], block_size: int) -> st.SearchStrategy[int]:
    needs = [-(-(r["prompt"] + r["output"] - 1) // block_size) for r in requests]
    largest = max(needs, default=1)
    return st.one_of(
        st.integers(largest, largest + 4),
        st.integers(largest, max(largest, sum(needs))),
        st.integers(max(1, largest // 2), largest),
    )


@st.composite
def submissions(draw: st.DrawFn, workload: Workload) -> list[int]:
    """Draw when each request is submitted: in their order, and none after its arrival."""
    lead = draw(st.integers(0, 8))
    times: list[int] = []
    latest = 10**6
    for request in reversed(workload["requests"]):
        latest = min(latest, request["arrival"])
        times.append(max(0, latest - lead))
    return times[::-1]


def sample(policy: str, prefix_cache: int, count: int) -> list[Workload]:
    """Give up to `count` workloads, the same ones as long as the same modules are loaded."""
    drawn: list[Workload] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=(HealthCheck.too_slow,),
    )
    @given(workloads(policy, prefix_cache))
    def collect(workload: Workload) -> None:
        drawn.append(workload)

    collect()
    return drawn
