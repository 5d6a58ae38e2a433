/** What a visitor can change, each with its least and its largest value. */
export const LIMITS = {
  slots: [1, 16], blocks: [4, 256], block_size: [1, 64], budget: [1, 512],
};
/** The policies on offer, as the page names them. */
export const OFFERED = {
  fcfs: "first come, first served",
  lookahead: "admission as in my engine",
  reserve: "reserve the worst case",
  shortest: "shortest first",
};
/** A later moment is not worth the way there. */
const LATEST = 20000;

/** The nearest configuration that is possible, and why it is not the one asked for. */
export function settled(wanted) {
  if (wanted.budget >= wanted.slots) return { config: wanted, reason: "" };
  return {
    config: { ...wanted, budget: wanted.slots },
    reason: `The budget is ${wanted.slots}: each running request gets a token, so it is never below the slots.`,
  };
}

/** The part of an address that brings a moment back. */
export function momentHash({ t, config, mode }) {
  const { slots, blocks, block_size, budget, policy } = config;
  return `#sim=${[t, slots, blocks, block_size, budget, policy, mode].join(".")}`;
}

/** What such an address asks for, or null if it is damaged. */
export function readMoment(hash, shipped) {
  const [t, slots, blocks, block_size, budget, policy, mode] = hash.replace("#sim=", "").split(".")
    .map((text) => (/^\d{1,5}$/.test(text) ? Number(text) : text));
  const config = { ...shipped, slots, blocks, block_size, budget, policy };
  const moment = { t, config, mode };
  const isPossible = momentHash(moment) === hash && t <= LATEST && budget >= slots
    && Object.keys(LIMITS).every((key) => config[key] >= LIMITS[key][0] && config[key] <= LIMITS[key][1])
    && Object.hasOwn(OFFERED, policy) && ["continuous", "static"].includes(mode);
  return isPossible ? moment : null;
}
