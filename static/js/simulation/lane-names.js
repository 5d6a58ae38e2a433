import { counted, percent } from "./markup.js";
import { LANE } from "./sizes.js";
import { staticEnd, staticPadding } from "./static-batching.js";

/** The base line of a slot's name below the top of its lane: in the middle of the marks. */
const NAME = 26;

/** Drawn beside the scroller, so that they stay while the iterations move. */
export function laneNames(run, { tops, slots }) {
  const titles = [
    `continuous · ${counted(run.length, "iteration")}`,
    `static · ${counted(staticEnd(run.static), "iteration")} · ${percent(staticPadding(run.static).bp)} padding`,
  ];
  return tops.map((top, i) => {
    const names = Array.from({ length: slots }, (_, slot) =>
      `<text y="${top + slot * LANE + NAME}">slot ${slot}</text>`);
    return `<text class="timeline__panel" y="${top - 9}">${titles[i]}</text>${names.join("")}`;
  }).join("");
}
