"""One rule of the shipped modules changed at a time, to see whether the tests would notice."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong rule in words, and the replacements (module, old text, new text) that make it."""

    rule: str
    changes: tuple[tuple[str, str, str], ...]


def mutate(modules: Mapping[str, str], mutant: Mutant) -> dict[str, str]:
    """
    Give the modules with the mutant's changes.

    Raises ValueError where an old text does not stand exactly once in its module: the module was
    rewritten, and the mutant must follow.
    """
    changed = dict(modules)
    for module, old, new in mutant.changes:
        found = changed[module].count(old)
        if found != 1:
            raise ValueError(f'{mutant.rule}: "{old}" stands {found} times in {module}, not once')
        changed[module] = changed[module].replace(old, new)
    return changed


def _one(rule: str, module: str, old: str, new: str) -> Mutant:
    return Mutant(rule, ((module, old, new),))


MUTANTS = (
    _one(
        "a request that can just fit is rejected",
        "blocks.js",
        "return worstNeed(request, block_size) <= blocks;",
        "return worstNeed(request, block_size) < blocks;",
    ),
    _one(
        "the last output token takes a place in the cache",
        "blocks.js",
        "request.prompt + request.output - 1,",
        "request.prompt + request.output,",
    ),
    _one(
        "a decode looks one token ahead for its block",
        "scheduler.js",
        "const need = blocksFor(pool, request.computed + n)",
        "const need = blocksFor(pool, request.computed + n + 1)",
    ),
    _one(
        "the victim is the one admitted first",
        "first-come.js",
        "return running[running.length - 1];",
        "return running[0];",
    ),
    _one(
        "the ranked victim is the most urgent",
        "policies.js",
        "(isBefore(last, r) ? r : last)",
        "(isBefore(last, r) ? last : r)",
    ),
    _one(
        "a victim goes to the end of the queue",
        "first-come.js",
        "waiting.unshift(request)",
        "waiting.push(request)",
    ),
    _one(
        "a victim's tokens are lost to the budget",
        "scheduler.js",
        "plan.left += plan.entries.splice(planned, 1)[0].n;",
        "plan.entries.splice(planned, 1);",
    ),
    _one(
        "the chunk grows by what a victim gave back",
        "scheduler.js",
        "schedule(state, plan, request, n);",
        "schedule(state, plan, request,"
        " Math.min(knownTokens(request) - request.computed, plan.left));",
    ),
    _one(
        "the place in the running list is not moved by a victim before it",
        "scheduler.js",
        "if (running.indexOf(victim) < position) position -= 1;",
        "",
    ),
    _one(
        "a preempted request loses its output",
        "scheduler.js",
        "victim.computed = 0;",
        "victim.computed = 0; victim.emitted = 0; victim.token_times = [];",
    ),
    _one(
        "a recompute is counted as all known tokens",
        "scheduler.js",
        "victim.recomputed += victim.computed;",
        "victim.recomputed += knownTokens(victim);",
    ),
    _one(
        "an iteration that preempts admits too",
        "scheduler.js",
        "preempted.length === 0 ? admitWaiting(state, plan) : []",
        "admitWaiting(state, plan)",
    ),
    _one(
        "a prompt is not cut to the budget",
        "scheduler.js",
        "Math.min(known - hit, plan.left)",
        "known - hit",
    ),
    _one(
        "every chunk of a prefill emits a token",
        "scheduler.js",
        "if (request.computed < knownTokens(request)) continue;",
        "",
    ),
    Mutant(
        "a slot is refilled one iteration late",
        (
            (
                "scheduler.js",
                "request.finish = state.t;",
                "request.finish = state.t; state.left = state.t;",
            ),
            (
                "scheduler.js",
                "running.length < config.slots && plan.left > 0",
                "running.length < config.slots && plan.left > 0 && state.left !== state.t - 1",
            ),
        ),
    ),
    _one(
        "a slot is refilled in the iteration in which it comes free",
        "scheduler.js",
        "const arrivals = arrive(state);",
        "const arrivals = arrive(state);"
        " for (const r of [...state.running]) if (r.output - r.emitted === 1"
        " && r.output > 1 && !r.prefilling) { r.emitted += 1; r.token_times.push(state.t);"
        ' r.finish = state.t; leave(state, r, "done"); }',
    ),
    _one(
        "a request takes the highest empty slot",
        "scheduler.js",
        "slots[slots.indexOf(null)] = request;",
        "slots[slots.lastIndexOf(null)] = request;",
    ),
    _one(
        "the first schedule is forgotten at a second one",
        "scheduler.js",
        "request.first_sched ??= state.t;",
        "request.first_sched = state.t;",
    ),
    _one(
        "the gate leaves a block free",
        "first-come.js",
        "return needed <= pool.free.length",
        "return needed < pool.free.length",
    ),
    _one(
        "the gate forgets the output of a preempted request",
        "first-come.js",
        "const known = request.prompt + request.emitted;",
        "const known = request.prompt;",
    ),
    _one(
        "the gate asks for the first chunk only",
        "first-come.js",
        "const known = request.prompt + request.emitted;",
        "const known = Math.min(request.prompt + request.emitted, pool.blockSize);",
    ),
    _one(
        "reserve keeps a block back",
        "policies.js",
        "return sum(promised) <= config.blocks;",
        "return sum(promised) < config.blocks;",
    ),
    _one(
        "reserve asks for the prompt only",
        "policies.js",
        'name: "reserve", fits: worstCaseFits }',
        'name: "reserve" }',
    ),
    _one(
        "the window is one wider",
        "policies.js",
        "waiting.slice(0, config.lookahead)",
        "waiting.slice(0, config.lookahead + 1)",
    ),
    _one(
        "the window moves up",
        "policies.js",
        "if (fits(request)) admit(request);\n    else request.skips += 1;",
        "if (!fits(request)) request.skips += 1;\n"
        "    else { admit(request);"
        " admitWindow({ config, waiting, isOpen, fits, admit }); return; }",
    ),
    _one(
        "a skip is counted for the front only",
        "policies.js",
        "else request.skips += 1;",
        "else if (request === front) request.skips += 1;",
    ),
    _one(
        "the front blocks one skip later",
        "policies.js",
        "front.skips >= config.skip_threshold",
        "front.skips > config.skip_threshold",
    ),
    _one(
        "others are admitted behind a front that blocked",
        "policies.js",
        "if (isOpen() && fits(front)) admit(front);\n    return;",
        "if (!isOpen() || !fits(front)) return;",
    ),
    _one(
        "an admission keeps the skips",
        "scheduler.js",
        "request.skips = 0;",
        "",
    ),
    _one(
        "a tie goes to the later request",
        "policies.js",
        "a.index - b.index",
        "b.index - a.index",
    ),
    _one(
        "shortest looks at the prompt only",
        "policies.js",
        "(r) => r.prompt + r.output",
        "(r) => r.prompt",
    ),
    _one(
        "a large priority is urgent",
        "policies.js",
        "(r) => r.priority ?? 0",
        "(r) => -(r.priority ?? 0)",
    ),
    _one(
        "blocks come back at the end of the free list",
        "blocks.js",
        "pool.free.push(...request.table);",
        "pool.free.unshift(...request.table);",
    ),
    _one(
        "blocks come back head first",
        "blocks.js",
        "pool.free.push(...request.table);",
        "pool.free.push(...[...request.table].reverse());",
    ),
    _one(
        "named blocks are the next to be taken",
        "prefix-cache.js",
        "free.unshift(...idle",
        "free.push(...idle",
    ),
    _one(
        "a block that is taken keeps its name",
        "blocks.js",
        "    pool.cache?.forget(block);\n",
        "",
    ),
    _one(
        "nothing is left to compute after a full hit",
        "prefix-cache.js",
        "Math.floor((known - 1) / block_size)",
        "Math.floor(known / block_size)",
    ),
    _one(
        "the block entered last is the one that is hit",
        "prefix-cache.js",
        "found.push(blocks[0]);",
        "found.push(blocks[blocks.length - 1]);",
    ),
    _one(
        "the gate counts idle hits as room",
        "prefix-cache.js",
        "- found.length + idle.length",
        "- found.length",
    ),
    _one(
        "a block that is shared in part has the group's name",
        "prefix-cache.js",
        "(k + 1) * block_size <= common",
        "k * block_size < common",
    ),
    _one(
        "only the last admission's hits are counted",
        "scheduler.js",
        "request.cached_tokens += hit;",
        "request.cached_tokens = hit;",
    ),
    _one(
        "static batching waits for nobody",
        "static-batching.js",
        "request.arrival > start || promised > blocks",
        "promised > blocks",
    ),
    _one(
        "static batching overbooks the memory",
        "static-batching.js",
        "request.arrival > start || promised > blocks",
        "request.arrival > start",
    ),
    _one(
        "static prefills take an iteration each",
        "static-batching.js",
        "ceilDiv(sum(members.map((r) => r.prompt)), config.budget)",
        "sum(members.map((r) => ceilDiv(r.prompt, config.budget)))",
    ),
    _one(
        "the time to the first token misses an iteration",
        "metrics.js",
        "r.token_times[0] - r.arrival + 1",
        "r.token_times[0] - r.arrival",
    ),
    _one(
        "a percentile is rounded down",
        "metrics.js",
        "sorted[ceilDiv(p * sorted.length, 100) - 1]",
        "sorted[Math.floor(p * sorted.length / 100)]",
    ),
    _one(
        "a ratio is cut off",
        "arithmetic.js",
        "Math.floor((2 * scale * part + whole) / (2 * whole))",
        "Math.floor(scale * part / whole)",
    ),
)
