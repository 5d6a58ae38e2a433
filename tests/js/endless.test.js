import assert from "node:assert/strict";
import { test } from "node:test";
import { endlessRun, runTo } from "../../static/js/simulation/endless-run.js";
import { finiteRun } from "../../static/js/simulation/finite-run.js";
import { kvMap } from "../../static/js/simulation/kv-map.js";
import { gapsOf, ttftOf } from "../../static/js/simulation/latency.js";
import { promptTokens } from "../../static/js/simulation/message-tokens.js";
import { progressAt, rowAt } from "../../static/js/simulation/moment.js";
import { rulesOf } from "../../static/js/simulation/rules.js";
import { staticMoment, staticRows } from "../../static/js/simulation/static-rows.js";
import { trends } from "../../static/js/simulation/trends.js";
import { DEFAULTS } from "../../static/js/simulation/workload.js";

const LENGTHS = [[24, 18], [40, 30], [96, 12], [16, 44], [64, 22], [150, 10], [32, 36], [20, 16]];

function finite(config = {}) {
  const requests = LENGTHS.map(([prompt, output], i) => ({ id: `r${i}`, prompt, output, arrival: 0 }));
  const given = { config: { ...DEFAULTS, ...config }, requests, items: {}, total: 8 };
  return finiteRun(given, rulesOf(given.config));
}

function endless(sent = [], upto = 400, config = {}) {
  const run = endlessRun(finite(config), 1, sent, rulesOf({ ...DEFAULTS, ...config }));
  runTo(run, upto, 0);
  return run;
}

test("an endless run begins as the finite one", () => {
  const { iterations, length } = finite();
  assert.equal(length, 66);
  assert.deepEqual(endless().iterations.slice(0, length), iterations);
});

test("whoever is finished comes back 8 to 23 iterations after the end, and again and again", () => {
  const { iterations } = endless();
  const arrivals = iterations.flatMap(({ t, arrived }) => arrived.map((id) => [id, t]));
  const second = arrivals.filter(([id]) => id.endsWith("@2"));
  assert.equal(second.length, 8);
  assert.ok(second.every(([, t]) => t >= 65 + 8 && t <= 65 + 23));
  assert.ok(arrivals.some(([id]) => id.endsWith("@4")));
});

test("an endless run is the same however it is cut", () => {
  const run = endlessRun(finite(), 1, [], rulesOf(DEFAULTS));
  for (let t = 0; t < 400; t += 7) runTo(run, Math.min(400, t + 7), 0);
  runTo(run, 400, 0);
  assert.deepEqual(run.iterations, endless().iterations);
});

test("no more than 2,000 rows are kept behind the one that is shown", () => {
  const run = endless([], 100);
  runTo(run, 3000, 2900);
  assert.equal(run.iterations[0].t, 900);
  assert.equal(rowAt(run, 2900).t, 2900);
  assert.ok(progressAt(run, 2900).length <= 16);
});

test("a visitor's request comes once, and changes nothing before its arrival", () => {
  const you = { id: "you", prompt: 12, output: 24, arrival: 31, once: true };
  const run = endless([you]);
  assert.deepEqual(run.iterations.slice(0, 31), endless().iterations.slice(0, 31));
  const arrived = run.iterations.filter((row) => row.arrived.some((id) => id.startsWith("you")));
  assert.deepEqual(arrived.map(({ t }) => t), [31]);
  assert.equal(run.iterations.filter((row) => row.finished.includes("you")).length, 1);
  assert.equal(progressAt(run, 399).find(({ id }) => id === "you").state, "finished");
});

test("static batches of an endless run are full while enough requests wait", () => {
  const { batches } = endless();
  assert.ok(batches.length > 4);
  assert.ok(batches.slice(0, 4).every(({ members }) => members.length === 4));
});

test("static rows compute each prompt and put out each token, and pad what the batches say", () => {
  const run = finite();
  const rows = staticRows(run, run.batches);
  const total = (kind) => rows.reduce((sum, { scheduled, kinds }) =>
    sum + scheduled.reduce((own, [, n], i) => own + (kinds[i] === kind ? n : 0), 0), 0);
  assert.equal(total("prefill"), LENGTHS.reduce((sum, [prompt]) => sum + prompt, 0));
  assert.equal(total("decode"), LENGTHS.reduce((sum, [, output]) => sum + output - 1, 0));
  assert.equal(total("padding"), run.static.flatMap(({ pad }) => pad).reduce((a, b) => a + b));
});

test("a moment of static batching has everybody who has arrived and is not served", () => {
  const run = finite();
  const { row, progress } = staticMoment(run, 20);
  assert.deepEqual(row.running, ["r0", "r1", "r2", "r3"]);
  assert.deepEqual(row.waiting, ["r4", "r5", "r6", "r7"]);
  assert.equal(progress.find(({ id }) => id === "r2").doing, "padding");
  assert.equal(staticMoment(run, 200).row.running.length, 0);
});

test("the map has each block once, with its owner's slot", () => {
  const run = finite({ blocks: 12 });
  for (const t of [0, 9, 30]) {
    const cells = [...kvMap(run, t).matchAll(/data-of="(\d*)" aria-label="block (\d+): ([^"]*)"/g)];
    assert.deepEqual(cells.map((cell) => Number(cell[2])), [...Array(12).keys()]);
    const used = cells.filter((cell) => cell[1] !== "");
    assert.equal(used.length, rowAt(run, t).blocks_used);
    assert.ok(used.every((cell) => /^r\d, tokens \d+ to \d+$/.test(cell[3])));
  }
});

test("latencies are those of the metrics", () => {
  const run = finite({ blocks: 12 });
  const entries = progressAt(run, run.length - 1);
  const r5 = entries.find(({ id }) => id === "r5");
  assert.equal(ttftOf(r5), r5.served.token_times[0] + 1);
  assert.ok(entries.some((entry) => Math.max(...gapsOf(entry)) > 1), "a preempted one waits");
});

test("the trends name their newest value and their peak", () => {
  const markup = trends(finite(), 0);
  assert.equal(markup.match(/<svg/g).length, 3);
  assert.match(markup, /TTFT <b>1<\/b>, at most 1/);
});

test("a message counts a token for four bytes, 1 to 512", () => {
  assert.deepEqual([0, 1, 4, 5, 41, 2048, 9999].map(promptTokens), [1, 1, 1, 2, 11, 512, 512]);
});
