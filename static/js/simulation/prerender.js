import { finiteRun } from "./finite-run.js";
import { life } from "./life.js";
import { losslessJson } from "./lossless-json.js";
import { rulesOf } from "./rules.js";
import { staticEnd, staticPadding } from "./static-batching.js";
import { staysOf } from "./stays.js";
import { simulate } from "./trace.js";
import { fragments } from "./view.js";
import { readWorkload } from "./workload.js";

/** A workload as JSON text -> its trace as JSON text, in the form of spec 9. */
export function simulateWorkload(json) {
  const { config, requests } = readWorkload(JSON.parse(json));
  return losslessJson(simulate(config, requests));
}

/**
 * What the page shows before any script runs, from and to JSON text:
 * {config, requests, at, total, items}
 * -> {config, at, html, lives, stays, metrics, iterations, static_iterations}.
 */
export function prerender(json) {
  const input = JSON.parse(json);
  const { config, requests } = readWorkload(input);
  const run = { ...simulate(config, requests), ...finiteRun({ ...input, config, requests }, rulesOf(config)) };
  const at = shownIteration(run, input.at);
  return losslessJson({
    config,
    at,
    html: fragments(run, at),
    lives: Object.fromEntries(requests.map(({ id }) => [id, life(run, id)])),
    stays: staysOf(run.iterations),
    metrics: run.metrics,
    iterations: run.length,
    static_iterations: staticEnd(run.static),
  });
}

/** The wanted iteration, or the first that shows everything, or the one with the longest queue. */
export function shownIteration({ config, iterations, static: batches }, wanted) {
  const last = Math.max(0, iterations.length - 1);
  if (wanted !== null && wanted !== undefined) return Math.max(0, Math.min(wanted, last));
  const showsAll = (row) => row.running.length === config.slots && row.waiting.length >= 2
    && iterations.some((earlier) => earlier.t < row.t && earlier.finished.length > 0)
    && staticPadding(batches, row.t).pad > 0;
  const longest = iterations.reduce(
    (best, row) => (best && best.waiting.length >= row.waiting.length ? best : row), null,
  );
  return (iterations.find(showsAll) ?? longest)?.t ?? 0;
}
