/** The next state of a xorshift32 generator; the state is also the number drawn, never 0. */
export function xorshift32(state) {
  let x = state ^ (state << 13);
  x ^= x >>> 17;
  x ^= x << 5;
  return x >>> 0;
}

/** The request that a finished one comes back as in an endless run, 8 to 23 iterations later. */
export function comeback(request, finish, drawn) {
  const [id, round = "1"] = request.id.split("@");
  return { ...request, id: `${id}@${Number(round) + 1}`, arrival: finish + 8 + (drawn % 16) };
}
