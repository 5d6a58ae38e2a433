import { escapeMarkup, itemOf, percent, requestLink } from "./markup.js";
import { progressAt } from "./progress.js";

/** The line that says what is shown, and what share of its slot-iterations is padding. */
export function mode(kind, bp) {
  return `<p class="mode" data-kind="${kind}">${kind} · padding waste ${percent(bp)} · simulation</p>`;
}

/** The groups of the queue. A pinned request stands in the first group too, with its state. */
export function queue(run, t) {
  const groups = { pinned: "", running: "", waiting: "", finished: "" };
  let open = 0;
  for (const progress of progressAt(run, t).values()) {
    const { request, state } = progress;
    if (state === "running" || state === "waiting") open += 1;
    if (!(state in groups)) continue;
    groups[state] += queueEntry(run, t, state, progress);
    if (itemOf(run, request.id).pinned) groups.pinned += queueEntry(run, t, "pinned", progress);
  }
  return `<section class="queue" data-t="${t}" aria-labelledby="sim-queue">`
    + `<h3 id="sim-queue">Request queue <span class="queue__count" data-kind="queue" data-value="${open}">${open}</span></h3>`
    + Object.keys(groups).map((group) => `<h4>${group}${NOTES[group] ?? ""}</h4>`
      + (groups[group] ? `<ul>${groups[group]}</ul>` : "<p>none</p>")).join("")
    + "</section>";
}

const NOTES = { running: " <small>· click to read</small>" };

function queueEntry(run, t, group, { request, state, kind, known, computed, emitted }) {
  const id = escapeMarkup(request.id);
  const pinned = group === "pinned" ? ` data-state="${state}"` : "";
  const [name, done, all] = state === "running" && kind !== "decode"
    ? [kind, computed, known]
    : [state === "running" ? kind : state, emitted, request.output];
  return `<li data-id="${id}" data-kind="${group}"${pinned} data-t="${t}" data-value="${emitted}">`
    + `${requestLink(run, request.id)} <span>${name} ${done}/${all}</span></li>`;
}
