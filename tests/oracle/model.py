"""
The scheduler a second time, written from its specification and from nothing else; never shipped.

Section numbers are those of the specification. The model is the differential oracle of the
property tests: what it and the shipped modules give for one workload must not differ in any field.
It values plain sight over speed, and shares neither code nor data structures with the modules.
"""

from bisect import insort
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from tests.oracle.figures import ceil_div, metrics, static_batches

Name: TypeAlias = tuple[str, object, int]
Row: TypeAlias = dict[str, Any]

RANKED = ("shortest", "priority")


@dataclass(frozen=True, slots=True)
class Config:
    """The configuration of section 1, with its defaults, in the order in which a trace has it."""

    slots: int = 4
    blocks: int = 64
    block_size: int = 16
    budget: int = 64
    policy: str = "fcfs"
    lookahead: int = 5
    skip_threshold: int = 3
    tick_floor: int = 64
    prefix_cache: int = 0


@dataclass(slots=True, eq=False)
class Request:
    """A request of section 1 with its state of section 2; `index` is its place in submission."""

    index: int
    id: str
    prompt: int
    output: int
    arrival: int = 0
    priority: int = 0
    prefix_group: int | None = None
    prefix_len: int = 0
    state: str = "future"
    computed: int = 0
    table: list[int] = field(default_factory=list)
    prefilling: bool = False
    skips: int = 0
    first_sched: int | None = None
    token_times: list[int] = field(default_factory=list)
    finish: int | None = None
    preemptions: int = 0
    recomputed: int = 0
    cached_tokens: int = 0

    @property
    def known(self) -> int:
        """Tokens known so far: the prompt and what was emitted."""
        return self.prompt + len(self.token_times)

    def worst(self, block_size: int) -> int:
        """Blocks at the end of its life: the last token is never fed back."""
        return ceil_div(self.prompt + self.output - 1, block_size)

    def name(self, block: int, block_size: int) -> Name:
        """What is in a full block of its table, by section 5.4."""
        if (block + 1) * block_size <= min(self.prefix_len, self.prompt):
            return ("group", self.prefix_group, block)
        return ("own", self.index, block)


class Memory:
    """The blocks of section 5; `free` has the next one to be taken at its head."""

    def __init__(self, blocks: int, block_size: int, *, named: bool) -> None:
        self.block_size = block_size
        self.named = named
        self.free = list(range(blocks))
        self.holders = [0] * blocks
        self.name_of: dict[int, Name] = {}
        self.entered: dict[Name, list[int]] = {}

    def need(self, request: Request, tokens: int) -> int:
        """Blocks that are missing in the table for so many tokens in the cache."""
        return ceil_div(tokens, self.block_size) - len(request.table)

    def provide(self, request: Request, tokens: int) -> list[int]:
        """Take the missing blocks, name all that the tokens fill, and give the ones taken."""
        taken = [self._take() for _ in range(self.need(request, tokens))]
        request.table += taken
        if self.named:
            for place in range(tokens // self.block_size):
                self._enter(request.table[place], request.name(place, self.block_size))
        return taken

    def _take(self) -> int:
        block = self.free.pop(0)
        self.holders[block] = 1
        if block in self.name_of:
            name = self.name_of.pop(block)
            self.entered[name].remove(block)
        return block

    def _enter(self, block: int, name: Name) -> None:
        if block not in self.name_of:
            self.name_of[block] = name
            self.entered.setdefault(name, []).append(block)

    def hits(self, request: Request) -> list[int]:
        """The cached blocks with which its sequence begins; one token is always left to compute."""
        found: list[int] = []
        if self.named:
            for place in range((request.known - 1) // self.block_size):
                blocks = self.entered.get(request.name(place, self.block_size))
                if not blocks:
                    break
                found.append(blocks[0])
        return found

    def share(self, request: Request, hits: Iterable[int]) -> None:
        """Put cached blocks into an empty table, out of the middle of `free` where they lie."""
        for block in hits:
            if self.holders[block] == 0:
                self.free.remove(block)
            self.holders[block] += 1
            request.table.append(block)

    def give_back(self, request: Request) -> None:
        """Empty the table: the nameless go to the head, the named to the end, tail first."""
        tail_first = request.table[::-1]
        request.table = []
        for block in tail_first:
            self.holders[block] -= 1
        left = [block for block in tail_first if self.holders[block] == 0]
        nameless = [block for block in left if block not in self.name_of]
        named = [block for block in left if block in self.name_of]
        self.free = nameless + self.free + named

    @property
    def used(self) -> int:
        """Blocks that are in a table; a shared one counts once."""
        return len(self.holders) - len(self.free)


class Run:
    """The state of section 2, moved on by one iteration with each `step`."""

    def __init__(self, config: Config, requests: Iterable[Mapping[str, Any]]) -> None:
        self.config = config
        self.requests: list[Request] = []
        self.t = 0
        self.waiting: list[Request] = []
        self.running: list[Request] = []
        self.slots: list[Request | None] = [None] * config.slots
        self.memory = Memory(config.blocks, config.block_size, named=bool(config.prefix_cache))
        self.left = 0
        self.plan: list[tuple[Request, int]] = []
        self.joined: dict[Request, list[int]] = {}
        for request in requests:
            self.submit(request)

    def submit(self, request: Mapping[str, Any]) -> None:
        """Append a request, whose arrival must be still to come."""
        self.requests.append(Request(index=len(self.requests), **request))

    @property
    def over(self) -> bool:
        """Whether every request is done or rejected."""
        return all(request.state in {"done", "rejected"} for request in self.requests)

    def step(self) -> Row:
        """Make one iteration, by the six steps of section 3, and give its row of section 9."""
        self.left = self.config.budget
        self.plan = []
        self.joined = {}
        arrived, rejected = self._arrivals()
        preempted = self._running_pass()
        admitted = self._admission() if self.waiting and not preempted else []
        row: Row = {
            "t": self.t,
            "arrived": _ids(arrived),
            "rejected": _ids(rejected),
            "preempted": _ids(preempted),
            "admitted": _ids(admitted),
        }
        if self.config.prefix_cache:
            row["cached"] = [[request.id, request.computed] for request in admitted]
        row |= {
            "scheduled": [[request.id, n] for request, n in self.plan],
            "running": _ids(self.running),
            "waiting": _ids(self.waiting),
        }
        if self.config.policy == "lookahead":
            row["skips"] = [[request.id, request.skips] for request in self.waiting]
        row |= {
            "new_blocks": [
                [request.id, self.joined[request]]
                for request in self.running
                if self.joined.get(request)
            ],
            "blocks_used": self.memory.used,
            "slots": [request.id if request else None for request in self.slots],
            "kinds": [_kind(request) for request, _ in self.plan],
        }
        emitted = self._forward_pass()
        row |= {
            "emitted": _ids(emitted),
            "kv_tokens": sum(request.computed for request in self.running),
            "finished": _ids(self._retire()),
            "blocks_used_end": self.memory.used,
        }
        self.t += 1
        return row

    def _arrivals(self) -> tuple[list[Request], list[Request]]:
        """Section 3.1."""
        arrived, rejected = [], []
        for request in self.requests:
            if request.arrival != self.t:
                continue
            if request.worst(self.config.block_size) > self.config.blocks:
                request.state = "rejected"
                rejected.append(request)
            else:
                arrived.append(request)
                self._queue(request, at_front=False)
        return arrived, rejected

    def _queue(self, request: Request, *, at_front: bool) -> None:
        request.state = "waiting"
        if self.config.policy in RANKED:
            insort(self.waiting, request, key=self._rank)
        elif at_front:
            self.waiting.insert(0, request)
        else:
            self.waiting.append(request)

    def _rank(self, request: Request) -> tuple[int, int, int]:
        """Section 4.4."""
        shortest = self.config.policy == "shortest"
        first = request.prompt + request.output if shortest else request.priority
        return (first, request.arrival, request.index)

    def _running_pass(self) -> list[Request]:
        """Section 3.2; gives the preempted ones in their order."""
        preempted: list[Request] = []
        position = 0
        while position < len(self.running) and self.left > 0:
            request = self.running[position]
            n = min(request.known - request.computed, self.left)
            while self.memory.need(request, request.computed + n) > len(self.memory.free):
                victim = self._victim()
                place = self.running.index(victim)
                self._preempt(victim)
                preempted.append(victim)
                if victim is request:
                    break
                if place < position:
                    position -= 1
            if request.state == "running":
                self._schedule(request, n)
                position += 1
            elif self.config.policy not in RANKED:
                break
        return preempted

    def _victim(self) -> Request:
        if self.config.policy in RANKED:
            return max(self.running, key=self._rank)
        return self.running[-1]

    def _preempt(self, victim: Request) -> None:
        self.running.remove(victim)
        for entry in self.plan:
            if entry[0] is victim:
                self.plan.remove(entry)
                self.left += entry[1]
                break
        victim.preemptions += 1
        victim.recomputed += victim.computed
        self._vacate(victim)
        victim.computed = 0
        self._queue(victim, at_front=True)

    def _vacate(self, request: Request) -> None:
        self.memory.give_back(request)
        self.slots[self.slots.index(request)] = None

    def _schedule(self, request: Request, n: int) -> None:
        taken = self.memory.provide(request, request.computed + n)
        self.joined[request] = self.joined.get(request, []) + taken
        self.plan.append((request, n))
        self.left -= n

    def _admission(self) -> list[Request]:
        """Section 3.3 with the choice of candidates of section 4; gives the admitted ones."""
        if self.config.policy == "lookahead":
            return self._admission_with_lookahead()
        admitted: list[Request] = []
        while self.waiting and self._open() and self._fits(self.waiting[0]):
            admitted.append(self._admit(self.waiting[0]))
        return admitted

    def _admission_with_lookahead(self) -> list[Request]:
        """Section 4.2."""
        front = self.waiting[0]
        if front.skips >= self.config.skip_threshold:
            return [self._admit(front)] if self._open() and self._fits(front) else []
        admitted: list[Request] = []
        for candidate in self.waiting[: self.config.lookahead]:
            if not self._open():
                break
            if self._fits(candidate):
                admitted.append(self._admit(candidate))
            else:
                candidate.skips += 1
        return admitted

    def _open(self) -> bool:
        return len(self.running) < self.config.slots and self.left > 0

    def _fits(self, request: Request) -> bool:
        """The gate: section 4, for `reserve` section 4.3, with prefix caching section 5.4."""
        size = self.config.block_size
        if self.config.policy == "reserve":
            promised = sum(other.worst(size) for other in self.running)
            return promised + request.worst(size) <= self.config.blocks
        hits = self.memory.hits(request)
        in_free = sum(block in self.memory.free for block in hits)
        return ceil_div(request.known, size) - len(hits) + in_free <= len(self.memory.free)

    def _admit(self, request: Request) -> Request:
        self.waiting.remove(request)
        self.running.append(request)
        request.state = "running"
        request.skips = 0
        request.prefilling = True
        self.slots[self.slots.index(None)] = request
        if request.first_sched is None:
            request.first_sched = self.t
        hits = self.memory.hits(request)
        self.memory.share(request, hits)
        self.joined[request] = hits
        request.computed = len(hits) * self.config.block_size
        request.cached_tokens += request.computed
        self._schedule(request, min(request.known - request.computed, self.left))
        return request

    def _forward_pass(self) -> list[Request]:
        """Section 3.4; gives those that emit a token."""
        emitted = []
        for request, n in self.plan:
            request.computed += n
            if request.computed == request.known:
                request.prefilling = False
                request.token_times.append(self.t)
                emitted.append(request)
        return emitted

    def _retire(self) -> list[Request]:
        """Section 3.5."""
        finished = []
        for request, _ in self.plan:
            if len(request.token_times) == request.output:
                request.state = "done"
                request.finish = self.t
                self.running.remove(request)
                self._vacate(request)
                finished.append(request)
        return finished


def _ids(requests: Iterable[Request]) -> list[str]:
    return [request.id for request in requests]


def _kind(request: Request) -> str:
    if not request.prefilling:
        return "decode"
    return "recompute" if request.preemptions else "prefill"


def trace(workload: Mapping[str, Any]) -> dict[str, Any]:
    """Run a valid workload to its end: the trace of section 9."""
    config = Config(**workload.get("config", {}))
    run = Run(config, workload["requests"])
    rows: list[Row] = []
    while not run.over:
        rows.append(run.step())
    batches = static_batches(config, run.requests)
    return {
        "config": asdict(config),
        "requests": [_as_submitted(request) for request in workload["requests"]],
        "iterations": rows,
        "per_request": [_record(request) for request in run.requests],
        "static": [asdict(batch) for batch in batches],
        "metrics": metrics(config, run.requests, rows, batches),
    }


def _as_submitted(request: Mapping[str, Any]) -> dict[str, Any]:
    keys = ("id", "prompt", "output", "arrival", "priority", "prefix_group", "prefix_len")
    complete = {"arrival": 0, **request}
    return {key: complete[key] for key in keys if key in complete}


def _record(request: Request) -> dict[str, Any]:
    keys = ("id", "state", "first_sched", "token_times", "finish", "preemptions", "recomputed")
    return {key: getattr(request, key) for key in keys}
