/**
 * How far a request is at the end of an iteration's forward pass.
 *
 * @typedef {object} Progress
 * @property {object} request
 * @property {"future"|"waiting"|"running"|"finished"|"rejected"} state during that iteration
 * @property {"prefill"|"recompute"|"decode"|""} kind of its last tick
 * @property {number} known tokens when it was last scheduled
 * @property {number} computed tokens in the cache
 * @property {number} emitted output tokens
 * @property {number|null} started the iteration in which it was first scheduled
 * @property {number|null} first the iteration of its first token
 * @property {number|null} finish the iteration of its last token
 */

/**
 * The progress of every request by id, in order of submission.
 * Whoever is named in a row must be among the requests.
 *
 * @returns {Map<string, Progress>}
 */
export function progressAt({ requests, iterations }, t) {
  const progress = new Map(requests.map((request) => [request.id, untouched(request)]));
  const mark = (ids, state) => ids.forEach((id) => Object.assign(progress.get(id), { state }));
  for (const row of iterations) {
    if (row.t > t) break;
    advance(progress, row);
    mark(row.rejected, "rejected");
    mark(row.waiting, "waiting");
    mark(row.running, "running");
    if (row.t < t) mark(row.finished, "finished");
  }
  return progress;
}

function untouched(request) {
  return {
    request, state: "future", kind: "", known: 0, computed: 0, emitted: 0,
    started: null, first: null, finish: null,
  };
}

function advance(progress, { t, preempted, cached = [], scheduled, kinds, emitted, finished }) {
  for (const id of preempted) progress.get(id).computed = 0;
  for (const [id, tokens] of cached) progress.get(id).computed = tokens;
  scheduled.forEach(([id, n], i) => {
    const entry = progress.get(id);
    entry.kind = kinds[i];
    entry.known = entry.request.prompt + entry.emitted;
    entry.computed += n;
    entry.started ??= t;
  });
  for (const id of emitted) {
    const entry = progress.get(id);
    entry.emitted += 1;
    entry.first ??= t;
  }
  for (const id of finished) progress.get(id).finish = t;
}
