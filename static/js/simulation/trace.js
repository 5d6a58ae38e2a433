import { metrics } from "./metrics.js";
import { rulesOf } from "./rules.js";
import { createState, isOver, step } from "./scheduler.js";
import { staticBatches } from "./static-batching.js";

/**
 * A finished run, in the form of spec 9.
 *
 * @typedef {object} Trace
 * @property {object} config
 * @property {object[]} requests as submitted
 * @property {object[]} iterations one row each
 * @property {object[]} per_request
 * @property {import("./static-batching.js").Batch[]} static
 * @property {object} metrics
 */

/** Runs the requests to their end. @returns {Trace} */
export function simulate(config, requests) {
  const state = createState(config, requests, rulesOf(config));
  const iterations = [];
  while (!isOver(state)) iterations.push(step(state));
  const batches = staticBatches(config, requests);
  return {
    config,
    requests,
    iterations,
    per_request: state.requests.map(record),
    static: batches,
    metrics: metrics(state, iterations, batches),
  };
}

function record({ id, state, first_sched, token_times, finish, preemptions, recomputed }) {
  return { id, state, first_sched, token_times, finish, preemptions, recomputed };
}
