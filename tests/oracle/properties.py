"""
The properties of section 8, as far as a trace shows them, without the oracle's help.

The rows are followed one by one. What a row does not say outright, such as the tables or the tokens
in the cache, is carried along from what it does say, so a trace that contradicts itself fails too.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tests.oracle.figures import ceil_div

RANKED = ("shortest", "priority")


@dataclass(slots=True)
class Followed:
    """A request as the rows so far tell of it."""

    index: int
    given: dict[str, Any]
    worst: int
    computed: int = 0
    scheduled: int = 0
    cached: int = 0
    table: list[int] = field(default_factory=list)
    prefilling: bool = False
    times: list[int] = field(default_factory=list)
    preemptions: int = 0
    recomputed: int = 0
    first: int | None = None

    @property
    def known(self) -> int:
        """Tokens known so far: the prompt and what was emitted."""
        prompt: int = self.given["prompt"]
        return prompt + len(self.times)

    @property
    def arrived(self) -> tuple[int, int]:
        """Its place in the order of arrival."""
        return (self.given["arrival"], self.index)

    def common(self, size: int) -> int:
        """Full blocks that it may share with its group."""
        shared: int = min(self.given.get("prefix_len", 0), self.given["prompt"])
        return shared // size


def check_properties(trace: dict[str, Any]) -> None:
    """Follow a trace from its first row to its last; raises AssertionError where it goes wrong."""
    audit = Audit(trace)
    for row in trace["iterations"]:
        audit.follow(row)
    audit.finish()
    check_static(trace)


class Audit:
    """The state that the rows imply."""

    def __init__(self, trace: dict[str, Any]) -> None:
        self.trace = trace
        self.config: dict[str, Any] = trace["config"]
        self.size: int = self.config["block_size"]
        self.requests = {
            given["id"]: Followed(
                index=index,
                given=given,
                worst=ceil_div(given["prompt"] + given["output"] - 1, self.size),
            )
            for index, given in enumerate(trace["requests"])
        }
        self.running: list[str] = []
        self.waiting: list[str] = []
        self.slots: list[str | None] = [None] * self.config["slots"]
        self.done: list[str] = []
        self.rejected: list[str] = []
        self.t = 0

    def follow(self, row: dict[str, Any]) -> None:
        """Check one row against all that came before it."""
        assert row["t"] == self.t, "P14"
        self._arrivals(row)
        self._preemptions(row)
        self._admissions(row)
        self._blocks(row)
        self._plan(row)
        self._work(row)
        self._order(row)
        self._pass(row)
        self._retire(row)
        self._after(row)
        self.t += 1

    def _arrivals(self, row: dict[str, Any]) -> None:
        due = [id_ for id_, r in self.requests.items() if r.given["arrival"] == self.t]
        fits = [id_ for id_ in due if self.requests[id_].worst <= self.config["blocks"]]
        assert row["arrived"] == fits, "P15"
        assert row["rejected"] == [id_ for id_ in due if id_ not in fits], "P15"
        self.rejected += row["rejected"]

    def _preemptions(self, row: dict[str, Any]) -> None:
        for id_ in row["preempted"]:
            request = self.requests[id_]
            assert id_ in self.running
            self.running.remove(id_)
            self.slots[self.slots.index(id_)] = None
            request.preemptions += 1
            request.recomputed += request.computed
            request.computed = 0
            request.table = []
        assert not (row["preempted"] and row["admitted"]), "P11"
        assert not (row["preempted"] and self.config["policy"] == "reserve"), "P13"

    def _admissions(self, row: dict[str, Any]) -> None:
        queued = [*self.waiting, *row["arrived"], *row["preempted"]]
        hits = dict(row.get("cached", []))
        for id_ in row["admitted"]:
            assert id_ in queued
            queued.remove(id_)
            self.slots[self.slots.index(None)] = id_
            request = self.requests[id_]
            request.computed = hits.get(id_, 0)
            request.cached += request.computed
            request.prefilling = True
            request.first = self.t if request.first is None else request.first
        self.running += row["admitted"]
        assert list(hits) == (row["admitted"] if self.config["prefix_cache"] else [])
        assert row["running"] == self.running, "P6"
        assert row["slots"] == self.slots, "P4"
        assert len(self.running) <= self.config["slots"], "P4"
        assert sorted(row["waiting"]) == sorted(queued)
        self.waiting = row["waiting"]

    def _blocks(self, row: dict[str, Any]) -> None:
        joined = dict(row["new_blocks"])
        assert list(joined) == [id_ for id_ in self.running if id_ in joined]
        # In running order, as one admitted later can hit what an earlier one has just taken.
        for id_, blocks in joined.items():
            hits = self.requests[id_].computed // self.size if id_ in row["admitted"] else 0
            self._share(id_, blocks[:hits])
            held = {b for r in self.requests.values() for b in r.table}
            assert held.isdisjoint(blocks[hits:]), "P2"
            self.requests[id_].table += blocks
        counts = Counter(b for r in self.requests.values() for b in r.table)
        assert set(counts) <= set(range(self.config["blocks"])), "P1"
        assert len(counts) == row["blocks_used"], "P1"
        assert self.config["prefix_cache"] or set(counts.values()) <= {1}, "P2"

    def _share(self, id_: str, blocks: Iterable[int]) -> None:
        """Hits that others hold too are of the same prefix, at the same place."""
        request = self.requests[id_]
        for place, block in enumerate(blocks):
            for other in self.requests.values():
                if block in other.table:
                    assert other.table.index(block) == place, "P2"
                    assert other.given["prefix_group"] == request.given["prefix_group"], "P2"
                    assert place < min(other.common(self.size), request.common(self.size)), "P2"

    def _plan(self, row: dict[str, Any]) -> None:
        plan = row["scheduled"]
        assert [id_ for id_, _ in plan] == self.running, "P6"
        assert all(n >= 1 for _, n in plan), "P5"
        assert sum(n for _, n in plan) <= self.config["budget"], "P5"
        assert bool(plan) == bool(self.running or self.waiting), "P10"
        for (id_, n), kind in zip(plan, row["kinds"], strict=True):
            request = self.requests[id_]
            again = "recompute" if request.preemptions else "prefill"
            assert kind == (again if request.prefilling else "decode")
            assert request.prefilling or n == 1, "P9"
            assert n <= request.known - request.computed, "P8"

    def _work(self, row: dict[str, Any]) -> None:
        """P11: nobody waits without a reason."""
        config = self.config
        if config["prefix_cache"] or config["policy"] == "lookahead":
            return
        if row["preempted"] or not self.waiting or len(self.running) == config["slots"]:
            return
        front = self.requests[self.waiting[0]]
        if config["policy"] == "reserve":
            promised = sum(self.requests[id_].worst for id_ in self.running)
            fits = promised + front.worst <= config["blocks"]
        else:
            fits = ceil_div(front.known, self.size) <= config["blocks"] - row["blocks_used"]
        assert not fits or sum(n for _, n in row["scheduled"]) == config["budget"], "P11"

    def _order(self, row: dict[str, Any]) -> None:
        waiting = [self.requests[id_] for id_ in self.waiting]
        policy = self.config["policy"]
        if policy in {"fcfs", "reserve"}:
            line = [self.requests[id_].arrived for id_ in self.running]
            line += [request.arrived for request in waiting]
            assert line == sorted(line), "P12"
        elif policy in RANKED:
            ranks = [(self._first_rank(request), *request.arrived) for request in waiting]
            assert ranks == sorted(ranks), "P12"
        skips = row.get("skips", [])
        assert [id_ for id_, _ in skips] == (self.waiting if policy == "lookahead" else [])

    def _first_rank(self, request: Followed) -> int:
        given = request.given
        if self.config["policy"] == "priority":
            priority: int = given.get("priority", 0)
            return priority
        tokens: int = given["prompt"] + given["output"]
        return tokens

    def _pass(self, row: dict[str, Any]) -> None:
        emitted = []
        for id_, n in row["scheduled"]:
            request = self.requests[id_]
            request.computed += n
            request.scheduled += n
            if request.computed == request.known:
                request.times.append(self.t)
                request.prefilling = False
                emitted.append(id_)
        assert row["emitted"] == emitted, "P8"
        assert row["kv_tokens"] == sum(self.requests[id_].computed for id_ in self.running), "P8"

    def _retire(self, row: dict[str, Any]) -> None:
        finished = [
            id_
            for id_ in self.running
            if len(self.requests[id_].times) == self.requests[id_].given["output"]
        ]
        assert row["finished"] == finished, "P15"
        for id_ in finished:
            self.running.remove(id_)
            self.slots[self.slots.index(id_)] = None
            self.requests[id_].table = []
        self.done += finished
        held = {b for r in self.requests.values() for b in r.table}
        assert row["blocks_used_end"] == len(held), "P1"

    def _after(self, row: dict[str, Any]) -> None:
        for id_ in self.running:
            request = self.requests[id_]
            assert len(request.table) == ceil_div(request.computed, self.size), "P3"
        assert not any(self.requests[id_].table for id_ in row["waiting"]), "P3"
        halfway = [id_ for id_ in self.running if self.requests[id_].prefilling]
        assert halfway in ([], self.running[-1:]), "P7"

    def finish(self) -> None:
        """Check what holds at the end of a run."""
        assert not self.running, "P15"
        assert not self.waiting, "P15"
        assert sorted([*self.done, *self.rejected]) == sorted(self.requests), "P15"
        assert len(set(self.done)) == len(self.done), "P15"
        for record in self.trace["per_request"]:
            request = self.requests[record["id"]]
            if record["id"] in self.rejected:
                assert record["state"] == "rejected", "P15"
                assert not request.scheduled, "P15"
            else:
                self._one_done(record, request)
        self._identities()
        if self.config["policy"] == "fcfs":
            self._no_starvation()
        promised = sum(self.requests[id_].worst for id_ in self.done)
        preempted = sum(request.preemptions for request in self.requests.values())
        assert promised > self.config["blocks"] or not preempted, "P13"

    def _one_done(self, record: dict[str, Any], request: Followed) -> None:
        given = request.given
        assert record["state"] == "done", "P15"
        assert record["token_times"] == request.times, "P15"
        assert len(request.times) == given["output"], "P15"
        assert all(a < b for a, b in pairwise(request.times)), "P15"
        assert record["first_sched"] == request.first, "P15"
        assert given["arrival"] <= record["first_sched"] <= request.times[0], "P15"
        assert record["finish"] == request.times[-1], "P15"
        lost = (record["preemptions"], record["recomputed"])
        assert lost == (request.preemptions, request.recomputed)
        once = given["prompt"] + given["output"] - 1
        assert request.scheduled == once + request.recomputed - request.cached, "P16"

    def _identities(self) -> None:
        metrics = self.trace["metrics"]
        requests = self.requests.values()
        rows = self.trace["iterations"]
        assert metrics["scheduled_tokens"] == sum(r.scheduled for r in requests), "P19"
        assert metrics["output_tokens"] == sum(len(r.times) for r in requests), "P19"
        held = sum(len(row["running"]) for row in rows)
        assert metrics["slot_iters"] == metrics["empty_slot_iters"] + held, "P19"
        assert metrics["iterations"] == len(rows), "P14"
        assert metrics["done"] + metrics["rejected"] == len(self.requests), "P15"

    def _no_starvation(self) -> None:
        bound = 0
        latest = 0
        in_line = sorted((self.requests[id_] for id_ in self.done), key=lambda r: r.arrived)
        for place, request in enumerate(in_line):
            given = request.given
            latest = max(latest, given["arrival"])
            once = given["prompt"] + given["output"] - 1
            bound += ceil_div(once, self.config["budget"]) + given["output"]
            assert request.times[-1] < latest + bound, "P17"
            assert place or not request.preemptions, "P17"


def check_static(trace: dict[str, Any]) -> None:
    """Check P20, and that static batches stay inside slots and memory."""
    config = trace["config"]
    given = {request["id"]: request for request in trace["requests"]}
    rejected = {r["id"] for r in trace["per_request"] if r["state"] == "rejected"}
    served = [id_ for id_ in given if id_ not in rejected]
    served.sort(key=lambda id_: given[id_]["arrival"])
    batches = trace["static"]
    assert [id_ for batch in batches for id_ in batch["members"]] == served, "P20"
    for batch in batches:
        members = [given[id_] for id_ in batch["members"]]
        outputs = [member["output"] for member in members]
        written = [member["prompt"] + member["output"] - 1 for member in members]
        assert 1 <= len(members) <= config["slots"], "P20"
        assert all(member["arrival"] <= batch["start"] for member in members), "P20"
        needs = [ceil_div(tokens, config["block_size"]) for tokens in written]
        assert sum(needs) <= config["blocks"], "P20"
        pad = sum(batch["pad"])
        assert pad == len(members) * max(outputs) - sum(outputs), "P20"
        decodes = sum(outputs) - len(members)
        assert batch["span"] * len(members) == len(members) * batch["fill"] + decodes + pad, "P20"
        assert len(set(outputs)) > 1 or pad == 0, "P20"
    for before, after in pairwise(batches):
        assert before["start"] + before["span"] <= after["start"], "P20"
