import { gauges } from "./gauges.js";
import { mode } from "./mode.js";
import { queue } from "./queue.js";
import { requestTable } from "./request-table.js";
import { summary } from "./summary.js";
import { timeline } from "./timeline.js";

/** Every fragment of the figure at iteration t of a finite run, each a string of markup. */
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
