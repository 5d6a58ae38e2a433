import { percent } from "./markup.js";

/** The line that says what is shown, and what share of its slot-iterations is padding. */
export function mode(kind, bp) {
  return `<p class="mode" data-kind="${kind}">${kind} · padding waste ${percent(bp)} · simulation</p>`;
}
