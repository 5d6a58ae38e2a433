import { escapeMarkup, itemOf } from "./markup.js";
import { progressAt, rowAt } from "./moment.js";

/** One cell a block, with the slot of its owner; in words, whose it is and what it holds. */
export function kvMap(run, t) {
  const { blocks, block_size } = run.config;
  const { slots } = rowAt(run, t);
  const cells = Array(blocks).fill(["", "free"]);
  for (const { id, table } of progressAt(run, t)) {
    table.forEach((block, k) => {
      const first = k * block_size;
      cells[block] = [slots.indexOf(id), `${itemOf(run, id).label}, tokens ${first} to ${first + block_size - 1}`];
    });
  }
  return cells.map(([slot, words], block) =>
    `<button tabindex="${block ? -1 : 0}" data-of="${slot}" aria-label="block ${block}: ${escapeMarkup(words)}">${slot}</button>`).join("");
}
