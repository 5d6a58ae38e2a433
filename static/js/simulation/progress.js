/**
 * How far a request is at the end of an iteration's forward pass.
 *
 * @typedef {object} Progress
 * @property {string} id
 * @property {"waiting"|"running"|"finished"} state during that iteration
 * @property {"prefill"|"recompute"|"decode"|"waiting"|"finished"} doing
 * @property {number} done tokens: computed ones of a prefill or recompute, else output so far
 * @property {number} all of so many
 * @property {number} emitted output tokens
 */

/** The progress of everybody who has arrived, in order of submission. @returns {Progress[]} */
export function progressOf(requests, { t, scheduled, kinds }) {
  const ticks = new Map(scheduled.map(([id], i) => [id, kinds[i]]));
  return requests.filter((r) => r.state !== "future" && r.state !== "rejected").map((r) => {
    const { id, prompt, output, computed, emitted, token_times } = r;
    const tick = ticks.get(id);
    const state = tick ? "running" : r.state === "done" ? "finished" : "waiting";
    const progress = { id, state, doing: tick ?? state, done: emitted, all: output, emitted };
    if (!tick || tick === "decode") return progress;
    // A token that has just come out was not known yet when the chunk was computed.
    const known = token_times[token_times.length - 1] === t ? computed : prompt + emitted;
    return { ...progress, done: computed, all: known };
  });
}
