import assert from "node:assert/strict";
import { test } from "node:test";
import { comeback, xorshift32 } from "../../static/js/simulation/arrivals.js";
import { DEFAULTS, readWorkload } from "../../static/js/simulation/workload.js";

const REQUEST = { id: "a", prompt: 20, output: 4, arrival: 0 };

function problemsOf(value) {
  try {
    readWorkload(value);
  } catch (error) {
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

test("missing keys take the defaults", () => {
  const { config, requests } = readWorkload({ requests: [{ id: "a", prompt: 20, output: 4 }] });
  assert.deepEqual(config, DEFAULTS);
  assert.deepEqual(requests, [REQUEST]);
});

test("a workload keeps the order of its keys, whatever order they are given in", () => {
  const { config, requests } = readWorkload({
    config: { policy: "shortest", slots: 2 },
    requests: [{ priority: 1, arrival: 3, output: 4, prompt: 20, id: "a" }],
  });
  assert.deepEqual(Object.keys(config), Object.keys(DEFAULTS));
  assert.deepEqual(Object.keys(requests[0]), ["id", "prompt", "output", "arrival", "priority"]);
});

test("keys beside config and requests are ignored, so a trace is a workload", () => {
  assert.deepEqual(problemsOf({ name: "x", iterations: [], requests: [REQUEST] }), []);
});

test("no requests are a workload too", () => {
  assert.deepEqual(problemsOf({ requests: [] }), []);
});

test("all problems are reported together, each with its path", () => {
  const problems = problemsOf({
    config: { slot: 1, policy: "lifo" },
    requests: [REQUEST, { id: "b", prompt: 0, output: 1.5 }],
  });
  assert.deepEqual(problems.map((line) => line.split(":")[0]), [
    "config.slot", "config.policy", "requests[1].prompt", "requests[1].output",
  ]);
});

for (const [what, change, expected] of [
  ["an unknown key of the config", { config: { slot: 4 } }, /^config\.slot: unknown key; the keys/],
  ["a budget below the slots", { config: { slots: 8, budget: 7 } },
    /^config\.budget: must be at least slots, which is 8, not 7$/],
  ["an unknown policy", { config: { policy: "lifo" } },
    /^config\.policy: must be one of fcfs, lookahead, reserve, shortest, priority, not "lifo"$/],
  ["a policy in a list", { config: { policy: ["fcfs"] } }, /^config\.policy: must be one of/],
  ["an inherited name as policy", { config: { policy: "toString" } }, /^config\.policy: must be/],
  ["no slots", { config: { slots: 0 } }, /^config\.slots: must be an integer from 1/],
  ["a fraction", { config: { blocks: 1.5 } }, /^config\.blocks: must be an integer from 1/],
  ["a number as text", { config: { blocks: "64" } }, /^config\.blocks: must be an integer/],
  ["a truth value as switch", { config: { prefix_cache: true } },
    /^config\.prefix_cache: must be 0 or 1, not true$/],
  ["a window of nobody", { config: { lookahead: 0 } }, /^config\.lookahead: must be an integer/],
  ["a config that is a list", { config: [] }, /^config: must be an object, not \[\]$/],
  ["an unknown key of a request", { requests: [{ ...REQUEST, ouput: 1 }] },
    /^requests\[0\]\.ouput: unknown key/],
  ["an id that is given twice", { requests: [REQUEST, REQUEST] },
    /^requests\[1\]\.id: must be unlike that of requests\[0\], not "a"$/],
  ["an empty id", { requests: [{ ...REQUEST, id: "" }] }, /^requests\[0\]\.id: must be a text/],
  ["an empty prompt", { requests: [{ ...REQUEST, prompt: 0 }] }, /^requests\[0\]\.prompt: must be/],
  ["an empty output", { requests: [{ ...REQUEST, output: 0 }] }, /^requests\[0\]\.output: must be/],
  ["a missing output", { requests: [{ id: "a", prompt: 1 }] },
    /^requests\[0\]\.output: is missing$/],
  ["a negative arrival", { requests: [{ ...REQUEST, arrival: -1 }] },
    /^requests\[0\]\.arrival: must be an integer from 0/],
  ["a negative zero", { requests: [{ ...REQUEST, arrival: -0 }] },
    /^requests\[0\]\.arrival: must be an integer from 0/],
  ["more than a million tokens", { requests: [{ ...REQUEST, prompt: 1000001 }] },
    /^requests\[0\]\.prompt: must be an integer from 1 to 1000000/],
  ["a prefix without its group", { requests: [{ ...REQUEST, prefix_len: 2 }] },
    /^requests\[0\]\.prefix_len: needs a prefix_group/],
  ["a request that is a number", { requests: [3] }, /^requests\[0\]: must be an object, not 3$/],
  ["requests that are an object", { requests: {} }, /^requests: must be a list/],
  ["no requests at all", { requests: undefined }, /^requests: is missing$/],
]) {
  test(`${what} is a problem`, () => {
    const problems = problemsOf({ requests: [REQUEST], ...change });
    assert.equal(problems.length, 1, problems.join("\n"));
    assert.match(problems[0], expected);
  });
}

test("what is no object is one problem", () => {
  assert.deepEqual(problemsOf(null), [": must be an object with requests, not null"]);
});

test("xorshift32 gives the known sequence of its seed", () => {
  assert.deepEqual([1, 2, 3].reduce((drawn) => [...drawn, xorshift32(drawn.at(-1) ?? 1)], []), [
    270369, 67634689, 2647435461,
  ]);
});

test("a finished request comes back under its next number, 8 to 23 iterations later", () => {
  const second = comeback(REQUEST, 10, 17);
  assert.deepEqual(second, { ...REQUEST, id: "a@2", arrival: 19 });
  assert.equal(comeback(second, 40, 15).id, "a@3");
  assert.equal(comeback(second, 40, 15).arrival, 63);
});
