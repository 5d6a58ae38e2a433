/**
 * How far a request is at the end of an iteration's forward pass.
 *
 * @typedef {object} Progress
 * @property {string} id
 * @property {object} served the request itself, which goes on; the rest is as of this iteration
 * @property {"waiting"|"running"|"finished"} state during the iteration
 * @property {string} doing its tick (prefill, recompute, decode), or the state
 * @property {number} done tokens: computed ones of a prefill or recompute, else output so far
 * @property {number} all of so many
 * @property {number} emitted output tokens
 * @property {number} preemptions
 * @property {number[]} table the blocks that it held
 */

/** The progress of everybody who has arrived, in order of submission. @returns {Progress[]} */
export function progressOf(requests, { t, scheduled, kinds }) {
  const ticks = new Map(scheduled.map(([id], i) => [id, kinds[i]]));
  return requests.filter((r) => r.state !== "future" && r.state !== "rejected").map((served) => {
    const { id, prompt, output, computed, emitted, preemptions, table, token_times } = served;
    const tick = ticks.get(id);
    const state = tick ? "running" : served.state === "done" ? "finished" : "waiting";
    const fills = tick && tick !== "decode";
    // A token that has just come out was not known yet when the chunk was computed.
    const known = token_times[emitted - 1] === t ? computed : prompt + emitted;
    return {
      id, served, state, doing: tick ?? state, emitted, preemptions,
      done: fills ? computed : emitted, all: fills ? known : output, table: tick ? [...table] : [],
    };
  });
}
