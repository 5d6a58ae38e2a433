import { sum } from "./arithmetic.js";
import { blocksFor, canFit, createPool, giveBack, takeBlocks } from "./blocks.js";
import { FIRST_COME } from "./first-come.js";

/**
 * A request while it is served.
 *
 * @typedef {import("./workload.js").WorkloadRequest & Service} Served
 *
 * @typedef {object} Service what is known of it beside its workload
 * @property {number} index its place in the order of submission, which breaks every tie
 * @property {"future"|"waiting"|"running"|"done"|"rejected"} state
 * @property {number} computed tokens whose keys and values are in the cache
 * @property {number} emitted output tokens streamed so far
 * @property {number[]} table its blocks in logical order
 * @property {number} named full blocks of the table that are in the prefix cache
 * @property {boolean} prefilling from admission until everything known is computed
 * @property {number} skips times looked at and not fitting (`lookahead`)
 * @property {number|null} first_sched
 * @property {number[]} token_times the iteration of each token
 * @property {number|null} finish
 * @property {number} preemptions
 * @property {number} recomputed tokens lost to preemption
 * @property {number} cached_tokens tokens found in the prefix cache
 *
 * @typedef {object} State
 * @property {object} config
 * @property {import("./first-come.js").Policy} policy
 * @property {import("./blocks.js").Pool} pool
 * @property {number} t number of the next iteration
 * @property {Served[]} requests in order of submission
 * @property {number} submitted requests so far
 * @property {Served[]} waiting front first
 * @property {Served[]} running in order of admission
 * @property {(Served|null)[]} slots for display; no rule reads it
 */

/** Rules that need nothing beside this module. */
const PLAIN = { policy: FIRST_COME, cache: null };

/** The state before iteration 0, under the rules that the configuration asks for. @returns {State} */
export function createState(config, requests, { policy, cache } = PLAIN) {
  if (policy.name !== config.policy || (config.prefix_cache && !cache)) throw new Error("it asks for other rules");
  const state = {
    config,
    policy,
    t: 0,
    requests: [],
    submitted: 0,
    waiting: [],
    running: [],
    slots: Array(config.slots).fill(null),
    pool: createPool(config, cache),
  };
  for (const request of requests) submit(state, request);
  return state;
}

/** Adds a request that arrives in the next iteration or later. */
export function submit(state, request) {
  if (request.arrival < state.t) {
    throw new Error(`${request.id} arrives at ${request.arrival}, before iteration ${state.t}`);
  }
  state.requests.push({
    ...request,
    index: state.submitted,
    state: "future",
    computed: 0,
    emitted: 0,
    table: [],
    named: 0,
    prefilling: false,
    skips: 0,
    first_sched: null,
    token_times: [],
    finish: null,
    preemptions: 0,
    recomputed: 0,
    cached_tokens: 0,
  });
  state.submitted += 1;
}

export function isOver(state) {
  return state.requests.every((r) => r.state === "done" || r.state === "rejected");
}

/** Runs one iteration on the state (spec 3) and returns its row (spec 9). */
export function step(state) {
  const { config, pool, running, slots, t, waiting } = state;
  const plan = { left: config.budget, entries: [] };
  const arrivals = arrive(state);
  const preempted = scheduleRunning(state, plan);
  const admitted = preempted.length === 0 ? admitWaiting(state, plan) : [];
  // What is said about the forward pass is taken just before it.
  const row = {
    t,
    ...arrivals,
    preempted: ids(preempted),
    admitted: ids(admitted.map(({ request }) => request)),
    ...(pool.cache && { cached: admitted.map(({ request, hit }) => [request.id, hit]) }),
    scheduled: plan.entries.map(({ request, n }) => [request.id, n]),
    running: ids(running),
    waiting: ids(waiting),
    ...(config.policy === "lookahead" && { skips: waiting.map((r) => [r.id, r.skips]) }),
    new_blocks: plan.entries
      .map(({ request, held }) => [request.id, request.table.slice(held)])
      .filter(([, blocks]) => blocks.length > 0),
    blocks_used: blocksUsed(state),
    slots: slots.map((r) => r && r.id),
    kinds: plan.entries.map(({ request }) => tickKind(request)),
  };
  const emitted = ids(computePlan(state, plan));
  const kv_tokens = sum(running.map((r) => r.computed));
  const finished = ids(retire(state, plan));
  state.t += 1;
  return { ...row, emitted, kv_tokens, finished, blocks_used_end: blocksUsed(state) };
}

function ids(requests) {
  return requests.map((r) => r.id);
}

function blocksUsed({ config, pool }) {
  return config.blocks - pool.free.length;
}

/** Spec 3.1. A request that can never fit is refused at once, or it would block the queue for ever. */
function arrive(state) {
  const arrived = [];
  const rejected = [];
  for (const request of state.requests) {
    if (request.state !== "future" || request.arrival !== state.t) continue;
    const fits = canFit(state.config, request);
    request.state = fits ? "waiting" : "rejected";
    if (fits) state.policy.enqueue(state, request);
    (fits ? arrived : rejected).push(request.id);
  }
  return { arrived, rejected };
}

/** Spec 3.2. Whoever runs is served before anybody is admitted. */
function scheduleRunning(state, plan) {
  const { pool, running } = state;
  const preempted = [];
  let position = 0;
  while (position < running.length && plan.left > 0) {
    const request = running[position];
    const n = Math.min(knownTokens(request) - request.computed, plan.left);
    const need = blocksFor(pool, request.computed + n) - request.table.length;
    while (need > pool.free.length && request.state === "running") {
      const victim = state.policy.victim(state);
      if (running.indexOf(victim) < position) position -= 1;
      preempt(state, plan, victim);
      preempted.push(victim);
    }
    // The next request has moved to the place of one that preempted itself.
    if (request.state !== "running") continue;
    schedule(state, plan, request, n);
    position += 1;
  }
  return preempted;
}

function knownTokens(request) {
  return request.prompt + request.emitted;
}

function schedule({ pool }, plan, request, n, held = request.table.length) {
  takeBlocks(pool, request, request.computed + n);
  plan.entries.push({ request, n, held });
  plan.left -= n;
}

function preempt(state, plan, victim) {
  const planned = plan.entries.findIndex(({ request }) => request === victim);
  if (planned >= 0) plan.left += plan.entries.splice(planned, 1)[0].n;
  leave(state, victim, "waiting");
  victim.preemptions += 1;
  victim.recomputed += victim.computed;
  victim.computed = 0;
  victim.table = [];
  state.policy.requeue(state, victim);
}

function leave(state, request, next) {
  giveBack(state.pool, request);
  state.slots[state.slots.indexOf(request)] = null;
  state.running.splice(state.running.indexOf(request), 1);
  request.state = next;
}

/** Spec 3.3. */
function admitWaiting(state, plan) {
  const { config, policy, waiting, running } = state;
  const admitted = [];
  if (waiting.length === 0) return admitted;
  policy.admission({
    config,
    waiting,
    isOpen: () => running.length < config.slots && plan.left > 0,
    fits: (request) => policy.fits(state, request),
    admit: (request) => admitted.push({ request, hit: admit(state, plan, request) }),
  });
  return admitted;
}

function admit(state, plan, request) {
  const { pool, running, slots, waiting } = state;
  waiting.splice(waiting.indexOf(request), 1);
  running.push(request);
  slots[slots.indexOf(null)] = request;
  request.state = "running";
  request.skips = 0;
  request.prefilling = true;
  request.first_sched ??= state.t;
  const known = knownTokens(request);
  const hit = pool.cache ? pool.cache.adopt(pool, request, known) : 0;
  request.computed = hit;
  request.cached_tokens += hit;
  schedule(state, plan, request, Math.min(known - hit, plan.left), 0);
  return hit;
}

function tickKind({ prefilling, preemptions }) {
  if (!prefilling) return "decode";
  return preemptions > 0 ? "recompute" : "prefill";
}

/** Spec 3.4. A token comes out only when everything known is computed. */
function computePlan(state, plan) {
  const emitted = [];
  for (const { request, n } of plan.entries) {
    request.computed += n;
    if (request.computed < knownTokens(request)) continue;
    request.prefilling = false;
    request.emitted += 1;
    request.token_times.push(state.t);
    emitted.push(request);
  }
  return emitted;
}

/** Spec 3.5. Slot and blocks come free after the pass, for the next iteration at the earliest. */
function retire(state, plan) {
  const done = plan.entries.map(({ request }) => request).filter((r) => r.emitted === r.output);
  for (const request of done) {
    request.finish = state.t;
    leave(state, request, "done");
  }
  return done;
}
