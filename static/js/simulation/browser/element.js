import { createPlayer } from "./player.js";

/** Takes over the prerendered figure, and leaves it when the element is taken out of the page. */
function defineElement() {
  customElements.define("batch-simulation", class extends HTMLElement {
    connectedCallback() {
      this.leave = takeOver(this);
    }

    disconnectedCallback() {
      this.leave();
    }
  });
}

/** Play and pause are here; what else the visitor can do is loaded when it is first wanted. */
function takeOver(element) {
  let actions;
  const fail = (error) => {
    actions = undefined;
    for (const status of document.querySelectorAll("[data-part=status]")) {
      status.textContent = "This did not load. Try again.";
    }
    throw error;
  };
  const load = () => (actions ??= loadControls(element, player).catch(fail));
  const player = createPlayer(element.closest(".engine"), load);
  const { signal } = player;
  const listen = (type, listener) => document.addEventListener(type, listener, { signal });
  const listenTo = ({ target }) => target.closest("[data-wakes]") && load();
  listen("pointerover", listenTo);
  listen("focusin", listenTo);
  listen("click", async (event) => {
    const { target } = event;
    const button = target.closest("[data-do]")?.dataset.do;
    const leaves = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (button === "play") player.play(!player.plays);
    else if (button) (await load())[button](event);
    else if (!leaves && element.contains(target) && target.closest(".bar,.queue a")) {
      event.preventDefault();
      (await load()).select(target);
    }
  });
  if (location.hash.startsWith("#sim=")) load();
  return player.leave;
}

async function loadControls(element, player) {
  const answer = await fetch(element.getAttribute("drawer"));
  const { markup, style } = await answer.json();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
  document.querySelector("[data-part=drawer]").innerHTML = markup;
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { onload: resolve, onerror: reject, src: element.getAttribute("controls") });
    document.head.append(script);
  });
  return globalThis.batcherControls.setUp(player);
}

// The engine that prerenders has no page.
if (globalThis.customElements) defineElement();
