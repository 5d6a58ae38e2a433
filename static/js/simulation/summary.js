import { counted, escapeMarkup, itemOf, percent } from "./markup.js";
import { progressAt } from "./moment.js";
import { staticEnd, staticPadding } from "./static-batching.js";

/** One paragraph of text that says what the picture shows. */
export function summary(run, t) {
  const progress = progressAt(run, t);
  const labels = (state) => progress.filter((entry) => entry.state === state)
    .map(({ id }) => escapeMarkup(itemOf(run, id).label));
  const running = labels("running");
  const waiting = labels("waiting");
  const shown = run.total > run.requests.length
    ? ` ${run.requests.length} of ${run.total} shown.` : "";
  return `<p class="summary">At iteration ${t} of ${run.length}, `
    + `${running.length} running: ${running.join(", ") || "none"}; `
    + `${waiting.length} waiting: ${waiting.join(", ") || "none"}. `
    + `The whole run takes ${counted(run.length, "iteration")} with continuous batching; static batching of the same requests takes `
    + `${staticEnd(run.static)} and pads ${percent(staticPadding(run.static).bp)} of its slot-iterations.${shown}</p>`;
}
