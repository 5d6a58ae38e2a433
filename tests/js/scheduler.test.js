import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { ceilDiv } from "../../static/js/simulation/arithmetic.js";
import { xorshift32 } from "../../static/js/simulation/arrivals.js";
import { POLICIES } from "../../static/js/simulation/policies.js";
import { rulesOf } from "../../static/js/simulation/rules.js";
import { createState, isOver, step, submit } from "../../static/js/simulation/scheduler.js";
import { staticBatches } from "../../static/js/simulation/static-batching.js";
import { simulate } from "../../static/js/simulation/trace.js";
import { DEFAULTS } from "../../static/js/simulation/workload.js";

const TRACES = new URL("../traces/", import.meta.url);

function traceOf(path) {
  return JSON.parse(readFileSync(new URL(path, TRACES), "utf8"));
}

function run(config, ...lengths) {
  const requests = lengths.map(([prompt, output, arrival = 0], i) => ({
    id: "abcdefgh"[i], prompt, output, arrival,
  }));
  return simulate({ ...DEFAULTS, ...config }, requests);
}

for (const folder of ["vllm", "reference", "author"]) {
  test(`every trace in ${folder} is reproduced in all its fields`, () => {
    const names = readdirSync(new URL(`${folder}/`, TRACES));
    assert.ok(names.length > 0);
    for (const name of names) {
      const { name: _, source, config, requests, iterations, ...rest } = traceOf(`${folder}/${name}`);
      const made = simulate({ ...DEFAULTS, ...config }, requests);
      assert.equal(made.iterations.length, iterations.length, name);
      iterations.forEach((row, t) => {
        for (const key of Object.keys(row)) {
          assert.deepEqual(made.iterations[t][key], row[key], `${name}, iteration ${t}, ${key}`);
        }
      });
      for (const key of Object.keys(rest)) assert.deepEqual(made[key], rest[key], `${name} ${key}`);
    }
  });
}

test("an iteration has the keys of the reference, in their order", () => {
  const row = traceOf("reference/ex01-one-request.json").iterations[0];
  assert.deepEqual(Object.keys(run({}, [20, 4]).iterations[0]), Object.keys(row));
});

test("skips are in the rows under lookahead only, cached with prefix caching only", () => {
  const has = (config, key) => key in run(config, [20, 4]).iterations[0];
  assert.ok(has({ policy: "lookahead" }, "skips") && !has({}, "skips"));
  assert.ok(has({ prefix_cache: 1 }, "cached") && !has({}, "cached"));
});

test("the last token of a prompt yields the first token of the output", () => {
  const { iterations } = run({}, [150, 3]);
  assert.deepEqual(iterations.map((row) => row.scheduled[0][1]), [64, 64, 22, 1, 1]);
  assert.deepEqual(iterations.map((row) => row.emitted.length), [0, 0, 1, 1, 1]);
});

test("a slot is refilled in the iteration after its request has finished, never in the same", () => {
  const { iterations } = run({ slots: 1 }, [5, 1], [5, 1]);
  assert.deepEqual(iterations.map((row) => row.slots), [["a"], ["b"]]);
});

test("an iteration that preempts admits nobody", () => {
  const { iterations } = run({ blocks: 4, slots: 2 }, [32, 5], [20, 5], [16, 2]);
  assert.deepEqual(iterations[1].preempted, ["b"]);
  assert.deepEqual(iterations[1].waiting, ["b", "c"]);
  assert.equal(iterations[1].blocks_used, 3);
});

test("a request that can never fit is rejected on arrival", () => {
  const { iterations, per_request } = run({ blocks: 4 }, [60, 6], [60, 5]);
  assert.deepEqual(iterations[0].rejected, ["a"]);
  assert.deepEqual(iterations[0].arrived, ["b"]);
  assert.deepEqual(per_request.map((r) => r.state), ["rejected", "done"]);
});

test("a request submitted while the run goes on gives the same rows as one in the list", () => {
  const requests = [30, 40, 50].map((prompt, i) => ({ id: `r${i}`, prompt, output: 9, arrival: 0 }));
  const visitor = { id: "you", prompt: 20, output: 5, arrival: 6 };
  const state = createState({ ...DEFAULTS, slots: 2 }, requests);
  const rows = Array.from({ length: 6 }, () => step(state));
  submit(state, visitor);
  while (!isOver(state)) rows.push(step(state));
  const whole = simulate({ ...DEFAULTS, slots: 2 }, [...requests, visitor]);
  assert.deepEqual(rows, whole.iterations);
});

test("a request cannot arrive in the past", () => {
  const state = createState(DEFAULTS, [{ id: "a", prompt: 5, output: 3, arrival: 0 }]);
  step(state);
  assert.throws(() => submit(state, { id: "b", prompt: 1, output: 1, arrival: 0 }), /b arrives at 0/);
});

test("without prefix caching or rejection the batches hold every request once, in order", () => {
  const requests = [[9, 2, 0], [9, 3, 4], [9, 4, 1]].map(([prompt, output, arrival], i) => ({
    id: `r${i}`, prompt, output, arrival,
  }));
  const batches = staticBatches({ ...DEFAULTS, slots: 2 }, requests);
  assert.deepEqual(batches.flatMap((batch) => batch.members), ["r0", "r2", "r1"]);
});

/** Spec 8, on seeded workloads that fill a small cache. */
for (const policy of Object.keys(POLICIES)) {
  for (const prefix_cache of [0, 1]) {
    test(`${policy}${prefix_cache ? " with prefix caching" : ""} keeps the properties of section 8`, () => {
      let drawn = 7 + prefix_cache;
      const draw = (least, most) => {
        drawn = xorshift32(drawn);
        return least + (drawn % (most - least + 1));
      };
      let preemptions = 0;
      for (let round = 0; round < 40; round += 1) {
        const slots = draw(1, 5);
        const config = {
          ...DEFAULTS, policy, prefix_cache, slots,
          blocks: draw(4, 12), block_size: draw(1, 16), budget: slots + draw(0, 40),
        };
        const requests = Array.from({ length: draw(1, 9) }, (_, i) => ({
          id: `r${i}`, prompt: draw(1, 60), output: draw(1, 20), arrival: draw(0, 12),
          priority: draw(0, 2), prefix_group: draw(0, 1), prefix_len: draw(0, 40),
        }));
        preemptions += checkRun(config, requests);
      }
      assert.equal(preemptions > 0, policy !== "reserve");
    });
  }
}

function checkRun(config, requests) {
  const state = createState(config, requests, rulesOf(config));
  let rows = 0;
  while (!isOver(state)) {
    const active = state.running.length + state.waiting.length;
    const row = step(state);
    assert.equal(row.t, rows);
    rows += 1;
    assert.ok(rows < 5000, "the run ends");
    const tokens = row.scheduled.reduce((total, [, n]) => total + n, 0);
    assert.ok(tokens <= config.budget, "P5");
    assert.ok(row.scheduled.every(([, n]) => n >= 1), "P5");
    assert.deepEqual(row.scheduled.map(([id]) => id), row.running, "P6");
    assert.ok(tokens > 0 || (active === 0 && row.arrived.length === 0), "P10");
    assert.deepEqual(row.slots.filter((id) => id !== null).sort(), [...row.running].sort(), "P4");
    row.scheduled.forEach(([, n], i) => assert.ok(row.kinds[i] !== "decode" || n === 1, "P9"));
    checkBlocks(config, state);
  }
  assert.equal(state.pool.free.length, config.blocks, "P15");
  for (const r of state.requests.filter(({ state: end }) => end === "done")) {
    assert.equal(r.token_times.length, r.output, "P15");
    assert.ok(r.token_times.every((time, i) => i === 0 || time > r.token_times[i - 1]), "P15");
    assert.equal(r.finish, r.token_times.at(-1), "P15");
  }
  return state.requests.reduce((total, r) => total + r.preemptions, 0);
}

function checkBlocks({ blocks, block_size, prefix_cache }, { pool, running, waiting }) {
  const held = running.flatMap((r) => r.table);
  const counts = Array(blocks).fill(0);
  for (const block of held) counts[block] += 1;
  assert.deepEqual(pool.counts, counts, "P2");
  assert.deepEqual([...pool.free, ...new Set(held)].sort((a, b) => a - b), [...counts.keys()], "P1");
  assert.ok(prefix_cache || counts.every((count) => count <= 1), "P2");
  for (const r of running) assert.equal(r.table.length, ceilDiv(r.computed, block_size), "P3");
  for (const r of waiting) assert.equal(r.computed + r.table.length, 0, "P3");
}
