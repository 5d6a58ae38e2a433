import { gauges } from "./gauges.js";
import { mode, queue } from "./queue.js";
import { requestTable } from "./request-table.js";
import { summary } from "./summary.js";
import { timeline } from "./timeline.js";

/**
 * What the view draws: a trace and what the page knows about its requests.
 *
 * @typedef {import("./trace.js").Trace} Trace
 * @typedef {Trace & {items: Object<string, Item>, total: number}} Run
 * @typedef {{label: string, title: string, href: string, pinned: boolean}} Item
 */

/** Every fragment of the figure at iteration t, each a string of markup. */
export function fragments(run, t) {
  return {
    queue: queue(run, t),
    mode: mode("continuous", 0),
    timeline: timeline(run, t),
    gauges: gauges(run, t),
    table: requestTable(run),
    summary: summary(run, t),
  };
}
