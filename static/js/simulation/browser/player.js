import { finiteRun } from "../finite-run.js";
import { frameAt } from "../frame.js";
import { continuousMoment, createFollower, draw } from "./drawing.js";

/**
 * What plays the figure, and what the controls add to it.
 *
 * @typedef {object} Player
 * @property {Element} root
 * @property {AbortSignal} signal ends all that listens
 * @property {MediaQueryList} still matches where motion is not welcome
 * @property {object} [data] the shipped run's input
 * @property {import("../finite-run.js").Run} [run]
 * @property {number} [t] the iteration shown
 * @property {number} speed iterations a second
 * @property {boolean} plays whether it is wanted to play
 * @property {Function} momentAt what happens in an iteration, by one kind of batching
 * @property {() => Promise<void>} [open] reads the data
 * @property {(t: number) => Promise<void>} [show] shows an iteration
 * @property {(plays: boolean) => void} [play] plays or pauses
 * @property {() => void} [leave] ends everything
 * @property {(t: number) => void} [reach] makes an iteration known
 */

/** Iterations a second. */
const SPEED = 4;

/**
 * Plays the figure in `root`, and touches nothing of it before the first tick. It ticks while that
 * is wanted, in sight, in a visible tab, and where motion is welcome. `loadMore` gives the player
 * a `reach` of its own, for iterations beyond the bars that the page came with.
 */
export function createPlayer(root, loadMore) {
  const figure = root.querySelector("batch-simulation");
  const still = matchMedia("(prefers-reduced-motion:reduce)");
  const left = new AbortController();
  const { signal } = left;
  const follow = createFollower(root, signal);
  const inSight = new Set();
  let begun = false;
  let timer;

  /** @type {Player} */
  const player = {
    root, signal, still, speed: SPEED, plays: true, momentAt: continuousMoment,
  };

  player.open = async () => {
    if (player.run) return;
    const answer = await fetch(figure.getAttribute("src"));
    const data = await answer.json();
    if (!player.run) Object.assign(player, { data, run: finiteRun(data), t: data.at });
  };

  player.show = async (t) => {
    const { run } = player;
    if (!run.endless && (t >= run.length || frameAt(run, t).from > 0)) await loadMore();
    player.t = Math.max(t, player.run.iterations[0]?.t ?? 0);
    player.reach?.(player.t);
    draw(player);
    follow(player.run, player.t);
    root.dispatchEvent(new Event("tick"));
  };

  player.play = (plays) => {
    player.plays = plays;
    begun = true;
    root.querySelector("[data-do=play]").textContent = plays ? "Pause" : "Play";
    update();
  };

  function update() {
    clearTimeout(timer);
    const runs = begun && player.plays && inSight.size > 0 && !document.hidden && !still.matches;
    if (runs) timer = setTimeout(tick, 1000 / player.speed);
  }

  async function tick() {
    await player.open();
    await player.show(player.t + 1);
    update();
  }

  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, intersectionRatio } of entries) {
      inSight[isIntersecting ? "add" : "delete"](target);
      begun ||= intersectionRatio >= 0.5 && figure.contains(target);
    }
    (globalThis.requestIdleCallback ?? setTimeout)(update);
  }, { threshold: [0, 0.5] });
  for (const part of document.querySelectorAll("batch-simulation>*,[data-wakes=message]")) {
    sight.observe(part);
  }
  document.addEventListener("visibilitychange", update, { signal });
  still.addEventListener("change", update, { signal });
  signal.addEventListener("abort", () => {
    sight.disconnect();
    clearTimeout(timer);
  });
  player.leave = () => left.abort();
  return player;
}
