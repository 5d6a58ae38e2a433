export const IDLE = { scheduled: [], kinds: [], running: [], waiting: [], blocks_used: 0, kv_tokens: 0 };

/** The row of iteration t; that of nothing in an empty run. */
export function rowAt({ iterations }, t) {
  return iterations.length > 0 ? iterations[t - iterations[0].t] : IDLE;
}

/** How far everybody is in iteration t. */
export function progressAt({ iterations, progress }, t) {
  return iterations.length > 0 ? progress[t - iterations[0].t] : [];
}
