import { counter, frameAt, playhead } from "../frame.js";
import { gauges } from "../gauges.js";
import { progressAt, rowAt } from "../moment.js";
import { queue } from "../queue.js";
import { COLUMN } from "../sizes.js";
import { showPart } from "./patch.js";

/** What continuous batching does in iteration t. */
export function continuousMoment(run, t) {
  return { row: rowAt(run, t), progress: progressAt(run, t) };
}

/**
 * Draws what an iteration changes; bars and axis stay. Where the playhead leaves the sight, the
 * timeline is scrolled, not the page.
 *
 * @param {import("./player.js").Player} player
 */
export function draw({ momentAt, root, run, t }) {
  const scroller = root.querySelector(".timeline__scroller");
  // Read before anything is written, or the browser lays the page out for it.
  const { clientWidth, scrollLeft } = scroller;
  const frame = frameAt(run, t);
  const { row, progress } = momentAt(run, t);
  showPart(root, "counter", counter(run, t));
  showPart(root, "queue", queue(run, t, progress));
  showPart(root, "gauges", gauges(run, t, row));
  showPart(root, "playhead", playhead(frame, t));
  const x = (t - frame.from) * COLUMN - scrollLeft;
  // From out of sight it is not called back: the visitor has scrolled.
  if (Math.abs(x - clientWidth) < COLUMN) scroller.scrollLeft += x - COLUMN;
}
