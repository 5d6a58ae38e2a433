import { gapsOf, ttftOf } from "./latency.js";

const WIDEST = 96;
const HEIGHT = 28;
/** Each over the requests that put out a token in iteration t. */
const SERIES = {
  "TTFT": (fresh) => Math.max(0, ...fresh.filter(({ emitted }) => emitted === 1).map(ttftOf)),
  "inter-token latency": (fresh) => Math.max(0, ...fresh.map((entry) => gapsOf(entry).pop() ?? 0)),
  "tokens out": (fresh) => fresh.length,
};

/** The last iterations as three small lines, each with its newest value and its peak. */
export function trends({ iterations, progress }, t) {
  const rows = progress.slice(0, t - iterations[0].t + 1).slice(-WIDEST);
  const first = t - rows.length + 1;
  return Object.keys(SERIES).map((name) => {
    const values = rows.map((entries, i) => SERIES[name](entries.filter(({ emitted, served }) =>
      served.token_times[emitted - 1] === first + i)));
    const peak = Math.max(1, ...values);
    const d = values.map((value, i) => `${i ? "L" : "M"}${i} ${HEIGHT - Math.floor((value * HEIGHT) / peak)}h1`);
    return `<div><p>${name} <b>${values.pop()}</b>, at most ${peak}</p>`
      + `<svg viewBox="0 -1 ${WIDEST} ${HEIGHT + 2}" preserveAspectRatio="none" aria-hidden="true"><path d="${d.join("")}"/></svg></div>`;
  }).join("");
}
