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
  let controls;
  const load = () => (controls ??= loadControls(element).then((setUp) => setUp(player)));
  const player = createPlayer(element.closest(".engine"), load);
  const { root, signal } = player;
  const wakes = ({ target }) => target.closest("[data-wakes]") && load();
  document.addEventListener("pointerover", wakes, { signal });
  document.addEventListener("focusin", wakes, { signal });
  document.addEventListener("click", async (event) => {
    const { target } = event;
    const button = target.closest("[data-do]");
    if (button?.dataset.do === "play") player.play(!player.plays);
    else if (button) (await load())[button.dataset.do](event);
  }, { signal });
  if (location.hash.startsWith("#sim=")) load();
  return player.leave;
}

function loadControls(element) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.onload = () => resolve(globalThis.batcherControls.setUp);
    script.onerror = reject;
    script.src = element.getAttribute("controls");
    document.head.append(script);
  });
}

// The engine that prerenders has no page.
if (globalThis.customElements) defineElement();
