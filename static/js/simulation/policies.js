import { sum } from "./arithmetic.js";
import { worstNeed } from "./blocks.js";
import { FIRST_COME } from "./first-come.js";

/** @type {Object<string, import("./first-come.js").Policy>} */
export const POLICIES = {
  fcfs: FIRST_COME,
  lookahead: { ...FIRST_COME, name: "lookahead", admission: admitWindow },
  reserve: { ...FIRST_COME, name: "reserve", fits: worstCaseFits },
  shortest: ranked("shortest", (r) => r.prompt + r.output),
  priority: ranked("priority", (r) => r.priority ?? 0),
};

/** Everybody who runs can reach the worst need, so nobody is ever preempted. */
function worstCaseFits({ config, running }, request) {
  const promised = [...running, request].map((r) => worstNeed(r, config.block_size));
  return sum(promised) <= config.blocks;
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

/** Smaller is served first; the largest is the victim. */
function ranked(name, rank) {
  const isBefore = (a, b) =>
    (rank(a) - rank(b) || a.arrival - b.arrival || a.index - b.index) < 0;
  const enqueue = ({ waiting }, request) => {
    const after = waiting.findIndex((other) => isBefore(request, other));
    waiting.splice(after < 0 ? waiting.length : after, 0, request);
  };
  return {
    ...FIRST_COME,
    name,
    enqueue,
    requeue: enqueue,
    victim: ({ running }) => running.reduce((last, r) => (isBefore(last, r) ? r : last)),
  };
}
