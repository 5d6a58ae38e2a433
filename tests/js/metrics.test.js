import assert from "node:assert/strict";
import { test } from "node:test";
import { ceilDiv, ratio } from "../../static/js/simulation/arithmetic.js";
import { distribution } from "../../static/js/simulation/metrics.js";
import { staticBatches, staticPadding } from "../../static/js/simulation/static-batching.js";
import { simulate } from "../../static/js/simulation/trace.js";
import { DEFAULTS } from "../../static/js/simulation/workload.js";

const SHIPPED = [[24, 18], [40, 30], [96, 12], [16, 44], [64, 22], [150, 10], [32, 36], [20, 16]];

function workload(lengths) {
  return lengths.map(([prompt, output], i) => ({ id: `r${i}`, prompt, output, arrival: 0 }));
}

test("a ratio is rounded half up, and 0 of nothing", () => {
  assert.deepEqual([ratio(1, 8, 100), ratio(1, 3, 100), ratio(2, 3, 100), ratio(5, 0, 100)],
    [13, 33, 67, 0]);
});

test("a division is rounded up", () => {
  assert.deepEqual([ceilDiv(0, 16), ceilDiv(1, 16), ceilDiv(16, 16), ceilDiv(17, 16)], [0, 1, 1, 2]);
});

test("percentiles are nearest ranks", () => {
  assert.deepEqual(distribution([4, 1, 3, 2]), { count: 4, sum: 10, p50: 2, p95: 4, max: 4 });
  assert.deepEqual(distribution([]), { count: 0, sum: 0, p50: 0, p95: 0, max: 0 });
});

test("the shipped lengths take 66 iterations against 86, at 38 % padding and 23 blocks", () => {
  const { metrics } = simulate(DEFAULTS, workload(SHIPPED));
  assert.equal(metrics.iterations, 66);
  assert.equal(metrics.static.iterations, 86);
  assert.equal(metrics.static.pad_bp, 3837);
  assert.equal(metrics.peak_blocks, 23);
});

test("the nine of section 12 give the figures written there", () => {
  const nine = workload([...SHIPPED, [48, 26]]);
  const of = (config) => simulate({ ...DEFAULTS, ...config }, nine).metrics;
  assert.deepEqual([of({}).iterations, of({}).static.iterations, of({}).static.pad_bp],
    [66, 112, 3568]);
  assert.equal(of({}).output_per_iteration_x100, 324);
  assert.deepEqual([12, 16].map((blocks) => of({ blocks }).preemptions), [3, 1]);
  assert.deepEqual([12, 16].map((blocks) => of({ blocks }).recomputed_tokens), [150, 32]);
  assert.equal(of({ blocks: 12, policy: "reserve" }).iterations, 128);
  assert.equal(of({ blocks: 12, policy: "shortest" }).iterations, 95);
});

test("the running share of padding ends at the share of the whole run", () => {
  const batches = staticBatches(DEFAULTS, workload(SHIPPED));
  assert.deepEqual(staticPadding(batches, 85), staticPadding(batches));
  assert.equal(staticPadding(batches, -1).held, 0);
  // All hold their slots from 0 on; the first to finish does so in 14.
  assert.deepEqual(staticPadding(batches, 13), { held: 56, pad: 0, bp: 0 });
  assert.deepEqual(staticPadding(batches, 14), { held: 60, pad: 1, bp: 167 });
});

test("equal outputs pad nothing, whatever the prompts are", () => {
  const batches = staticBatches(DEFAULTS, workload([[10, 8], [90, 8], [150, 8], [1, 8], [7, 8]]));
  assert.equal(staticPadding(batches).pad, 0);
});

test("idle iterations count as iterations, not as busy ones", () => {
  const { metrics } = simulate(DEFAULTS, [{ id: "a", prompt: 8, output: 2, arrival: 3 }]);
  assert.deepEqual([metrics.iterations, metrics.busy_iterations, metrics.ticks], [5, 2, 320]);
});

test("no requests give figures of zero", () => {
  const { iterations, metrics } = simulate(DEFAULTS, []);
  assert.deepEqual(iterations, []);
  assert.equal(metrics.tokens_per_iteration_x100 + metrics.static.last, 0);
});
