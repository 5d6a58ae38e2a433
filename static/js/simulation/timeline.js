import { chart } from "./chart.js";
import { counter, frameAt, playhead } from "./frame.js";
import { counted, percent } from "./markup.js";
import { mark } from "./marks.js";
import { COLUMN, LANE, MARK } from "./sizes.js";
import { staticEnd, staticPadding } from "./static-batching.js";

const HOW_TO_READ = "Each request is one of my projects or pull requests."
  + " Click a bar or a request to read it.";

/** The base line of a slot's name below the top of its lane: in the middle of the marks. */
const NAME = 26;

/** The hatching is defined once a page; the gauges use it too. */
const HATCH = '<pattern id="sim-hatch" width="5" height="5" patternUnits="userSpaceOnUse"'
  + ' patternTransform="rotate(45)"><path class="hatch" d="M1 0v5" stroke="currentColor"'
  + ' stroke-width="2"/></pattern>';

/** The figure: continuous and static batching over one axis, and the playhead after iteration t. */
export function timeline(run, t) {
  const frame = frameAt(run, t);
  const height = frame.tops[1] + frame.slots * LANE;
  return '<figure class="timeline"><h3>Decode iterations</h3>'
    + `<div class="timeline__counter" data-part="counter">${counter(run, t)}</div>`
    + `${legend()}<div class="timeline__body">`
    + `<svg class="timeline__lanes" width="48" height="${height}" overflow="visible" font-size="11">${laneNames(run, frame)}</svg>`
    + '<div class="timeline__scroller" tabindex="0" role="region" aria-label="Timeline">'
    + `<svg width="${(frame.to - frame.from) * COLUMN}" height="${height}" font-size="11">${HATCH}`
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

/** Drawn beside the scroller, so that they stay while the iterations move. */
function laneNames(run, { tops, slots }) {
  const titles = [
    `continuous · ${counted(run.length, "iteration")}`,
    `static · ${counted(staticEnd(run.static), "iteration")} · ${percent(staticPadding(run.static).bp)} padding`,
  ];
  return tops.map((top, i) => {
    const names = Array.from({ length: slots }, (_, slot) =>
      `<text y="${top + slot * LANE + NAME}">slot ${slot}</text>`);
    return `<text class="timeline__panel" y="${top - 9}">${titles[i]}</text>${names.join("")}`;
  }).join("");
}

function caption({ requests, total, endless }, { from, to, total: end }) {
  const cut = !endless && to - from < end ? ` Iterations ${from} to ${to - 1} of ${end}.` : "";
  const shown = total > requests.length ? ` ${requests.length} of ${total} shown.` : "";
  return `<figcaption>${HOW_TO_READ}${shown}${cut}</figcaption>`;
}
