/**
 * Speed of the pure core: request-iterations a second, one for each request that runs in an
 * iteration. `node bench/core.mjs` prints the median of several rounds.
 */
import { createState, isOver, step } from "../static/js/simulation/scheduler.js";
import { DEFAULTS } from "../static/js/simulation/workload.js";
import { xorshift32 } from "../static/js/simulation/arrivals.js";

const ROUNDS = 9;
const REQUESTS = 2000;

function workload() {
  let drawn = 1;
  const draw = (least, most) => {
    drawn = xorshift32(drawn);
    return least + (drawn % (most - least + 1));
  };
  return Array.from({ length: REQUESTS }, (_, i) => ({
    id: `r${i}`, prompt: draw(16, 150), output: draw(8, 44), arrival: i * 2,
  }));
}

function round(config, requests) {
  // A run that goes on lets only few requests be under way: this is how the page uses the core.
  const start = process.hrtime.bigint();
  let served = 0;
  for (let first = 0; first < requests.length; first += 40) {
    const arrived = requests.slice(first, first + 40).map((r) => ({ ...r, arrival: 0 }));
    const state = createState(config, arrived);
    while (!isOver(state)) served += step(state).running.length;
  }
  return served / (Number(process.hrtime.bigint() - start) / 1e9);
}

for (const slots of [4, 16]) {
  const config = { ...DEFAULTS, slots, blocks: slots * 16 };
  const speeds = Array.from({ length: ROUNDS }, () => round(config, workload())).sort((a, b) => a - b);
  const median = Math.round(speeds[Math.floor(ROUNDS / 2)]);
  console.log(`${slots} slots: ${median.toLocaleString("en")} request-iterations/s`);
}
