import { ceilDiv, ratio, sum } from "./arithmetic.js";
import { counted, decimalPercent } from "./markup.js";
import { rowAt } from "./moment.js";
import { staticPadding } from "./static-batching.js";

const WIDTH = 112;
const HEIGHT = 28;
/** More cells than these are drawn as shares of them. */
const MOST_CELLS = 64;
const SCALE = `<path class="gauge__scale" stroke="currentColor" d="M0 14.5H${WIDTH}"/>`;

/** The four gauges at iteration t; only the note of the last one tells how the run ends. */
export function gauges({ config, iterations, static: batches }, t, row = rowAt({ iterations }, t)) {
  const { slots, blocks, block_size, budget } = config;
  const { scheduled, kinds, running, waiting, blocks_used, kv_tokens } = row;
  const gauge = (kind, name, value, unit, picture, note) =>
    `<div class="gauge" data-kind="${kind}" data-t="${t}" data-value="${value}">`
    + `<p class="gauge__name">${name}</p><p class="gauge__value"><b>${value}</b>${unit}</p>`
    + `<svg width="${WIDTH}" height="${HEIGHT}" aria-hidden="true">${picture}</svg>`
    + `<p class="gauge__note">${note}</p></div>`;

  let tokens = 0;
  const shares = [];
  const parts = [];
  for (const kind of ["prefill", "recompute", "decode"]) {
    const n = sum(scheduled.map(([, own], i) => (kinds[i] === kind ? own : 0)));
    if (n === 0) continue;
    const x = ratio(tokens, budget, WIDTH);
    tokens += n;
    shares.push(share(kind, x, ratio(tokens, budget, WIDTH) - x));
    parts.push(`${n} ${kind}`);
  }
  const { pad, held, bp } = staticPadding(batches, t);
  const padding = share("padding", 0, ratio(pad, held, WIDTH), ' fill="url(#sim-hatch)"');
  return gauge("batch", "batch size", running.length, `/${slots} slots`,
    cells(slots, running.length, 1), `${waiting.length} waiting`)
    + gauge("kv", "KV cache usage", ratio(blocks_used, blocks, 100), `% of ${counted(blocks, "block")}`,
      cells(blocks, blocks_used, 4),
      `${counted(kv_tokens, "token")} in ${counted(blocks_used, "block")} of ${block_size}`)
    + gauge("tokens", "tokens / iteration", tokens, " tok", shares.join("") + SCALE,
      `${parts.join(" + ") || "idle"}, budget ${budget}`)
    + gauge("padding", "static batching would pad", decimalPercent(bp), "% of slot-iters",
      padding + SCALE, `${decimalPercent(staticPadding(batches).bp)}% by the end of the finite run`);
}

function share(kind, x, width, fill = "") {
  return `<rect data-kind="${kind}" x="${x}" width="${width}" height="14"${fill}/>`;
}

/** Equal cells in rows, the first `filled` of them full: each row is one dashed line. */
function cells(count, filled, rows) {
  const shown = Math.min(count, MOST_CELLS);
  const columns = ceilDiv(shown, rows);
  const width = Math.floor(WIDTH / columns);
  const height = HEIGHT / rows;
  const line = (name, n) => {
    const d = Array.from({ length: ceilDiv(n, columns) }, (_, row) =>
      `M0 ${(row + 0.5) * height}H${Math.min(n - row * columns, columns) * width}`);
    return `<path class="gauge__${name}" stroke="currentColor" stroke-width="${height - 1}"`
      + ` stroke-dasharray="${width - 1} 1" d="${d.join("")}"/>`;
  };
  return line("cells", shown) + line("filled", ceilDiv(filled * shown, count));
}
