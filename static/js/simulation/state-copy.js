/** A state that can be stepped without touching the given one. */
export function copyState(state) {
  const requests = state.requests.map((r) => ({
    ...r, table: [...r.table], token_times: [...r.token_times],
  }));
  const copies = (list) => list.map((r) => r && requests[r.index]);
  return {
    ...state,
    requests,
    waiting: copies(state.waiting),
    running: copies(state.running),
    slots: copies(state.slots),
    pool: copyPool(state.pool),
  };
}

function copyPool(pool) {
  const cached = Object.fromEntries(
    Object.entries(pool.cached).map(([name, blocks]) => [name, [...blocks]]),
  );
  return {
    ...pool, free: [...pool.free], counts: [...pool.counts], names: [...pool.names], cached,
  };
}
