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

/** Room that stays between the playhead and the end of what is in sight. */
const ROOM = 3 * COLUMN;

/**
 * Draws what an iteration changes; bars and axis stay. Nothing is asked that needs a layout.
 *
 * @param {import("./player.js").Player} player
 */
export function draw({ momentAt, root, run, t }) {
  const { row, progress } = momentAt(run, t);
  showPart(root, "counter", counter(run, t));
  showPart(root, "queue", queue(run, t, progress));
  showPart(root, "gauges", gauges(run, t, row));
  showPart(root, "playhead", playhead(frameAt(run, t), t));
}

/**
 * Gives what scrolls the timeline, never the page, to iteration t: after a jump wherever it is,
 * else when it comes near the end of what is in sight; a visitor who has scrolled away is not
 * called back.
 */
export function createFollower(root, signal) {
  const scroller = root.querySelector(".timeline__scroller");
  let width = Infinity;
  let left = 0;
  let latest;
  const sizes = new ResizeObserver(([{ contentRect }]) => {
    ({ width } = contentRect);
  });
  sizes.observe(scroller);
  signal.addEventListener("abort", () => sizes.disconnect());
  scroller.addEventListener("scroll", () => {
    left = scroller.scrollLeft;
  }, { signal });

  return (run, t) => {
    const x = (t - frameAt(run, t).from) * COLUMN - left;
    const leaves = x > width - ROOM;
    if (t === latest + 1 ? leaves && x < width : leaves || x < 0) scroller.scrollLeft += x - COLUMN;
    latest = t;
  };
}
