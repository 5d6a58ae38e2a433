import { MARK } from "./sizes.js";

/** The kinds differ in shape, not only in colour: block, notched outline, ticks, line, hatching. */
const SHAPES = {
  prefill: (x, y, width) => `d="M${x} ${y}h${width - 1}v${MARK}h-${width - 1}z"`,
  recompute: (x, y, width) =>
    `${LINE} d="M${x}.5 ${y + 5}.5l5-5h${width - 7}v${MARK - 1}h-${width - 2}z"`,
  // One dash a token: the dashes start anew with each path.
  decode: (x, y, width) =>
    `${LINE} stroke-width="${MARK}" stroke-dasharray="2 8" d="M${x + 4} ${y + MARK / 2}h${width - 8}"`,
  held: (x, y, width) => `${LINE} d="M${x} ${y + MARK / 2}.5h${width}"`,
  padding: (x, y, width) => `fill="url(#sim-hatch)" d="M${x} ${y}h${width}v${MARK}h-${width}z"`,
};
const LINE = 'fill="none" stroke="currentColor"';

export function mark(kind, data, x, y, width) {
  return `<path data-kind="${kind}"${data} ${SHAPES[kind](x, y, width)}/>`;
}
