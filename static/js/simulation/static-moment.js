import { ceilDiv, sum } from "./arithmetic.js";
import { firstRound } from "./markup.js";
import { rowAt } from "./moment.js";
import { staticRows } from "./static-rows.js";

/**
 * What static batching does in iteration t. A member holds its slot and its blocks until the whole
 * batch is done.
 */
export function staticMoment(run, t) {
  const begun = run.batches.filter(({ start }) => start <= t);
  const batch = begun.find(({ start, span }) => t < start + span);
  const rows = batch ? staticRows(run, [batch]).filter((row) => row.t <= t) : [];
  const lengths = Object.fromEntries(run.requests.map((r) => [r.id, r]));
  const entry = (id, doing, done) =>
    ({ id, state: doing, doing, done, all: firstRound(lengths, id).output, emitted: done });

  const known = [];
  const running = (batch?.members ?? []).map((id, i) => {
    const tokens = (kind) => sum(rows.map((r) => (r.kinds[i] === kind ? r.scheduled[i][1] : 0)));
    const [prefilled, decoded] = [tokens("prefill"), tokens("decode")];
    known.push(prefilled + decoded);
    const doing = rows[rows.length - 1].kinds[i];
    // The iteration that ends the prefill puts out everybody's first token.
    const emitted = t < batch.first_token ? 0 : decoded + 1;
    const filling = t < batch.start + batch.fill;
    return {
      ...entry(id, "running", emitted), doing,
      ...(filling && { done: prefilled, all: firstRound(lengths, id).prompt }),
    };
  });
  const started = new Set(begun.flatMap(({ members }) => members));
  const waiting = run.iterations.filter((row) => row.t <= t).flatMap(({ arrived }) => arrived)
    .filter((id) => !started.has(id));
  const done = begun.filter((other) => other !== batch).slice(-2).flatMap(({ members }) => members);
  return {
    row: {
      ...rowAt({ iterations: [] }, t), ...rows[rows.length - 1], waiting,
      blocks_used: sum(known.map((tokens) => ceilDiv(tokens, run.config.block_size))),
      kv_tokens: sum(known),
    },
    progress: [
      ...running,
      ...waiting.map((id) => entry(id, "waiting", 0)),
      ...done.map((id) => entry(id, "finished", firstRound(lengths, id).output)),
    ],
  };
}
