/** Makes a node like the wanted one with few changes, so that focus and scroll stay where they are. */
export function patch(node, wanted) {
  if (node.isEqualNode(wanted)) return;
  for (const { name, value } of wanted.attributes ?? []) {
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  if (node.data !== wanted.data) node.data = wanted.data;
  const old = [...node.childNodes];
  const children = [...wanted.childNodes];
  children.forEach((child, i) => {
    if (i >= old.length) node.append(child);
    else if (nameOf(old[i]) === nameOf(child)) patch(old[i], child);
    else old[i].replaceWith(child);
  });
  for (const rest of old.slice(children.length)) rest.remove();
}

/** Nodes of one name stand for the same thing. */
function nameOf({ nodeName, dataset }) {
  return nodeName + (dataset?.id ?? dataset?.kind);
}

/** Brings a part of the figure to its markup; a focus that was in what is replaced is put back. */
export function showPart(root, name, markup) {
  const part = root.querySelector(`[data-part=${name}]`);
  const wanted = part.cloneNode(false);
  wanted.innerHTML = markup;
  const focused = document.activeElement.closest("[data-id]")?.getAttribute("data-id");
  patch(part, wanted);
  if (focused && document.activeElement === document.body) {
    part.querySelector(`[data-id="${CSS.escape(focused)}"]>a`)?.focus({ preventScroll: true });
  }
}
