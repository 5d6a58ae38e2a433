import { ceilDiv, sum } from "./arithmetic.js";
import { firstRound } from "./markup.js";
import { IDLE } from "./moment.js";

/**
 * What happens in static batches, a row an iteration, in the form of the scheduler's, with the
 * progress of the members. A member is `held` while others fill the batch, and `padding` when only
 * its slot is left of it; it keeps its blocks until the batch is done.
 */
export function staticRows(run, batches) {
  const { budget, block_size } = run.config;
  return batches.flatMap(({ start, fill, span, members, finish, first_token }) => {
    const computed = members.map(() => 0);
    return Array.from({ length: span }, (_, k) => {
      const t = start + k;
      let packed = 0;
      const progress = members.map((id, i) => {
        const { prompt, output } = lengthsOf(run, id);
        const first = Math.max(packed, k * budget);
        packed += prompt;
        const n = Math.min(packed, (k + 1) * budget) - first;
        const emitted = Math.max(0, Math.min(output, t - first_token + 1));
        const doing = k < fill ? (n > 0 ? "prefill" : "held") : t > finish[i] ? "padding" : "decode";
        const now = { prefill: n, decode: 1 }[doing] ?? 0;
        computed[i] += now;
        const [done, all] = k < fill ? [computed[i], prompt] : [emitted, output];
        return { id, state: "running", doing, emitted, done, all, now };
      });
      return {
        t, progress, running: members, slots: members,
        scheduled: progress.map(({ id, now }) => [id, now || 1]),
        kinds: progress.map(({ doing }) => doing),
        kv_tokens: sum(computed),
        blocks_used: sum(computed.map((tokens) => ceilDiv(tokens, block_size))),
      };
    });
  });
}

/** What static batching does in iteration t; who was served before is not listed. */
export function staticMoment(run, t) {
  const begun = run.batches.filter(({ start }) => start <= t);
  const row = staticRows(run, begun.slice(-1)).find((other) => other.t === t) ?? { ...IDLE, progress: [] };
  const arrived = run.iterations.filter((other) => other.t <= t).flatMap((other) => other.arrived);
  const started = new Set(begun.flatMap(({ members }) => members));
  const waiting = arrived.filter((id) => !started.has(id));
  const entries = waiting.map((id) =>
    ({ id, state: "waiting", doing: "waiting", emitted: 0, done: 0, all: lengthsOf(run, id).output }));
  return { row: { ...row, waiting }, progress: [...row.progress, ...entries] };
}

function lengthsOf({ requests }, id) {
  return requests.find((r) => r.id === id || r.id === firstRound(id));
}
