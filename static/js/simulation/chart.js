import { down } from "./frame.js";
import { escapeMarkup, itemOf } from "./markup.js";
import { mark } from "./marks.js";
import { COLUMN, LANE, MARK, MARKS_TOP } from "./sizes.js";
import { staticRows } from "./static-rows.js";
import { staysOf } from "./stays.js";

/** A label's base line below the top of its lane. */
const LABEL = 11;
/** Iterations to the left of the picture in which a bar of it may begin. */
const REACH = 600;
/** Tenths of a pixel that a monospace letter of 11 px advances. */
const LETTER_TENTHS = 66;

/** Axis, lanes and bars: continuous batching, and under it static batching of the same requests. */
export function chart(run, frame) {
  const { from, to } = frame;
  const batches = run.batches.filter(({ start, span }) => start < to && start + span > from);
  const stays = [
    staysOf(run.iterations.filter(({ t }) => t > from - REACH && t < to)),
    staysOf(staticRows(run, batches)),
  ];
  return axis(frame) + frame.tops.map((top, i) => {
    const bars = stays[i].map((stay) => bar(run, frame, stay, top + stay.slot * LANE, SKIPS[i]));
    return `<g data-panel="${PANELS[i]}">${lanes(frame, top)}${bars.join("")}</g>`;
  }).join("");
}

const PANELS = ["continuous", "static"];
// The same addresses a second time need no tab stops.
const SKIPS = ["", ' tabindex="-1"'];

function axis({ from, to, tops, slots }) {
  const tens = [];
  for (let t = Math.ceil(from / 10) * 10; t < to; t += 10) tens.push(t);
  const x = (t) => (t - from) * COLUMN;
  const lines = tops.flatMap((top) => tens.map((t) => `M${x(t)}.5 ${top}${down(slots)}`));
  return `<path class="timeline__grid" stroke="currentColor" d="${lines.join("")}"/>`
    // The last column has no room for a number.
    + tens.filter((t) => t < to - 1).map((t) => `<text class="timeline__number" x="${x(t)}" y="11">${t}</text>`).join("");
}

function lanes({ from, to, slots }, top) {
  const lines = Array.from({ length: slots }, (_, slot) =>
    `M0 ${top + slot * LANE + MARKS_TOP + MARK}.5h${(to - from) * COLUMN}`);
  return `<path class="timeline__lane" stroke="currentColor" d="${lines.join("")}"/>`;
}

function bar(run, frame, { id, slot, from, length, marks }, y, skip) {
  const end = from + length;
  if (end <= frame.from || from >= frame.to) return "";
  const x = (from - frame.from) * COLUMN;
  const width = length * COLUMN;
  const hidden = Math.max(0, -x);
  const seen = Math.min(end, frame.to) - Math.max(from, frame.from);
  const { label, href } = itemOf(run, id);
  // One letter's room stays free, or the labels of two stays run together.
  const text = fitted(label, Math.floor((seen * COLUMN * 10) / LETTER_TENTHS) - 1);
  const tag = href ? "a" : "g";
  return `<${tag}${href && ` href="${escapeMarkup(href)}"${skip}`} class="bar" data-id="${escapeMarkup(id)}" data-t="${from}" data-kind="request" transform="translate(${x} ${y})">`
    + `<title>${escapeMarkup(label)}: slot ${slot}, iterations ${from} to ${end - 1}</title>`
    + `<path class="bar__area" fill="none" pointer-events="all" d="M0 0h${width}v${MARKS_TOP + MARK}h-${width}z"/>`
    + (text && `<text${hidden ? ` x="${hidden}"` : ""} y="${LABEL}">${escapeMarkup(text)}</text>`)
    + `${drawMarks(from, marks)}</${tag}>`;
}

/** A label is never cut through: what does not fit ends in an ellipsis, or is left out. */
function fitted(label, letters) {
  const signs = Array.from(label);
  if (signs.length <= letters) return label;
  return letters < 3 ? "" : `${signs.slice(0, letters - 1).join("")}…`;
}

/** The marks beside each other; the edge of the picture cuts off what lies beyond. */
function drawMarks(start, marks) {
  let t = start;
  return marks.map(({ kind, length, value }) => {
    const x = (t - start) * COLUMN;
    const data = ` data-t="${t}" data-value="${value}"`;
    t += length;
    return mark(kind, data, x, MARKS_TOP, length * COLUMN);
  }).join("");
}
