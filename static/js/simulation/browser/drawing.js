import { counter, frameAt, playhead } from "../frame.js";
import { gauges } from "../gauges.js";
import { progressAt, rowAt } from "../moment.js";
import { queue } from "../queue.js";
import { showPart } from "./patch.js";

/** What continuous batching does in iteration t. */
export function continuousMoment(run, t) {
  return { row: rowAt(run, t), progress: progressAt(run, t) };
}

/**
 * Draws what an iteration changes; bars and axis stay.
 *
 * @param {import("./player.js").Player} player
 */
export function draw({ momentAt, root, run, t }) {
  const { row, progress } = momentAt(run, t);
  showPart(root, "counter", counter(run, t));
  showPart(root, "queue", queue(run, t, progress));
  showPart(root, "gauges", gauges(run, t, row));
  follow(root, () => showPart(root, "playhead", playhead(frameAt(run, t), t)));
}

/** Scrolls the timeline, not the page, where a move takes the playhead out of its sight. */
function follow(root, move) {
  const line = root.querySelector(".playhead");
  const scroller = line.closest(".timeline__scroller");
  const beyond = () => {
    const { left, right } = scroller.getBoundingClientRect();
    const { x } = line.getBoundingClientRect();
    return x < left || x > right ? x - left : 0;
  };
  if (beyond()) move();
  else {
    move();
    scroller.scrollLeft += beyond();
  }
}
