import { ceilDiv, ratio, sum } from "./arithmetic.js";
import { staticEnd, staticPadding } from "./static-batching.js";

/** Nearest-rank percentiles, all integers; zeros where there is nothing. */
export function distribution(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (p) => sorted[ceilDiv(p * sorted.length, 100) - 1] ?? 0;
  return {
    count: sorted.length, sum: sum(sorted), p50: rank(50), p95: rank(95), max: rank(100),
  };
}

/** The figures of a whole run (spec 7.2 to 7.4), from its final state, rows and static batches. */
export function metrics({ config, requests }, rows, batches) {
  const busyRows = rows.filter((row) => row.scheduled.length > 0);
  const busy = busyRows.length;
  const done = requests.filter((r) => r.state === "done");
  const scheduled = sum(rows.map(rowTokens));
  const output = sum(done.map((r) => r.output));
  const running = sum(rows.map((row) => row.running.length));
  const slotIters = config.slots * busy;
  const blocked = busyRows.filter((row) => row.waiting.length > 0);
  return {
    iterations: rows.length,
    busy_iterations: busy,
    done: done.length,
    rejected: requests.filter((r) => r.state === "rejected").length,
    scheduled_tokens: scheduled,
    output_tokens: output,
    preemptions: sum(requests.map((r) => r.preemptions)),
    recomputed_tokens: sum(requests.map((r) => r.recomputed)),
    cached_tokens: sum(requests.map((r) => r.cached_tokens)),
    tokens_per_iteration_x100: ratio(scheduled, busy, 100),
    output_per_iteration_x100: ratio(output, busy, 100),
    mean_batch_x100: ratio(running, busy, 100),
    peak_blocks: rows.reduce((peak, row) => Math.max(peak, row.blocks_used), 0),
    mean_kv_bp: ratio(sum(rows.map((row) => row.blocks_used)), config.blocks * busy, 10000),
    slot_iters: slotIters,
    padding_slot_iters: 0,
    empty_slot_iters: slotIters - running,
    empty_blocked_slot_iters: sum(blocked.map((row) => config.slots - row.running.length)),
    empty_bp: ratio(slotIters - running, slotIters, 10000),
    queue_wait: distribution(done.map((r) => r.first_sched - r.arrival)),
    ttft: distribution(done.map((r) => r.token_times[0] - r.arrival + 1)),
    itl: distribution(done.flatMap((r) => gaps(r.token_times))),
    latency: distribution(done.map((r) => r.finish - r.arrival + 1)),
    ...tickMetrics(config, done, rows),
    static: staticMetrics(config, batches, output),
  };
}

function rowTokens(row) {
  return sum(row.scheduled.map(([, n]) => n));
}

function gaps(times) {
  return times.slice(1).map((time, i) => time - times[i]);
}

/** The tick clock makes visible what chunked prefill buys: short iterations. */
function tickMetrics({ tick_floor }, done, rows) {
  const ends = [0];
  for (const row of rows) ends.push(ends[ends.length - 1] + Math.max(tick_floor, rowTokens(row)));
  const end = (t) => ends[t + 1];
  return {
    ticks: ends[rows.length],
    ttft_ticks: distribution(done.map((r) => end(r.token_times[0]) - end(r.arrival - 1))),
    itl_ticks: distribution(done.flatMap((r) => gaps(r.token_times.map(end)))),
  };
}

function staticMetrics({ slots }, batches, output) {
  const iterations = sum(batches.map((batch) => batch.span));
  const { held, pad, bp } = staticPadding(batches);
  return {
    batches: batches.length,
    iterations,
    last: staticEnd(batches),
    held_slot_iters: held,
    pad_slot_iters: pad,
    pad_bp: bp,
    empty_slot_iters: slots * iterations - held,
    output_per_iteration_x100: ratio(output, iterations, 100),
  };
}
