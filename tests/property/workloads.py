"""Hypothesis strategies for workloads of the scheduler: small memories, so that rules collide."""

from typing import Any, TypeAlias

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

    Most memories are too small for all that could run at once, so about every second run preempts
    where the policy can; prompts may be larger than the memory, and arrivals may leave gaps.
    """
    block_size = draw(st.sampled_from((1, 2, 3, 4, 8, 16)))
    slots = draw(st.one_of(st.integers(1, 5), st.integers(1, 16)))
    blocks = draw(st.one_of(st.integers(2, 12), st.integers(1, 32), st.just(64)))
    spare = draw(st.one_of(st.integers(0, 3), st.integers(0, 64), st.just(2048)))
    config = {
        "slots": slots,
        "blocks": blocks,
        "block_size": block_size,
        "budget": slots + spare,
        "policy": policy,
        "lookahead": draw(st.integers(1, 6)),
        "skip_threshold": draw(st.integers(0, 4)),
        "tick_floor": draw(st.sampled_from((0, 1, 7, 64))),
        "prefix_cache": prefix_cache,
    }
    count = draw(st.one_of(st.integers(2, 8), st.integers(0, 20)))
    longest = min(blocks * block_size, draw(st.sampled_from((4, 12, 40, 150)))) + 2
    gap = draw(st.sampled_from((0, 0, 2, 40)))
    requests = [draw(_request(f"r{i}", config, longest, gap)) for i in range(count)]
    if requests and draw(st.integers(0, 9)) == 0:
        requests[-1]["id"] = draw(st.sampled_from(ODD_IDS))
    return {"config": config, "requests": requests}


@st.composite
def _request(
    draw: st.DrawFn, name: str, config: dict[str, Any], longest: int, gap: int
) -> dict[str, Any]:
    prompt = draw(st.integers(1, longest))
    request: dict[str, Any] = {
        "id": name,
        "prompt": prompt,
        "output": draw(st.integers(1, 24)),
        "arrival": draw(st.integers(0, gap)),
    }
    if config["policy"] == "priority" and draw(st.booleans()):
        request["priority"] = draw(st.integers(0, 3))
    if config["prefix_cache"] and draw(st.integers(0, 3)):
        request["prefix_group"] = draw(st.sampled_from(GROUPS))
        request["prefix_len"] = draw(st.integers(0, prompt + config["block_size"]))
    return request


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
