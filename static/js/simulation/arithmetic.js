/** The smallest integer that is not below a / b. */
export function ceilDiv(a, b) {
  return Math.floor((a + b - 1) / b);
}

/** scale · part / whole, rounded half up; 0 where the whole is 0. */
export function ratio(part, whole, scale) {
  return whole === 0 ? 0 : Math.floor((2 * scale * part + whole) / (2 * whole));
}

export function sum(numbers) {
  return numbers.reduce((total, n) => total + n, 0);
}
