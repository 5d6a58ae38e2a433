import { ceilDiv, ratio, sum } from "./arithmetic.js";
import { counted, decimalPercent } from "./markup.js";
import { rowAt } from "./moment.js";
import { staticPadding } from "./static-batching.js";

const WIDTH = 112;
const HEIGHT = 28;
/** More cells than these are drawn as shares of them. */
const MOST_CELLS = 64;

const GAUGES = { batch: batchSize, kv: kvUsage, tokens: iterationTokens, padding: staticShare };

/** The four gauges at iteration t. */
export function gauges(run, t, row = rowAt(run, t)) {
  return Object.keys(GAUGES).map((kind) => {
    const [name, value, unit, picture, note] = GAUGES[kind](run, row, t);
    return `<div class="gauge" data-kind="${kind}" data-t="${t}" data-value="${value}">`
      + `<p class="gauge__name">${name}</p>`
      + `<p class="gauge__value"><b>${value}</b>${unit}</p>`
      + `<svg width="${WIDTH}" height="${HEIGHT}" aria-hidden="true">${picture}</svg>`
      + `<p class="gauge__note">${note}</p></div>`;
  }).join("");
}

function batchSize({ config }, { running, waiting }) {
  const picture = cells(config.slots, running.length, 1);
  return ["batch size", running.length, `/${config.slots} slots`, picture,
    `${waiting.length} waiting`];
}

function kvUsage({ config }, { blocks_used, kv_tokens }) {
  const { blocks, block_size } = config;
  return ["KV cache usage", ratio(blocks_used, blocks, 100), `% of ${counted(blocks, "block")}`,
    cells(blocks, blocks_used, 4),
    `${counted(kv_tokens, "token")} in ${counted(blocks_used, "block")} of ${block_size}`];
}

function iterationTokens({ config }, { scheduled, kinds }) {
  const parts = ["prefill", "recompute", "decode"]
    .map((kind) => [kind, sum(scheduled.map(([, n], i) => (kinds[i] === kind ? n : 0)))])
    .filter(([, n]) => n > 0);
  let tokens = 0;
  const picture = parts.map(([kind, n]) => {
    const x = ratio(tokens, config.budget, WIDTH);
    tokens += n;
    return share(kind, x, ratio(tokens, config.budget, WIDTH) - x);
  });
  const texts = parts.map(([kind, n]) => `${n} ${kind}`);
  return ["tokens / iteration", tokens, " tok", picture.join("") + SCALE,
    `${texts.join(" + ") || "idle"}, budget ${config.budget}`];
}

/** The share so far; only the note tells how the run ends. */
function staticShare(run, _, t) {
  const { pad, held, bp } = staticPadding(run.static, t);
  const whole = decimalPercent(staticPadding(run.static).bp);
  return ["static batching would pad", decimalPercent(bp), "% of slot-iters",
    share("padding", 0, ratio(pad, held, WIDTH), ' fill="url(#sim-hatch)"') + SCALE,
    `${whole}% by the end of the finite run`];
}

const SCALE = `<path class="gauge__scale" stroke="currentColor" d="M0 14.5H${WIDTH}"/>`;

function share(kind, x, width, fill = "") {
  return `<rect data-kind="${kind}" x="${x}" width="${width}" height="14"${fill}/>`;
}

/** Equal cells in rows, the first `filled` of them full: each row is one dashed line. */
function cells(count, filled, rows) {
  const shown = Math.min(count, MOST_CELLS);
  const columns = ceilDiv(shown, rows);
  const width = Math.floor(WIDTH / columns);
  const height = HEIGHT / rows;
  const line = (name, n, faint = "") => {
    const d = Array.from({ length: ceilDiv(n, columns) }, (_, row) =>
      `M0 ${(row + 0.5) * height}H${Math.min(n - row * columns, columns) * width}`);
    return `<path class="gauge__${name}"${faint} stroke="currentColor" stroke-width="${height - 1}"`
      + ` stroke-dasharray="${width - 1} 1" d="${d.join("")}"/>`;
  };
  return line("cells", shown, ' opacity=".2"') + line("filled", ceilDiv(filled * shown, count));
}
