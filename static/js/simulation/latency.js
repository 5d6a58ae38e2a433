/** Iterations from arrival to the first token, which has come. */
export function ttftOf({ served }) {
  return served.token_times[0] - served.arrival + 1;
}

/** Iterations between the tokens so far. */
export function gapsOf({ emitted, served }) {
  const times = served.token_times.slice(0, emitted);
  return times.slice(1).map((time, i) => time - times[i]);
}
