import { blocksFor } from "./blocks.js";

/**
 * What a policy decides; the scheduler knows nothing else about it (spec 4).
 *
 * @typedef {object} Policy
 * @property {string} name
 * @property {(state, request) => boolean} fits whether memory allows the admission
 * @property {(admission) => void} admission which waiting requests are tried, in which order
 * @property {(state, request) => void} enqueue places a new request among the waiting
 * @property {(state, request) => void} requeue places a preempted one there
 * @property {(state) => object} victim who loses the blocks
 */

/** First come, first served. @type {Policy} */
export const FIRST_COME = {
  name: "fcfs",
  // All known tokens must fit, though only the first chunk's blocks are taken.
  fits({ pool }, request) {
    const known = request.prompt + request.emitted;
    const needed = pool.cache ? pool.cache.needed(pool, request, known) : blocksFor(pool, known);
    return needed <= pool.free.length;
  },
  // Head-of-line blocking: the first that does not fit ends the admission.
  admission({ waiting, isOpen, fits, admit }) {
    while (waiting.length > 0 && isOpen() && fits(waiting[0])) admit(waiting[0]);
  },
  enqueue({ waiting }, request) {
    waiting.push(request);
  },
  requeue({ waiting }, request) {
    waiting.unshift(request);
  },
  victim({ running }) {
    return running[running.length - 1];
  },
};
