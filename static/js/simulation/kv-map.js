import { escapeMarkup, itemOf } from "./markup.js";
import { tablesAt } from "./request-figures.js";

/** One cell a block, with the slot of its owner; in words, whose it is and what it holds. */
export function kvMap(run, t) {
  const { blocks, block_size } = run.config;
  const { slots } = run.iterations[t - run.iterations[0].t];
  const owners = [];
  for (const [id, table] of tablesAt(run, t)) {
    table.forEach((block, k) => {
      owners[block] = { id, slot: slots.indexOf(id), first: k * block_size };
    });
  }
  return Array.from({ length: blocks }, (_, block) => {
    const owner = owners[block];
    const words = owner
      ? `${itemOf(run, owner.id).label}, tokens ${owner.first} to ${owner.first + block_size - 1}`
      : "free";
    const of = owner ? ` data-of="${owner.slot}"` : "";
    return `<button type="button" tabindex="${block === 0 ? 0 : -1}"${of} aria-label="Block ${block}: ${escapeMarkup(words)}">${owner?.slot ?? ""}</button>`;
  }).join("");
}
