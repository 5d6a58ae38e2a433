/** The blocks of everybody who runs in iteration t, in logical order, by id. */
export function tablesAt({ iterations }, t) {
  const first = iterations[0].t;
  return new Map(iterations[t - first].running.map((id) => {
    const table = [];
    for (let i = t - first; i >= 0 && iterations[i].running.includes(id); i -= 1) {
      const { admitted, new_blocks } = iterations[i];
      table.unshift(...(new_blocks.find(([other]) => other === id)?.[1] ?? []));
      if (admitted.includes(id)) break;
    }
    return [id, table];
  }));
}

/**
 * A request's figures by the end of iteration t, in iterations: `ttft` and `gaps` between its
 * tokens are there as far as it has come.
 */
export function figuresAt({ iterations }, t, id) {
  const rows = iterations.filter((row) => row.t <= t);
  const count = (key) => rows.filter((row) => row[key].includes(id));
  const times = count("emitted").map((row) => row.t);
  const arrival = count("arrived")[0]?.t;
  return {
    ttft: times.length > 0 && arrival !== undefined ? times[0] - arrival + 1 : null,
    gaps: times.slice(1).map((time, i) => time - times[i]),
    preemptions: count("preempted").length,
    finished: count("finished").length > 0,
  };
}

/** For each of the last iterations up to t: TTFT of a first token, longest gap, tokens put out. */
export function seriesAt({ iterations }, t, length) {
  const arrivals = {};
  const last = {};
  const points = [];
  for (const row of iterations) {
    if (row.t > t) break;
    for (const id of row.arrived) arrivals[id] = row.t;
    const point = { ttft: 0, itl: 0, throughput: row.emitted.length };
    for (const id of row.emitted) {
      if (id in last) point.itl = Math.max(point.itl, row.t - last[id]);
      else if (id in arrivals) point.ttft = Math.max(point.ttft, row.t - arrivals[id] + 1);
      last[id] = row.t;
    }
    points.push(point);
  }
  return points.slice(-length);
}
