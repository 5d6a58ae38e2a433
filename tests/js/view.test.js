import assert from "node:assert/strict";
import { test } from "node:test";
import { finiteRun } from "../../static/js/simulation/finite-run.js";
import { gauges } from "../../static/js/simulation/gauges.js";
import { life } from "../../static/js/simulation/life.js";
import { losslessJson } from "../../static/js/simulation/lossless-json.js";
import { decimalPercent, grouped, percent } from "../../static/js/simulation/markup.js";
import { prerender, shownIteration } from "../../static/js/simulation/prerender.js";
import { mode } from "../../static/js/simulation/mode.js";
import { queue } from "../../static/js/simulation/queue.js";
import { timeline } from "../../static/js/simulation/timeline.js";
import { rulesOf } from "../../static/js/simulation/rules.js";
import { simulate } from "../../static/js/simulation/trace.js";
import { fragments } from "../../static/js/simulation/view.js";
import { DEFAULTS } from "../../static/js/simulation/workload.js";

const SHIPPED = [[24, 18], [40, 30], [96, 12], [16, 44], [64, 22], [150, 10], [32, 36], [20, 16]];

function runOf(config = {}, lengths = SHIPPED, change = () => ({})) {
  const requests = lengths.map(([prompt, output], i) => ({ id: `r${i}`, prompt, output, arrival: 0 }));
  const items = Object.fromEntries(requests.map(({ id }) =>
    [id, { label: `label-${id}`, title: id, href: `/${id}/`, pinned: false, ...change(id) }]));
  const input = { config: { ...DEFAULTS, ...config }, requests, items, total: requests.length };
  return { ...simulate(input.config, requests), ...finiteRun(input, rulesOf(input.config)) };
}

function everything(run, t) {
  return [...Object.values(fragments(run, t)), ...run.requests.map(({ id }) => life(run, id))].join("");
}

function attributes(markup, name) {
  return [...markup.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map((found) => found[1]);
}

/** The marks of one kind in a panel: [data-t, data-value]. */
function marks(markup, kind) {
  return [...markup.matchAll(new RegExp(`data-kind="${kind}" data-t="(\\d+)" data-value="(\\d+)"`, "g"))]
    .map((found) => [Number(found[1]), Number(found[2])]);
}

function panels(markup) {
  const [, continuous, fixed] = markup.split('class="timeline__lane"');
  return { continuous, fixed };
}

test("numbers are grouped without a locale", () => {
  assert.deepEqual([7, 999, 1030, 1234567].map(grouped), ["7", "999", "1,030", "1,234,567"]);
});

test("percent have no space, and their decimals a point", () => {
  assert.deepEqual([percent(3837), percent(0), decimalPercent(3837), decimalPercent(5)],
    ["38%", "0%", "38.4", "0.1"]);
});

test("what is printed is escaped everywhere", () => {
  const nasty = `<b a="1" b='2'>&`;
  const run = runOf({}, SHIPPED, () => ({ label: nasty, href: `/"><script>'&` }));
  const markup = everything(run, 14);
  assert.doesNotMatch(markup, /<b |<script/);
  assert.match(markup, /&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;/);
});

test("an id is escaped too", () => {
  const request = { id: `"<x>`, prompt: 5, output: 3, arrival: 0 };
  const input = { config: DEFAULTS, requests: [request], items: {}, total: 1 };
  const run = { ...simulate(DEFAULTS, [request]), ...finiteRun(input) };
  assert.doesNotMatch(everything(run, 0), /"<x>/);
});

test("no markup carries a style or a handler, and every tag is closed", () => {
  const markup = everything(runOf({ blocks: 12 }), 20);
  assert.doesNotMatch(markup, / style=| on\w+=/);
  const open = [];
  for (const [, closing, name, rest] of markup.matchAll(/<(\/?)([a-z]\w*)([^>]*)>/g)) {
    if (closing) assert.equal(open.pop(), name);
    else if (!rest.endsWith("/")) open.push(name);
  }
  assert.deepEqual(open, []);
});

test("the same run and iteration give the same markup", () => {
  assert.equal(everything(runOf(), 21), everything(runOf(), 21));
});

test("ids in the markup are unique and have the prefix sim-", () => {
  const ids = attributes(Object.values(fragments(runOf(), 14)).join(""), "id");
  assert.ok(ids.length > 0 && ids.every((id) => id.startsWith("sim-")));
  assert.equal(new Set(ids).size, ids.length);
});

test("the timeline has every chunk and token of the trace, each where it happened", () => {
  const run = runOf();
  const { continuous } = panels(timeline(run, 14));
  const chunks = run.iterations.flatMap(({ t, scheduled, kinds }) =>
    scheduled.flatMap(([, n], i) => (kinds[i] === "prefill" ? [[t, n]] : [])));
  assert.deepEqual(marks(continuous, "prefill").sort(), chunks.sort());
  const ticks = marks(continuous, "decode").reduce((total, [, n]) => total + n, 0);
  assert.equal(ticks, run.metrics.output_tokens - run.requests.length);
});

test("a decode tick is one dash in each iteration's column", () => {
  const { continuous } = panels(timeline(runOf({}, [[20, 4]]), 0));
  assert.match(continuous, /data-kind="decode" data-t="1" data-value="3"[^>]*stroke-dasharray="2 8" d="M14 \d+h22"/);
});

test("the static panel pads as much as the metrics say", () => {
  const run = runOf();
  const { fixed } = panels(timeline(run, 14));
  const padded = marks(fixed, "padding").reduce((total, [, n]) => total + n, 0);
  assert.equal(padded, run.metrics.static.pad_slot_iters);
  assert.equal(marks(panels(timeline(run, 14)).continuous, "padding").length, 0);
});

test("the static panel packs the prompts of a batch one after the other", () => {
  const { fixed } = panels(timeline(runOf({}, [[40, 2], [40, 2]]), 0));
  assert.deepEqual(marks(fixed, "prefill"), [[0, 40], [0, 24], [1, 16]]);
  assert.deepEqual(marks(fixed, "held"), [[1, 1]]);
});

test("a preempted request has two stays, the second begins with a recompute", () => {
  const { continuous } = panels(timeline(runOf({ blocks: 5 }, [[32, 6], [32, 6]]), 0));
  const bars = [...continuous.matchAll(/class="bar" data-id="r1" data-t="(\d+)"/g)];
  assert.deepEqual(bars.map((found) => found[1]), ["0", "6"]);
  assert.deepEqual(marks(continuous, "recompute"), [[6, 33]]);
});

test("only the continuous bars take tab stops; all lead to the request", () => {
  const { continuous, fixed } = panels(timeline(runOf(), 14));
  assert.equal(attributes(continuous, "href").length, 8);
  assert.equal(attributes(fixed, "href").length, 8);
  assert.doesNotMatch(continuous, /tabindex/);
  assert.equal(attributes(fixed, "tabindex").length, 8);
});

test("a label that is wider than its bar ends in an ellipsis, at 6.6 px a letter", () => {
  const label = "a-rather-long-project-name";
  const markup = panels(timeline(runOf({}, [[20, 12]], () => ({ label })), 0)).continuous;
  const [, text] = markup.match(/<text y="\d+">([^<]*)<\/text>/);
  assert.equal(text, "a-rather-long-pr…");
  assert.ok(text.length * 66 <= 12 * 100);
});

test("a bar without an address is no link", () => {
  const { continuous } = panels(timeline(runOf({}, [[20, 12]], () => ({ href: "" })), 0));
  assert.match(continuous, /<g class="bar"/);
  assert.doesNotMatch(continuous, /<a /);
});

test("at most 96 iterations are drawn, with the playhead among them, and the caption says so", () => {
  const run = runOf({}, [[20, 200], [20, 150]]);
  for (const t of [0, 90, 150, 199]) {
    const markup = timeline(run, t);
    const [, width] = markup.match(/<svg width="(\d+)" height="\d+" font-size/);
    assert.equal(width, "960");
    const [, x] = markup.match(/translate\((\d+)\)/);
    assert.ok(x > 0 && x <= 960, `playhead at ${x}`);
    assert.match(markup, /Iterations \d+ to \d+ of 200\./);
    for (const [, left] of markup.matchAll(/class="bar"[^>]*translate\((-?\d+) /g)) {
      assert.ok(Number(left) < 960, `a bar at ${left}`);
    }
  }
});

test("the gauges show the row of their iteration", () => {
  const run = runOf();
  for (const t of [0, 14, 40, 65]) {
    const row = run.iterations[t];
    const tokens = row.scheduled.reduce((total, [, n]) => total + n, 0);
    const markup = gauges(run, t);
    assert.deepEqual(attributes(markup, "data-value").slice(0, 3), [
      row.running.length, Math.round((row.blocks_used * 100) / 64), tokens,
    ].map(String));
  }
});

test("the padding gauge shows the share so far and names the final one", () => {
  const run = runOf();
  assert.equal(attributes(gauges(run, 13), "data-value")[3], "0.0");
  assert.equal(attributes(gauges(run, 14), "data-value")[3], "1.7");
  assert.match(gauges(run, 14), /38\.4% by the end of the finite run/);
});

test("the KV gauge has one cell a block", () => {
  const [cells] = gauges(runOf(), 14).match(/class="gauge__cells"[^>]*stroke-width="6"[^>]*/);
  assert.match(cells, /stroke-dasharray="6 1"/);
  assert.equal(cells.match(/M0 [\d.]+H112/g).length, 4);
});

test("the queue groups every request once, and counts those that run or wait", () => {
  const run = runOf();
  const row = run.iterations[14];
  const markup = queue(run, 14);
  const of = (kind) => [...markup.matchAll(new RegExp(`data-id="(\\w+)" data-kind="${kind}"`, "g"))]
    .map((found) => found[1]);
  assert.deepEqual(of("running"), [...row.running].sort());
  assert.deepEqual(of("waiting"), row.waiting);
  assert.deepEqual(of("finished"), ["r2"]);
  assert.match(markup, /data-kind="queue" data-value="7">7</);
  assert.match(markup, /<h4>pinned<\/h4><p>none<\/p>/);
});

test("an entry says how far its request is", () => {
  const run = runOf({ budget: 64 }, [[24, 18], [150, 10]]);
  assert.match(queue(run, 0), /prefill 24\/24/);
  assert.match(queue(run, 0), /prefill 40\/150/);
  assert.match(queue(run, 1), /decode 2\/18/);
  const preempted = runOf({ blocks: 5 }, [[32, 6], [32, 6]]);
  assert.match(queue(preempted, 3), /waiting 1\/6/);
  assert.match(queue(preempted, 6), /recompute 33\/33/);
  assert.match(queue(preempted, 10), /finished 6\/6/);
});

test("a pinned request stands in the first group too, with its state", () => {
  const markup = queue(runOf({}, SHIPPED, (id) => ({ pinned: id === "r3" })), 14);
  assert.match(markup, /data-id="r3" data-kind="pinned" data-state="running" data-t="14"/);
  assert.match(markup, /data-id="r3" data-kind="running" data-t="14"/);
  assert.equal(markup.match(/data-id="r3"/g).length, 2);
});

test("a later round of a request keeps its label and address", () => {
  const run = runOf({}, [[20, 4]]);
  const later = finiteRun({ ...run, requests: [{ ...run.requests[0], id: "r0@2" }] });
  assert.match(queue(later, 0), /data-id="r0@2"[^>]*><a href="\/r0\/">label-r0</);
});

test("the mode line says what is shown", () => {
  assert.equal(mode("static", 3837),
    '<p class="mode" data-kind="static">static · padding waste 38% · simulation</p>');
});

test("the table has the times of every request", () => {
  const { table } = fragments(runOf({ blocks: 4 }, [[60, 6], [60, 5]]), 0);
  assert.match(table, /<td>60<\/td><td>6<\/td><td>–<\/td><td>–<\/td><td>–<\/td>/);
  assert.match(table, /<td>60<\/td><td>5<\/td><td>0<\/td><td>1<\/td><td>4<\/td>/);
});

test("the summary says what the picture shows", () => {
  const { summary } = fragments({ ...runOf(), total: 11 }, 14);
  assert.match(summary, /At iteration 14 of 66, 4 running: label-r0, label-r1, label-r3, label-r4;/);
  assert.match(summary, /3 waiting: label-r5, label-r6, label-r7\./);
  assert.match(summary, /66 iterations with continuous batching; .* takes 86 and pads 38%/);
  assert.match(summary, /8 of 11 shown\./);
});

test("a life tells the request's figures", () => {
  const markup = life(runOf(), "r5");
  assert.deepEqual([...markup.matchAll(/<dd>([^<]*)/g)].map((found) => found[1]),
    ["18 iterations", "21 iterations", "iteration 29", "10 blocks"]);
});

test("the iteration shown has full slots, two waiting, one finished and some padding", () => {
  const run = runOf();
  assert.equal(shownIteration(run, null), 14);
  assert.equal(shownIteration(run, 30), 30);
  assert.equal(shownIteration(run, 1000), 65);
  assert.equal(shownIteration(run, 0), 0);
});

test("else the iteration shown is the first with the longest queue", () => {
  const run = runOf({ slots: 1 }, [[16, 8], [16, 8], [16, 8]]);
  assert.equal(shownIteration(run, null), 0);
});

test("a prerendered page is what the view gives of the same run", () => {
  const run = runOf();
  const out = JSON.parse(prerender(JSON.stringify({
    config: {}, requests: run.requests, at: null, total: 8, items: run.items,
  })));
  assert.deepEqual(out.html, fragments(run, 14));
  assert.deepEqual([out.at, out.iterations, out.static_iterations], [14, 66, 86]);
  assert.deepEqual(Object.keys(out.lives), run.requests.map(({ id }) => id));
});

test("a run of nothing can be drawn", () => {
  const out = JSON.parse(prerender(JSON.stringify({ requests: [], at: 5, total: 0, items: {} })));
  assert.equal(out.at, 0);
  assert.match(out.html.summary, /0 running: none; 0 waiting: none/);
});

for (const [value, said] of [
  [{ rows: [1, NaN] }, /^result\.rows\[1\] is NaN, which JSON cannot hold$/],
  [{ last: Infinity }, /^result\.last is Infinity/],
  [{ first: { t: undefined } }, /^result\.first\.t is undefined/],
  [[-0], /^result\[0\] is -0/],
]) {
  test(`${said.source.slice(9)} is refused with its path`, () => {
    assert.throws(() => losslessJson(value), (error) => said.test(error.message));
  });
}

test("what JSON can hold is its JSON", () => {
  assert.equal(losslessJson({ a: [0, null, "\0"] }), '{"a":[0,null,"\\u0000"]}');
});
