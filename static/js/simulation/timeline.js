import { counted, escapeMarkup, itemOf, percent } from "./markup.js";
import { continuousStays, staticStays } from "./stays.js";
import { staticEnd, staticPadding } from "./static-batching.js";

/** Iterations that are drawn at the most, and those of them before the playhead in a long run. */
const WIDEST = 96;
const PAST = 80;
/** In pixels at 1:1: an iteration is one column; a lane has its label above its marks. */
const COLUMN = 10;
const LANE = 34;
const LABEL = 11;
const MARKS_TOP = 15;
const MARK = 14;
const AXIS = 20;
const HEADING = 24;
const GAP = 12;
/** Tenths of a pixel that a monospace letter of 11 px advances. */
const LETTER_TENTHS = 66;

const HOW_TO_READ = "Each request is one of my projects or pull requests."
  + " Click a bar or a request to read it.";

/** The hatching is defined once a page; the gauges use it too. */
const HATCH = '<pattern id="sim-hatch" width="5" height="5" patternUnits="userSpaceOnUse"'
  + ' patternTransform="rotate(45)"><path class="hatch" d="M1 0v5" stroke="currentColor"'
  + ' stroke-width="2"/></pattern>';

/** The figure: continuous and static batching over one axis, and the playhead after iteration t. */
export function timeline(run, t) {
  const length = runLength(run);
  const end = staticEnd(run.static);
  const total = Math.max(length, end);
  const from = Math.max(0, Math.min(t - PAST, total - WIDEST));
  const to = Math.min(total, from + WIDEST);
  const { slots } = run.config;
  const below = AXIS + HEADING + slots * LANE + GAP;
  const panels = [
    { top: AXIS + HEADING, stays: continuousStays(run.iterations), skip: "",
      title: `continuous · ${counted(length, "iteration")}` },
    // The same addresses a second time need no tab stops.
    { top: below + HEADING, stays: staticStays(run), skip: ' tabindex="-1"',
      title: `static · ${counted(end, "iteration")} · ${percent(staticPadding(run.static).bp)} padding` },
  ];
  const view = { from, to, slots, panels, width: (to - from) * COLUMN };
  const height = below + HEADING + slots * LANE;
  return `<figure class="timeline" data-t="${t}"><h3>Decode iterations</h3>`
    + `<p class="timeline__counter" data-kind="iteration" data-t="${t}" data-value="${t}">iter ${t} of ${length}</p>`
    + `${legend()}<div class="timeline__body">`
    + `<svg class="timeline__lanes" width="48" height="${height}" overflow="visible" font-size="11">${laneNames(view)}</svg>`
    + '<div class="timeline__scroller" tabindex="0" role="region" aria-label="Timeline">'
    + `<svg width="${view.width}" height="${height}" font-size="11">${HATCH}${axis(view)}`
    + panels.map((panel) => drawPanel(run, view, panel)).join("")
    + `${playhead(view, t)}</svg></div></div>${caption(run, view, total)}</figure>`;
}

/** Iterations of the run so far, though its early rows may be dropped. */
function runLength({ iterations }) {
  return iterations.length > 0 ? iterations[iterations.length - 1].t + 1 : 0;
}

function legend() {
  const entries = [
    ["prefill", MARKS.prefill("", 0, 0, 10)],
    ["decode, one tick per token", MARKS.decode("", 0, 0, 20)],
    ["static-batch padding", MARKS.padding("", 0, 0, 20)],
  ];
  const items = entries.map(([text, mark]) =>
    `<li><svg width="20" height="${MARK}" aria-hidden="true">${mark}</svg> ${text}</li>`);
  return `<ul class="legend">${items.join("")}</ul>`;
}

/** Drawn beside the scroller, so that they stay while the iterations move. */
function laneNames({ panels, slots }) {
  return panels.map(({ top, title }) => {
    const names = Array.from({ length: slots }, (_, slot) =>
      `<text y="${top + slot * LANE + MARKS_TOP + LABEL}">slot ${slot}</text>`);
    return `<text class="timeline__panel" y="${top - 9}">${title}</text>${names.join("")}`;
  }).join("");
}

function axis({ from, to, panels, slots }) {
  const tens = [];
  for (let t = Math.floor((from + 9) / 10) * 10; t < to; t += 10) tens.push(t);
  const x = (t) => (t - from) * COLUMN;
  const lines = panels.flatMap(({ top }) => tens.map((t) => `M${x(t)}.5 ${top}${down(slots)}`));
  return `<path class="timeline__grid" stroke="currentColor" d="${lines.join("")}"/>`
    // The last column has no room for a number.
    + tens.filter((t) => t < to - 1).map((t) => `<text class="timeline__number" x="${x(t)}" y="11">${t}</text>`).join("");
}

/** A panel's lanes from the top to the last base line; headings are not crossed. */
function down(slots) {
  return `v${slots * LANE - LANE + MARKS_TOP + MARK}`;
}

function drawPanel(run, view, { top, stays, skip }) {
  const lines = Array.from({ length: view.slots }, (_, slot) =>
    `M0 ${top + slot * LANE + MARKS_TOP + MARK}.5h${view.width}`);
  return `<path class="timeline__lane" stroke="currentColor" d="${lines.join("")}"/>`
    + stays.map((stay) => bar(run, view, stay, top + stay.slot * LANE, skip)).join("");
}

function bar(run, view, { id, slot, from, marks }, y, skip) {
  const end = marks.reduce((sum, mark) => sum + mark.length, from);
  const x = Math.max(0, from - view.from) * COLUMN;
  const width = Math.min(end - view.from, view.to - view.from) * COLUMN - x;
  if (width <= 0) return "";
  const { label, href } = itemOf(run, id);
  // One letter's room stays free, or the labels of two stays run together.
  const text = fitted(label, Math.floor((width * 10) / LETTER_TENTHS) - 1);
  const tag = href ? "a" : "g";
  return `<${tag}${href && ` href="${escapeMarkup(href)}"${skip}`} class="bar" data-id="${escapeMarkup(id)}" data-t="${from}" data-kind="request">`
    + `<title>${escapeMarkup(label)}: slot ${slot}, iterations ${from} to ${end - 1}</title>`
    + `<path class="bar__area" fill="none" pointer-events="all" d="M${x} ${y}h${width}v${MARKS_TOP + MARK}h-${width}z"/>`
    + (text && `<text x="${x}" y="${y + LABEL}">${escapeMarkup(text)}</text>`)
    + `${drawMarks(view, from, marks, y + MARKS_TOP)}</${tag}>`;
}

/** A label is never cut through: what does not fit ends in an ellipsis, or is left out. */
function fitted(label, letters) {
  const signs = Array.from(label);
  if (signs.length <= letters) return label;
  return letters < 3 ? "" : `${signs.slice(0, letters - 1).join("")}…`;
}

function drawMarks(view, from, marks, y) {
  let end = from;
  return marks.map(({ kind, length, value }) => {
    const first = Math.max(end, view.from);
    const data = ` data-t="${end}" data-value="${value}"`;
    end += length;
    const width = (Math.min(end, view.to) - first) * COLUMN;
    return width > 0 ? MARKS[kind](data, (first - view.from) * COLUMN, y, width) : "";
  }).join("");
}

/** The kinds differ in shape, not only in colour: block, notched outline, ticks, line, hatching. */
const MARKS = {
  prefill: (data, x, y, width) =>
    `<path data-kind="prefill"${data} d="M${x} ${y}h${width - 1}v${MARK}h-${width - 1}z"/>`,
  recompute: (data, x, y, width) =>
    `<path data-kind="recompute"${data} fill="none" stroke="currentColor" d="M${x}.5 ${y + 5}.5l5-5h${width - 7}v${MARK - 1}h-${width - 2}z"/>`,
  // One dash a token: the dashes start anew with each path.
  decode: (data, x, y, width) =>
    `<path data-kind="decode"${data} stroke="currentColor" stroke-width="${MARK}" stroke-dasharray="2 8" d="M${x + 4} ${y + MARK / 2}h${width - 8}"/>`,
  held: (data, x, y, width) =>
    `<path data-kind="held"${data} stroke="currentColor" d="M${x} ${y + MARK / 2}.5h${width}"/>`,
  padding: (data, x, y, width) =>
    `<path data-kind="padding"${data} fill="url(#sim-hatch)" d="M${x} ${y}h${width}v${MARK}h-${width}z"/>`,
};

function playhead({ from, panels, slots }, t) {
  const lines = panels.map(({ top }) => `M0 ${top}${down(slots)}`);
  return `<path class="playhead" data-kind="playhead" data-t="${t}" stroke="currentColor" transform="translate(${(t - from + 1) * COLUMN})" d="M-4 14h8l-4 5z${lines.join("")}"/>`;
}

function caption({ requests, total }, { from, to }, end) {
  const cut = to - from < end ? ` Iterations ${from} to ${to - 1} of ${end}.` : "";
  const shown = total > requests.length ? ` ${requests.length} of ${total} shown.` : "";
  return `<figcaption>${HOW_TO_READ}${shown}${cut}</figcaption>`;
}
