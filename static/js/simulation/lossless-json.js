/** JSON text of a value; what JSON cannot hold is refused with its path, not made null. */
export function losslessJson(value) {
  const path = lossyPath(value);
  if (path !== null) throw new Error(`result${path}, which JSON cannot hold`);
  return JSON.stringify(value);
}

/** The path and value that would be lost, or null; it is put together only when there is one. */
function lossyPath(value) {
  if (value === undefined || Object.is(value, -0)) return ` is ${value === 0 ? "-0" : value}`;
  if (typeof value === "number") return Number.isFinite(value) ? null : ` is ${value}`;
  if (typeof value !== "object" || value === null) return null;
  const list = Array.isArray(value);
  for (const key of Object.keys(value)) {
    const rest = lossyPath(value[key]);
    if (rest !== null) return (list ? `[${key}]` : `.${key}`) + rest;
  }
  return null;
}
