import { ratio } from "./arithmetic.js";

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeMarkup(text) {
  return String(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign]);
}

/** 1030 -> "1,030", without a locale. */
export function grouped(n) {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 block", "2 blocks". */
export function counted(n, noun) {
  return `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/** Basis points as whole percent: 3837 -> "38%". */
export function percent(bp) {
  return `${ratio(bp, 10000, 100)}%`;
}

/** Basis points as percent with one decimal, without the sign: 3837 -> "38.4". */
export function decimalPercent(bp) {
  const tenths = ratio(bp, 10000, 1000);
  return `${Math.floor(tenths / 10)}.${tenths % 10}`;
}

/** The id without the number of a later round. */
export function firstRound(id) {
  return id.split("@")[0];
}

/** What the page shows of a request. */
export function itemOf({ items }, id) {
  return items[id] ?? items[firstRound(id)] ?? { label: id, href: "" };
}

/** The request's label as a link, or as text where it has no address. */
export function requestLink(run, id) {
  const { label, href } = itemOf(run, id);
  const text = escapeMarkup(label);
  return href ? `<a href="${escapeMarkup(href)}">${text}</a>` : text;
}
