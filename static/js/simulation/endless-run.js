import { comeback, xorshift32 } from "./arrivals.js";
import { canFit } from "./blocks.js";
import { progressOf } from "./progress.js";
import { createState, step, submit } from "./scheduler.js";
import { nextBatch, staticEnd } from "./static-batching.js";

/** Rows behind the iteration shown that are kept, for stepping back. */
const KEPT = 2000;

/**
 * A finite run that does not end: when it is over, whoever is finished comes back. All its rows
 * follow from what it is given, however often and far it is run.
 *
 * @param {import("./finite-run.js").Run} finite
 * @param {object[]} sent a visitor's requests, each with `once`
 * @param {object} rules as `createState` takes them
 */
export function endlessRun(finite, seed, sent, rules) {
  const run = {
    ...finite, endless: true, drawn: seed, requests: [...finite.requests, ...sent],
    state: createState(finite.config, [], rules), iterations: [], progress: [],
    left: [], batches: [],
  };
  for (const request of run.requests) enter(run, request);
  return run;
}

function enter({ config, state, left }, request) {
  submit(state, request);
  if (canFit(config, request)) left.push(request);
  left.sort((a, b) => a.arrival - b.arrival);
}

/** Runs on to `end`; of the rows before t only the last ones are kept. */
export function runTo(run, end, t) {
  const { iterations, progress, state } = run;
  while (state.t < end) {
    const row = step(state);
    iterations.push(row);
    progress.push(progressOf(state.requests, row));
    startBatch(run, row.t);
    if (state.t >= run.length) returnFinished(run, row.t);
  }
  const old = Math.max(0, t - KEPT - iterations[0].t);
  iterations.splice(0, old);
  progress.splice(0, old);
}

/** Who can join a static batch is known only when the iteration of its start is over. */
function startBatch({ batches, config, left }, t) {
  const end = staticEnd(batches);
  if (left.length > 0 && Math.max(end, left[0].arrival) <= t) {
    batches.push(nextBatch(config, left, end));
  }
}

function returnFinished(run, t) {
  const { state } = run;
  for (const served of state.requests) {
    if (served.state !== "done" || served.back || served.once) continue;
    const { id, prompt, output } = served;
    run.drawn = xorshift32(run.drawn);
    const request = comeback({ id, prompt, output }, t, run.drawn);
    served.back = request.arrival;
    enter(run, request);
  }
  // Whoever has come back is shown once.
  state.requests = state.requests.filter(({ back }) => !(back <= t));
}
