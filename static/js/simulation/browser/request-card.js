import { gapsOf, ttftOf } from "../latency.js";
import { escapeMarkup, itemOf } from "../markup.js";
import { progressAt } from "../moment.js";
import { showPart } from "./patch.js";

/** A request is selected by its bar or its entry; a second time leads to what it stands for. */
export function setUpCard(player) {
  const { root, signal } = player;

  const drawCard = () => {
    const { run, selected, t } = player;
    if (!selected) return;
    for (const element of root.querySelectorAll(".bar,.queue li")) {
      element.toggleAttribute("data-selected", element.dataset.id === selected);
    }
    showPart(root, "card", card(itemOf(run, selected), progressAt(run, t).find((r) => r.id === selected)));
  };
  root.addEventListener("tick", drawCard, { signal });

  return {
    select(target) {
      const { id } = target.closest("[data-id]").dataset;
      const { href, label } = itemOf(player.run, id);
      if (id === player.selected && href) location.assign(href);
      player.selected = id;
      drawCard();
      player.say(`${escapeMarkup(label)}: once more opens it`);
    },
  };
}

function card({ label, href }, entry) {
  const figures = entry ? {
    "TTFT": entry.emitted ? ttftOf(entry) : "–",
    "longest inter-token latency": Math.max(0, ...gapsOf(entry)) || "–",
    "KV blocks": entry.table.length,
    "preemptions": entry.preemptions,
  } : {};
  return `<p><b>${escapeMarkup(label)}</b> ${entry?.doing ?? "not here"}</p><dl>`
    + Object.keys(figures).map((name) => `<div><dt>${name}</dt><dd>${figures[name]}</dd></div>`).join("")
    + `</dl>${href && `<a href="${escapeMarkup(href)}">Read it</a>`}`;
}
