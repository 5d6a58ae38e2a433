import { firstRound } from "./markup.js";

/**
 * A request's time in a slot without a break.
 *
 * @typedef {object} Stay
 * @property {string} id
 * @property {number} slot
 * @property {number} from its first iteration
 * @property {number} length its iterations
 * @property {Mark[]} marks without gaps, in order of time
 *
 * @typedef {object} Mark what happens in `length` iterations on end
 * @property {"prefill"|"recompute"|"decode"|"held"|"padding"} kind
 * @property {number} length
 * @property {number} value tokens computed, or iterations padded or held
 */

/** The stays of continuous batching, in order of admission. @returns {Stay[]} */
export function continuousStays(rows) {
  const stays = [];
  const open = new Map();
  for (const row of rows) {
    for (const id of open.keys()) if (!row.running.includes(id)) open.delete(id);
    row.scheduled.forEach(([id, n], i) => {
      if (!open.has(id)) {
        open.set(id, { id, slot: row.slots.indexOf(id), from: row.t, length: 0, marks: [] });
        stays.push(open.get(id));
      }
      const stay = open.get(id);
      stay.length += 1;
      addMark(stay.marks, row.kinds[i], n);
    });
  }
  return stays;
}

/** Decodes, held and padded iterations join to one mark; a chunk of a prompt is always its own. */
function addMark(marks, kind, value) {
  const last = marks[marks.length - 1];
  if (last && last.kind === kind && kind !== "prefill" && kind !== "recompute") {
    last.length += 1;
    last.value += value;
  } else {
    marks.push({ kind, length: 1, value });
  }
}

/** The stays of static batching: the members of a batch hold their slots for its whole span. */
export function staticStays({ config, requests, batches }) {
  const lengths = Object.fromEntries(requests.map((r) => [r.id, r]));
  return batches.flatMap((batch) => {
    let packed = 0;
    return batch.members.map((id, slot) => {
      const { prompt } = firstRound(lengths, id);
      const marks = fillMarks(batch.fill, config.budget, packed, packed + prompt);
      packed += prompt;
      const decodes = batch.finish[slot] - batch.first_token;
      for (let i = 0; i < decodes; i += 1) addMark(marks, "decode", 1);
      for (let i = 0; i < batch.pad[slot]; i += 1) addMark(marks, "padding", 1);
      return { id, slot, from: batch.start, length: batch.span, marks };
    });
  });
}

/** The prompts of a batch are packed into its first iterations; this one has the tokens from…to. */
function fillMarks(fill, budget, from, to) {
  const marks = [];
  for (let i = 0; i < fill; i += 1) {
    const n = Math.min(to, (i + 1) * budget) - Math.max(from, i * budget);
    addMark(marks, n > 0 ? "prefill" : "held", n > 0 ? n : 1);
  }
  return marks;
}
