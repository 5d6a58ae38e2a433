import { rulesOf } from "./rules.js";
import { createState, isOver, step, submit } from "./scheduler.js";
import { readWorkload } from "./workload.js";

/** The rows of a run in which request i is submitted just before iteration times[i]; as JSON. */
export function replay(json) {
  const { workload, times } = JSON.parse(json);
  const { config, requests } = readWorkload(workload);
  const state = createState(config, [], rulesOf(config));
  const rows = [];
  let next = 0;
  while (next < requests.length || !isOver(state)) {
    for (; next < requests.length && times[next] <= state.t; next += 1) {
      submit(state, requests[next]);
    }
    rows.push(step(state));
  }
  return JSON.stringify(rows);
}
