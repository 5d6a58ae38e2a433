/**
 * A node of the figure's own markup: attributes are quoted, and every element is closed.
 *
 * @typedef {object} Entry
 * @property {string} name nodes of one name under one parent stand for the same thing
 * @property {number} index where its markup begins
 * @property {string} source its markup
 * @property {string} [attributes] none in a text
 * @property {Entry[]} children
 */

const TOKENS = /<(\/?)(\w+)([^>]*?)(\/?)>|[^<]+/g;

/** What each part shows: strings are compared, so that nothing is read from the page. */
const shown = new WeakMap();

/** Brings a part of the figure to its markup; a focus that was in what is replaced is put back. */
export function showPart(root, name, markup) {
  const part = root.querySelector(`[data-part=${name}]`);
  const focused = /** @type {HTMLElement} */ (document.activeElement.closest("[data-id]"))?.dataset.id;
  const wanted = read(markup);
  patch(part, shown.get(part) ?? read(part.innerHTML), wanted);
  shown.set(part, wanted);
  if (focused && document.activeElement === document.body) {
    part.querySelector(`[data-id="${CSS.escape(focused)}"]>a`)?.focus({ preventScroll: true });
  }
}

/** @returns {Entry[]} */
function read(markup) {
  /** @type {Entry[]} */
  const open = [{ name: "", index: 0, source: markup, children: [] }];
  for (const { index, 0: source, 1: closes, 2: tag, 3: attributes, 4: isEmpty } of markup.matchAll(TOKENS)) {
    if (closes) {
      const entry = open.pop();
      entry.source = markup.slice(entry.index, index + source.length);
    } else {
      const name = tag + /data-(id|kind)="[^"]*|$/.exec(attributes)[0];
      const entry = { name, index, source, attributes, children: [] };
      open[open.length - 1].children.push(entry);
      if (tag && !isEmpty) open.push(entry);
    }
  }
  return open[0].children;
}

/** Makes the nodes in `parent` show other entries with few changes, so that focus stays. */
function patch(parent, old, wanted) {
  const found = isAlike(old, wanted) ? old : arrange(parent, old, wanted);
  let node = parent.firstChild;
  wanted.forEach((entry, at) => {
    const here = node;
    node = node.nextSibling;
    const { attributes, children, source } = entry;
    const before = found[at];
    if (!before || before.source === source) return;
    // Entities are left to the browser.
    if ((attributes ?? source).includes("&")) here.replaceWith(created(parent, source));
    else if (attributes === undefined) here.data = source;
    else {
      if (before.attributes !== attributes) setAttributes(here, before.attributes, attributes);
      patch(here, before.children, children);
    }
  });
}

function isAlike(old, wanted) {
  return old.length === wanted.length && wanted.every(({ name }, at) => name === old[at].name);
}

/** Brings the nodes of the wanted entries into their order; gives what each shows, if it is not new. */
function arrange(parent, old, wanted) {
  const nodes = [...parent.childNodes];
  const left = new Set(old.keys());
  const found = wanted.map(({ name }) => {
    for (const i of left) if (old[i].name === name) return left.delete(i) && i;
  });
  for (const i of left) nodes[i].remove();
  wanted.forEach(({ source }, at) => {
    const node = nodes[found[at]] ?? created(parent, source);
    const here = parent.childNodes[at];
    if (node !== here) parent.insertBefore(node, here ?? null);
  });
  return found.map((i) => old[i]);
}

function setAttributes(node, old, wanted) {
  for (const [pair, name, value] of wanted.matchAll(/([\w-]+)="(.*?)"/g)) {
    if (!old.includes(` ${pair}`)) node.setAttribute(name, value);
  }
}

function created(parent, source) {
  const scratch = parent.cloneNode(false);
  scratch.innerHTML = source;
  return scratch.firstChild;
}
