import { mode } from "../mode.js";
import { staticPadding } from "../static-batching.js";
import { staticMoment } from "../static-rows.js";
import { continuousMoment } from "./drawing.js";
import { showPart } from "./patch.js";

/** Continuous or static batching of the same requests: what queue, gauges and mode line tell of. */
export function setUpComparison(player) {
  const { root, signal } = player;

  root.addEventListener("tick", () => {
    const bp = player.mode === "static" ? staticPadding(player.run.batches, player.t).bp : 0;
    showPart(root, "mode", mode(player.mode, bp));
  }, { signal });

  player.choose = (kind) => {
    player.mode = kind;
    player.momentAt = kind === "static" ? staticMoment : continuousMoment;
    root.dataset.mode = kind;
    root.querySelector("[data-do=compare]").setAttribute("aria-pressed", kind === "static");
  };
  return {
    compare() {
      player.choose(player.mode === "static" ? "continuous" : "static");
      player.show(player.t);
      player.share();
    },
  };
}
