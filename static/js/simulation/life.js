import { worstNeed } from "./blocks.js";
import { counted, escapeMarkup } from "./markup.js";
import { staysOf } from "./stays.js";

const STEP = 6;
const BAR = 14;

/** One request's way through the whole run: waiting, prefill, decode, and its figures. */
export function life(run, id) {
  const request = run.requests.find((other) => other.id === id);
  const { first_sched: started, token_times, finish } = run.per_request.find((r) => r.id === id);
  if (finish === null) {
    return `<figure class="life" data-id="${escapeMarkup(id)}"><figcaption>Larger than the KV cache: rejected on arrival.</figcaption></figure>`;
  }
  const [first] = token_times;
  const { arrival } = request;
  const width = run.length * STEP;
  const stays = staysOf(run.iterations).filter((stay) => stay.id === id);
  const blocks = worstNeed(request, run.config.block_size);
  const figures = [
    ["queue wait", counted(started - arrival, "iteration")],
    ["TTFT", counted(first - arrival + 1, "iteration")],
    ["finished", `iteration ${finish}`],
    ["KV cache at its end", counted(blocks, "block")],
  ];
  return `<figure class="life" data-id="${escapeMarkup(id)}">`
    + `<svg viewBox="0 0 ${width} ${BAR + 1}" role="img" aria-label="In a run of ${counted(run.length, "iteration")}: scheduled first in ${started}, first token in ${first}, finished in ${finish}.">`
    + `<path class="life__line" stroke="currentColor" d="M0 ${BAR}.5H${width}"/>`
    + `<path class="life__wait" data-kind="waiting" stroke="currentColor" d="M${arrival * STEP} ${BAR / 2}H${(finish + 1) * STEP}"/>`
    + stays.map(lifeMarks).join("")
    + `</svg><dl>${figures.map(([name, text]) => `<dt>${name}</dt><dd>${text}</dd>`).join("")}</dl></figure>`;
}

function lifeMarks({ from, marks }) {
  let x = from * STEP;
  return marks.map(({ kind, length, value }) => {
    const left = x;
    x += length * STEP;
    const data = `data-kind="${kind}" data-t="${left / STEP}" data-value="${value}"`;
    const { fill, d } = LIFE_MARKS[kind];
    return `<path ${data} ${fill} d="${d(left, length * STEP)}"/>`;
  }).join("");
}

const LIFE_MARKS = {
  prefill: { fill: "", d: (x, width) => `M${x} 0h${width - 1}v${BAR}h-${width - 1}z` },
  recompute: {
    fill: 'fill="none" stroke="currentColor"',
    d: (x, width) => `M${x}.5 4.5l3-4h${width - 5}v${BAR - 1}h-${width - 2}z`,
  },
  decode: {
    fill: `fill="none" stroke="currentColor" stroke-width="${BAR}" stroke-dasharray="2 4"`,
    d: (x, width) => `M${x + 2} ${BAR / 2}h${width - 4}`,
  },
};
