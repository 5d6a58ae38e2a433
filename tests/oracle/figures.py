"""Static batching (section 6) and the metrics of a whole run (section 7), for the oracle."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, Protocol


class Settings(Protocol):
    """What the figures need of a configuration."""

    @property
    def slots(self) -> int: ...
    @property
    def blocks(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    @property
    def budget(self) -> int: ...
    @property
    def tick_floor(self) -> int: ...


class Served(Protocol):
    """What the figures need of a request after the run."""

    @property
    def index(self) -> int: ...
    @property
    def id(self) -> str: ...
    @property
    def prompt(self) -> int: ...
    @property
    def output(self) -> int: ...
    @property
    def arrival(self) -> int: ...
    @property
    def state(self) -> str: ...
    @property
    def first_sched(self) -> int | None: ...
    @property
    def token_times(self) -> list[int]: ...
    @property
    def finish(self) -> int | None: ...
    @property
    def preemptions(self) -> int: ...
    @property
    def recomputed(self) -> int: ...
    @property
    def cached_tokens(self) -> int: ...
    def worst(self, block_size: int) -> int: ...


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch of static batching; the lists have one entry for each member."""

    start: int
    fill: int
    span: int
    members: list[str]
    first_token: int
    finish: list[int]
    pad: list[int]


def ceil_div(a: int, b: int) -> int:
    """Divide and round up."""
    return -(-a // b)


def ratio(n: int, d: int, k: int) -> int:
    """Round k·n/d half up; of nothing it is 0."""
    return (2 * k * n + d) // (2 * d) if d else 0


def static_batches(config: Settings, requests: Iterable[Served]) -> list[Batch]:
    """Serve the same requests by section 6; rejected ones take no part."""
    left = [request for request in requests if request.state != "rejected"]
    left.sort(key=lambda request: (request.arrival, request.index))
    batches: list[Batch] = []
    now = 0
    while left:
        start = max(now, left[0].arrival)
        members = left[: _batch_length(config, left, start)]
        left = left[len(members) :]
        fill = ceil_div(sum(member.prompt for member in members), config.budget)
        longest = max(member.output for member in members)
        batches.append(
            Batch(
                start=start,
                fill=fill,
                span=fill + longest - 1,
                members=[member.id for member in members],
                first_token=start + fill - 1,
                finish=[start + fill + member.output - 2 for member in members],
                pad=[longest - member.output for member in members],
            )
        )
        now = start + fill + longest - 1
    return batches


def _batch_length(config: Settings, left: Sequence[Served], start: int) -> int:
    promised = 0
    for length, request in enumerate(left[: config.slots]):
        promised += request.worst(config.block_size)
        if request.arrival > start or promised > config.blocks:
            return length
    return min(len(left), config.slots)


def metrics(
    config: Settings,
    requests: Sequence[Served],
    rows: Sequence[dict[str, Any]],
    batches: Sequence[Batch],
) -> dict[str, Any]:
    """Give the figures of sections 7.2 to 7.4, under the names and in the order of a trace."""
    done = [request for request in requests if request.state == "done"]
    busy = [row for row in rows if row["scheduled"]]
    tokens = [sum(n for _, n in row["scheduled"]) for row in rows]
    output = sum(request.output for request in done)
    held = sum(len(row["running"]) for row in rows)
    slot_iters = config.slots * len(busy)
    empty = [config.slots - len(row["running"]) for row in busy]
    blocked = sum(e for e, row in zip(empty, busy, strict=True) if row["waiting"])
    blocks_used = [row["blocks_used"] for row in rows]
    return {
        "iterations": len(rows),
        "busy_iterations": len(busy),
        "done": len(done),
        "rejected": sum(request.state == "rejected" for request in requests),
        "scheduled_tokens": sum(tokens),
        "output_tokens": output,
        "preemptions": sum(request.preemptions for request in requests),
        "recomputed_tokens": sum(request.recomputed for request in requests),
        "cached_tokens": sum(request.cached_tokens for request in requests),
        "tokens_per_iteration_x100": ratio(sum(tokens), len(busy), 100),
        "output_per_iteration_x100": ratio(output, len(busy), 100),
        "mean_batch_x100": ratio(held, len(busy), 100),
        "peak_blocks": max(blocks_used, default=0),
        "mean_kv_bp": ratio(sum(blocks_used), config.blocks * len(busy), 10000),
        "slot_iters": slot_iters,
        "padding_slot_iters": 0,
        "empty_slot_iters": slot_iters - held,
        "empty_blocked_slot_iters": blocked,
        "empty_bp": ratio(slot_iters - held, slot_iters, 10000),
        **_latencies(done),
        **_ticks(config, done, tokens),
        "static": _static_metrics(config, batches, output),
    }


def _latencies(done: Sequence[Served]) -> dict[str, Any]:
    """Section 7.3."""
    waits = [r.first_sched - r.arrival for r in done if r.first_sched is not None]
    latencies = [r.finish - r.arrival + 1 for r in done if r.finish is not None]
    return {
        "queue_wait": _distribution(waits),
        "ttft": _distribution(r.token_times[0] - r.arrival + 1 for r in done),
        "itl": _distribution(b - a for r in done for a, b in pairwise(r.token_times)),
        "latency": _distribution(latencies),
    }


def _distribution(values: Iterable[int]) -> dict[str, int]:
    """Count, sum, nearest-rank percentiles and maximum."""
    v = sorted(values)
    p50, p95 = (v[ceil_div(p * len(v), 100) - 1] if v else 0 for p in (50, 95))
    return {"count": len(v), "sum": sum(v), "p50": p50, "p95": p95, "max": max(v, default=0)}


def _ticks(config: Settings, done: Sequence[Served], tokens: Iterable[int]) -> dict[str, Any]:
    """Section 7.4; `before[t]` is the clock at the start of iteration t."""
    before = list(accumulate((max(config.tick_floor, n) for n in tokens), initial=0))
    first = [before[r.token_times[0] + 1] - before[r.arrival] for r in done]
    gaps = [before[b + 1] - before[a + 1] for r in done for a, b in pairwise(r.token_times)]
    return {
        "ticks": before[-1],
        "ttft_ticks": _distribution(first),
        "itl_ticks": _distribution(gaps),
    }


def _static_metrics(config: Settings, batches: Sequence[Batch], output: int) -> dict[str, int]:
    iterations = sum(batch.span for batch in batches)
    held = sum(len(batch.members) * batch.span for batch in batches)
    pad = sum(sum(batch.pad) for batch in batches)
    return {
        "batches": len(batches),
        "iterations": iterations,
        "last": max((batch.start + batch.span for batch in batches), default=0),
        "held_slot_iters": held,
        "pad_slot_iters": pad,
        "pad_bp": ratio(pad, held, 10000),
        "empty_slot_iters": config.slots * iterations - held,
        "output_per_iteration_x100": ratio(output, iterations, 100),
    }
