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

/** The stays that the rows tell of, in order of admission. @returns {Stay[]} */
export function staysOf(rows) {
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
