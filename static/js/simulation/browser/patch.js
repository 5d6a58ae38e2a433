/**
 * A node of the figure's own markup: quoted attributes, every element closed.
 *
 * @typedef {object} Entry
 * @property {string} name nodes of one name under one parent stand for the same thing
 * @property {string} source the markup of the node
 * @property {string} [attributes] none in a text
 * @property {Entry[]} children
 */

const TOKENS = /<(\/?)(\w+)([^>]*?)(\/?)>|[^<]+/g;
const ATTRIBUTES = /([\w-]+)="([^"]*)"/g;

/** What each part shows, so that only strings are compared, and the page is written, not read. */
const shown = new WeakMap();

/** Brings a part of the figure to its markup; a focus that was in what is replaced is put back. */
export function showPart(root, name, markup) {
  const part = root.querySelector(`[data-part=${name}]`);
  const focused = document.activeElement.closest("[data-id]")?.getAttribute("data-id");
  const wanted = read(markup);
  patch(part, shown.get(part) ?? read(part.innerHTML), wanted);
  shown.set(part, wanted);
  if (focused && document.activeElement === document.body) {
    part.querySelector(`[data-id="${CSS.escape(focused)}"]>a`)?.focus({ preventScroll: true });
  }
}

/** @returns {Entry[]} */
function read(markup) {
  const open = [[]];
  const starts = [];
  for (const { index, 0: token, 1: closes, 2: tag, 3: attributes, 4: isEmpty } of markup.matchAll(TOKENS)) {
    if (closes) {
      const children = open.pop();
      const [start, entry] = starts.pop();
      Object.assign(entry, { children, source: markup.slice(start, index + token.length) });
    } else {
      const id = /data-(?:id|kind)="[^"]*/.exec(attributes ?? "");
      const entry = { name: `${tag} ${id}`, source: token, attributes, children: [] };
      open[open.length - 1].push(entry);
      if (tag && !isEmpty) {
        open.push([]);
        starts.push([index, entry]);
      }
    }
  }
  return open[0];
}

/** Makes the nodes in `parent` show other entries with few changes. */
function patch(parent, old, wanted) {
  const isAlike = wanted.length === old.length && wanted.every(({ name }, i) => name === old[i].name);
  if (!isAlike) arrange(parent, old, wanted);
  else {
    wanted.forEach((entry, i) => {
      if (entry.source !== old[i].source) update(parent.childNodes[i], old[i], entry);
    });
  }
}

function arrange(parent, old, wanted) {
  const nodes = [...parent.childNodes];
  const left = new Set(old.keys());
  const found = wanted.map(({ name }) => {
    const i = old.findIndex((entry, at) => left.has(at) && entry.name === name);
    left.delete(i);
    return i;
  });
  for (const i of left) nodes[i].remove();
  wanted.forEach((entry, at) => {
    const here = parent.childNodes[at] ?? null;
    const i = found[at];
    const node = nodes[i] ?? created(parent, entry);
    if (node !== here) parent.insertBefore(node, here);
    if (i >= 0 && old[i].source !== entry.source) update(node, old[i], entry);
  });
}

function created(parent, { source }) {
  const scratch = parent.cloneNode(false);
  scratch.innerHTML = source;
  return scratch.firstChild;
}

function update(node, old, { attributes, children, source }) {
  if (attributes === undefined) node.data = plain(source);
  else if (attributes !== old.attributes) {
    for (const [, name, value] of attributes.matchAll(ATTRIBUTES)) {
      if (!old.attributes.includes(` ${name}="${value}"`)) node.setAttribute(name, plain(value));
    }
  }
  patch(node, old.children, children);
}

/** Text without entities. */
function plain(text) {
  if (!text.includes("&")) return text;
  const scratch = document.createElement("p");
  scratch.innerHTML = text;
  return scratch.textContent;
}
