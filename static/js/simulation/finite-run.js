import { progressOf } from "./progress.js";
import { createState, isOver, step } from "./scheduler.js";
import { staticBatches } from "./static-batching.js";

/**
 * What the view draws: what happened, and what the page knows about the requests.
 *
 * @typedef {object} Run
 * @property {object} config
 * @property {object[]} requests as submitted
 * @property {Object<string, Item>} items what the page shows of a request, by id
 * @property {number} total requests of the whole site; the run may have fewer
 * @property {object[]} iterations rows, one an iteration without gaps
 * @property {import("./progress.js").Progress[][]} progress for each row
 * @property {boolean} [endless] it goes on behind its end
 * @property {number} length iterations of the finite run
 * @property {import("./static-batching.js").Batch[]} static its batches
 * @property {import("./static-batching.js").Batch[]} batches those that are drawn
 *
 * @typedef {{label: string, title: string, href: string, pinned: boolean}} Item
 */

/** The requests, run to their end. @returns {Run} */
export function finiteRun({ config, requests, items, total }, rules) {
  const state = createState(config, requests, rules);
  const iterations = [];
  const progress = [];
  while (!isOver(state)) {
    iterations.push(step(state));
    progress.push(progressOf(state.requests, iterations[state.t - 1]));
  }
  const batches = staticBatches(config, requests);
  return {
    config, requests, items, total, iterations, progress,
    length: state.t, static: batches, batches,
  };
}
