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
  const load = () => (actions ??= loadControls(element).then((setUp) => setUp(player)));
  const player = createPlayer(element.closest(".engine"), load);
  const { signal } = player;
  const wake = async () => {
    try {
      return await load();
    } catch (error) {
      actions = undefined;
      const said = "The simulation did not load. Please try again.";
      for (const status of document.querySelectorAll("[data-part=status]")) status.textContent = said;
      throw error;
    }
  };
  const listen = (type, listener) => document.addEventListener(type, listener, { signal });
  const listenTo = ({ target }) => target.closest("[data-wakes]") && wake();
  listen("pointerover", listenTo);
  listen("focusin", listenTo);
  listen("click", async (event) => {
    const { target } = event;
    const button = target.closest("[data-do]")?.dataset.do;
    const leaves = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (button === "play") player.play(!player.plays);
    else if (button) (await wake())[button](event);
    else if (!leaves && element.contains(target) && target.closest(".bar,.queue a")) {
      event.preventDefault();
      (await wake()).select(target);
    }
  });
  if (location.hash.startsWith("#sim=")) wake();
  return player.leave;
}

async function loadControls(element) {
  const sheet = new CSSStyleSheet();
  const answer = await fetch(element.getAttribute("sheet"));
  await sheet.replace(await answer.text());
  document.adoptedStyleSheets.push(sheet);
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { onload: resolve, onerror: reject, src: element.getAttribute("controls") });
    document.head.append(script);
  });
  return globalThis.batcherControls.setUp;
}

// The engine that prerenders has no page.
if (globalThis.customElements) defineElement();
