import { chart } from "../chart.js";
import { endlessRun, runTo } from "../endless-run.js";
import { finiteRun } from "../finite-run.js";
import { frameAt } from "../frame.js";
import { laneNames } from "../lane-names.js";
import { POLICIES } from "../policies.js";
import { COLUMN } from "../sizes.js";
import { setUpComparison } from "./comparison.js";
import { setUpEngine } from "./engine-form.js";
import { setUpMessage } from "./message-form.js";
import { showPart } from "./patch.js";
import { setUpCard } from "./request-card.js";

/**
 * Gives the player what a visitor can do, and goes on where the bars of the page end. What comes
 * back are the actions by the names that the buttons carry.
 */
export async function setUp(player) {
  await player.open();
  const { root } = player;
  let drawn = { run: player.run, from: frameAt(player.run, player.t).from };

  Object.assign(player, {
    config: player.data.config,
    sent: [],
    newest: player.t,
    mode: "continuous",
    say: (text) => showPart(root, "status", text),
    /** Runs the requests anew, with what was changed or sent. */
    renew() {
      // Prefix caching is not on offer here.
      const rules = { policy: POLICIES[player.config.policy], cache: null };
      const finite = finiteRun({ ...player.data, config: player.config }, rules);
      const goesOn = player.sent.length > 0 || player.newest >= finite.length;
      player.run = goesOn ? endlessRun(finite, player.data.seed, player.sent, rules) : finite;
    },
    /** Makes iteration t known, and draws the bars where they are others. */
    reach(t) {
      player.newest = Math.max(player.newest, t);
      if (!player.run.endless && t >= player.run.length) player.renew();
      const { run } = player;
      const frame = frameAt(run, t);
      if (run.endless) runTo(run, frame.to, t);
      if (drawn.run !== run || drawn.from !== frame.from) drawBars(root, run, frame);
      drawn = { run, from: frame.from };
    },
  });

  const by = (iterations) => () => {
    player.play(false);
    player.show(player.t + iterations);
    player.share();
  };
  return {
    back: by(-1),
    forward: by(1),
    ...setUpComparison(player),
    ...setUpCard(player),
    ...setUpEngine(player),
    ...setUpMessage(player),
  };
}

function drawBars(root, run, frame) {
  const picture = root.querySelector("[data-part=chart]").ownerSVGElement;
  picture.setAttribute("width", (frame.to - frame.from) * COLUMN);
  for (const svg of [picture, root.querySelector("[data-part=lanes]")]) {
    svg.setAttribute("height", frame.height);
  }
  showPart(root, "lanes", laneNames(run, frame));
  showPart(root, "chart", chart(run, frame));
}
