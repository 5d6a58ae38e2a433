import { escapeMarkup, itemOf, requestLink } from "./markup.js";
import { progressAt } from "./moment.js";

/** The groups of the queue. A pinned request stands in the first group too, with its state. */
export function queue(run, t, progress = progressAt(run, t)) {
  const groups = { pinned: "", running: "", waiting: "", finished: "" };
  for (const entry of progress) {
    groups[entry.state] += queueEntry(run, t, entry.state, entry);
    if (itemOf(run, entry.id).pinned) groups.pinned += queueEntry(run, t, "pinned", entry);
  }
  const open = progress.filter(({ state }) => state !== "finished").length;
  return `<section class="queue" data-t="${t}" aria-labelledby="sim-queue">`
    + `<h3 id="sim-queue">Request queue <span class="queue__count" data-kind="queue" data-value="${open}">${open}</span></h3>`
    + Object.keys(groups).map((group) => `<h4>${group}${group === "running" ? NOTE : ""}</h4>`
      + (groups[group] ? `<ul>${groups[group]}</ul>` : "<p>none</p>")).join("")
    + "</section>";
}

const NOTE = " <small>· click to read</small>";

function queueEntry(run, t, group, { id, state, doing, done, all, emitted }) {
  const pinned = group === "pinned" ? ` data-state="${state}"` : "";
  return `<li data-id="${escapeMarkup(id)}" data-kind="${group}"${pinned} data-t="${t}" data-value="${emitted}">`
    + `${requestLink(run, id)} <span>${doing} ${done}/${all}</span></li>`;
}
