import { seriesAt } from "./request-figures.js";

const WIDEST = 96;
const HEIGHT = 28;
const NAMES = {
  ttft: "TTFT, iterations", itl: "inter-token latency, iterations", throughput: "tokens put out",
};

/** The last iterations as three small lines, each with its newest value and its peak. */
export function trends(run, t) {
  const points = seriesAt(run, t, WIDEST);
  return Object.keys(NAMES).map((key) => {
    const values = points.map((point) => point[key]);
    const peak = Math.max(1, ...values);
    const d = values.map((value, i) => `${i === 0 ? "M" : "L"}${i} ${HEIGHT - Math.floor((value * HEIGHT) / peak)}h1`);
    return `<div><p>${NAMES[key]} <b>${values[values.length - 1]}</b> of at most ${peak}</p>`
      + `<svg viewBox="0 -1 ${WIDEST} ${HEIGHT + 2}" preserveAspectRatio="none" aria-hidden="true"><path fill="none" stroke="currentColor" vector-effect="non-scaling-stroke" d="${d.join("")}"/></svg></div>`;
  }).join("");
}
