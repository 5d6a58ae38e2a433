import { freeBlocksNeeded, worstNeed } from "./blocks.js";
import { sum } from "./arithmetic.js";

/**
 * What a policy decides; the scheduler knows nothing else about it.
 *
 * @typedef {object} Policy
 * @property {(state, request) => boolean} fits whether memory allows the admission (spec 4)
 * @property {(admission) => void} admission which waiting requests are tried, in which order
 * @property {((request) => number)|null} rank smaller is served first; null is order of arrival
 */

/** @type {Object<string, Policy>} */
export const POLICIES = {
  fcfs: { fits: knownTokensFit, admission: admitFront, rank: null },
  lookahead: { fits: knownTokensFit, admission: admitWindow, rank: null },
  reserve: { fits: worstCaseFits, admission: admitFront, rank: null },
  shortest: { fits: knownTokensFit, admission: admitFront, rank: (r) => r.prompt + r.output },
  priority: { fits: knownTokensFit, admission: admitFront, rank: (r) => r.priority ?? 0 },
};

/** All known tokens must fit, though only the first chunk's blocks are taken. */
function knownTokensFit({ pool }, request) {
  return freeBlocksNeeded(pool, request, request.prompt + request.emitted) <= pool.free.length;
}

/** Everybody who runs can reach the worst need, so nobody is ever preempted. */
function worstCaseFits({ config, running }, request) {
  const promised = [...running, request].map((r) => worstNeed(r, config.block_size));
  return sum(promised) <= config.blocks;
}

/** Head-of-line blocking: the first that does not fit ends the admission. */
function admitFront({ waiting, isOpen, fits, admit }) {
  while (waiting.length > 0 && isOpen() && fits(waiting[0])) admit(waiting[0]);
}

/** A front that was skipped too often blocks the rest; else a fixed window is looked at. */
function admitWindow({ config, waiting, isOpen, fits, admit }) {
  const front = waiting[0];
  if (front.skips >= config.skip_threshold) {
    if (isOpen() && fits(front)) admit(front);
    return;
  }
  for (const request of waiting.slice(0, config.lookahead)) {
    if (!isOpen()) return;
    if (fits(request)) admit(request);
    else request.skips += 1;
  }
}

/** Queues a new request where its policy wants it. */
export function enqueue({ config, waiting }, request) {
  const { rank } = POLICIES[config.policy];
  const after = rank ? waiting.findIndex((other) => isBefore(rank, request, other)) : -1;
  waiting.splice(after < 0 ? waiting.length : after, 0, request);
}

/** A preempted request returns to the front, or to its place by rank. */
export function requeue(state, request) {
  if (POLICIES[state.config.policy].rank) enqueue(state, request);
  else state.waiting.unshift(request);
}

/** Who loses the blocks: the last by rank, else the one admitted last. */
export function chooseVictim({ config, running }) {
  const { rank } = POLICIES[config.policy];
  if (!rank) return running[running.length - 1];
  return running.reduce((last, request) => (isBefore(rank, last, request) ? request : last));
}

function isBefore(rank, a, b) {
  return (rank(a) - rank(b) || a.arrival - b.arrival || a.index - b.index) < 0;
}
