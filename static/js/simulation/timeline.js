import { chart } from "./chart.js";
import { counter, frameAt, playhead } from "./frame.js";
import { laneNames } from "./lane-names.js";
import { mark } from "./marks.js";
import { COLUMN, MARK } from "./sizes.js";

const HOW_TO_READ = "Each request is one of my projects or pull requests."
  + " Click a bar or a request to read it.";

/** The hatching is defined once a page; the gauges use it too. */
const HATCH = '<pattern id="sim-hatch" width="5" height="5" patternUnits="userSpaceOnUse"'
  + ' patternTransform="rotate(45)"><path class="hatch" d="M1 0v5" stroke="currentColor"'
  + ' stroke-width="2"/></pattern>';

/** The figure: continuous and static batching over one axis, and the playhead after iteration t. */
export function timeline(run, t) {
  const frame = frameAt(run, t);
  return '<figure class="timeline"><h3>Decode iterations</h3>'
    + `<div class="timeline__counter" data-part="counter">${counter(run, t)}</div>`
    + `${legend()}<div class="timeline__body">`
    + `<svg class="timeline__lanes" data-part="lanes" width="48" height="${frame.height}" overflow="visible" font-size="11" paint-order="stroke">${laneNames(run, frame)}</svg>`
    + '<div class="timeline__scroller" tabindex="0" role="region" aria-label="Timeline">'
    + `<svg width="${(frame.to - frame.from) * COLUMN}" height="${frame.height}" font-size="11" paint-order="stroke">${HATCH}`
    + `<g data-part="chart">${chart(run, frame)}</g><g data-part="playhead">${playhead(frame, t)}</g>`
    + `</svg></div></div>${caption(run, frame)}</figure>`;
}

function legend() {
  const entries = [["prefill", "prefill", 10], ["decode", "decode, one tick per token", 20],
    ["padding", "static-batch padding", 20]];
  const items = entries.map(([kind, text, width]) =>
    `<li><svg width="20" height="${MARK}" aria-hidden="true">${mark(kind, "", 0, 0, width)}</svg> ${text}</li>`);
  return `<ul class="legend">${items.join("")}</ul>`;
}

function caption({ requests, total, endless }, { from, to, total: end }) {
  const cut = !endless && to - from < end ? ` Iterations ${from} to ${to - 1} of ${end}.` : "";
  const shown = total > requests.length ? ` ${requests.length} of ${total} shown.` : "";
  return `<figcaption>${HOW_TO_READ}${shown}${cut}</figcaption>`;
}
