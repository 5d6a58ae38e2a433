import { COLUMN, LANE, MARK, MARKS_TOP } from "./sizes.js";
import { staticEnd } from "./static-batching.js";

/** Iterations that are drawn at the most. In a longer run they turn by the page. */
const WIDEST = 96;
const PAGE = 24;
/** The last column, counted from the left, where the playhead stands before a page is turned. */
const LAST = 87;
const AXIS = 20;
const HEADING = 24;
const GAP = 12;

/**
 * What is drawn while t is shown: the iterations, and where the panels of both kinds stand.
 *
 * @param {import("./finite-run.js").Run} run
 */
export function frameAt({ config, endless, length, static: batches }, t) {
  const { slots } = config;
  const page = Math.max(0, PAGE * Math.ceil((t - LAST) / PAGE));
  const total = endless ? Infinity : Math.max(length, staticEnd(batches));
  const from = Math.max(0, Math.min(page, total - WIDEST));
  const top = AXIS + HEADING;
  const below = top + slots * LANE + GAP + HEADING;
  return {
    from, to: Math.min(total, from + WIDEST), total, slots,
    tops: [top, below], height: below + slots * LANE,
  };
}

/** A panel's lanes from the top to the last base line; headings are not crossed. */
export function down(slots) {
  return `v${slots * LANE - LANE + MARKS_TOP + MARK}`;
}

/** The line behind iteration t. */
export function playhead({ from, slots, tops }, t) {
  const lines = tops.map((top) => `M0 ${top}${down(slots)}`);
  return `<path class="playhead" data-kind="playhead" data-t="${t}" stroke="currentColor" transform="translate(${(t - from + 1) * COLUMN})" d="M-4 14h8l-4 5z${lines.join("")}"/>`;
}

/** @param {import("./finite-run.js").Run} run */
export function counter({ length, endless }, t) {
  const end = endless ? "" : ` of ${length}`;
  return `<p data-kind="iteration" data-t="${t}" data-value="${t}">iter ${t}${end}</p>`;
}
