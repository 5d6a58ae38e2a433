import { firstRound } from "./markup.js";

/**
 * What happens in static batches, a row an iteration, in the form of the scheduler's: a member is
 * `held` while others fill the batch, and `padding` when only its slot is left of it.
 */
export function staticRows({ config, requests }, batches) {
  const lengths = Object.fromEntries(requests.map((r) => [r.id, r]));
  return batches.flatMap(({ start, fill, span, members, finish }) =>
    Array.from({ length: span }, (_, k) => {
      let packed = 0;
      const marks = members.map((id, i) => {
        const first = Math.max(packed, k * config.budget);
        packed += firstRound(lengths, id).prompt;
        const n = Math.min(packed, (k + 1) * config.budget) - first;
        if (k < fill) return n > 0 ? ["prefill", n] : ["held", 1];
        return [start + k > finish[i] ? "padding" : "decode", 1];
      });
      return {
        t: start + k,
        running: members,
        slots: members,
        scheduled: marks.map(([, n], i) => [members[i], n]),
        kinds: marks.map(([kind]) => kind),
      };
    }));
}
