import { counted, escapeMarkup, itemOf } from "../markup.js";
import { figuresAt, tablesAt } from "../request-figures.js";
import { showPart } from "./patch.js";

/** A request is selected by its bar or its entry; a second time leads to what it stands for. */
export function setUpCard(player) {
  const { root, signal } = player;

  const drawCard = () => {
    const { selected } = player;
    if (!selected) return;
    for (const element of root.querySelectorAll(".bar,.queue li")) {
      element.toggleAttribute("data-selected", element.dataset.id === selected);
    }
    showPart(root, "card", card(player, selected));
  };
  root.addEventListener("tick", drawCard, { signal });

  return {
    select(target) {
      const { id } = target.closest("[data-id]").dataset;
      const { href } = itemOf(player.run, id);
      if (id === player.selected) {
        if (href) location.assign(href);
        return;
      }
      player.selected = id;
      drawCard();
      player.say(`${itemOf(player.run, id).label} is selected; once more opens it.`);
    },
  };
}

function card({ run, t, momentAt }, id) {
  const { label, href } = itemOf(run, id);
  const { ttft, gaps, preemptions } = figuresAt(run, t, id);
  const state = momentAt(run, t).progress.find((entry) => entry.id === id)?.doing ?? "not here yet";
  const figures = [
    ["TTFT", ttft === null ? "–" : counted(ttft, "iteration")],
    ["inter-token latency, at most", counted(Math.max(0, ...gaps), "iteration")],
    ["KV blocks", tablesAt(run, t).get(id)?.length ?? 0],
    ["preemptions", preemptions],
  ];
  return `<p><b>${escapeMarkup(label)}</b> ${state}</p><dl>`
    + figures.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("")
    + `</dl>${href && `<a href="${escapeMarkup(href)}">Read it</a>`}`;
}
