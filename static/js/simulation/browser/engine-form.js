import { LIMITS, OFFERED, settled } from "../engine-settings.js";
import { kvMap } from "../kv-map.js";
import { trends } from "../trends.js";
import { showPart } from "./patch.js";

const SLIDERS = { iteration: [0, 0], speed: [1, 30], ...LIMITS };
/** Blocks of the preset in which preemption shows. */
const FEW = 12;

/** The closed drawer: time, the engine's settings, whose the blocks are, and how it goes. */
export function setUpEngine(player) {
  const { root, signal } = player;
  const drawer = root.querySelector(".engine__change");
  drawer.querySelector("[data-part=engine]").innerHTML = FORM;
  const form = drawer.querySelector("form");
  const blocks = drawer.querySelector(".blocks");
  const on = (target, type, listener) => target.addEventListener(type, listener, { signal });

  const drawDrawer = () => {
    if (!drawer.open) return;
    const { config, newest, run, speed, t } = player;
    form.elements.iteration.max = Math.max(run.length - 1, newest);
    for (const field of form.elements) {
      field.value = { ...config, iteration: t, speed }[field.name];
      field.nextSibling.textContent = ` ${field.value}`;
    }
    showPart(root, "blocks", kvMap(run, t));
    showPart(root, "trends", trends(run, t));
  };
  on(root, "tick", drawDrawer);
  on(drawer, "toggle", drawDrawer);

  const change = (wanted, t = player.t) => {
    const { config, reason } = settled(wanted);
    player.config = config;
    player.say(reason);
    player.renew();
    return player.show(t);
  };
  on(form, "input", ({ target: { name, value } }) => {
    if (name === "iteration") {
      player.play(false);
      player.show(Number(value));
    } else if (name === "speed") player.speed = Number(value);
    else change({ ...player.config, [name]: name === "policy" ? value : Number(value) });
  });
  on(form, "change", player.share);

  const tell = ({ target }) => {
    if (target !== blocks) blocks.nextSibling.value = target.getAttribute("aria-label");
  };
  on(blocks, "pointerover", tell);
  on(blocks, "focusin", tell);
  on(blocks, "keydown", ({ key, target }) => {
    const next = { ArrowRight: target.nextSibling, ArrowLeft: target.previousSibling }[key];
    next?.focus();
  });

  return {
    pressure() {
      change({ ...player.data.config, blocks: FEW });
      player.share();
    },
    reset() {
      player.sent = [];
      player.newest = player.data.at;
      player.choose("continuous");
      change(player.data.config, player.data.at);
      history.replaceState(null, "", location.pathname);
    },
    restore({ t, config, mode }) {
      player.play(false);
      player.choose(mode);
      change(config, t);
    },
  };
}

const FORM = `<form class="controls">${Object.keys(SLIDERS).map((name) => {
  const [least, most] = SLIDERS[name];
  return `<label>${name.replace("_", " ")}<input type="range" name="${name}" min="${least}" max="${most}"><span></span></label>`;
}).join("")}<label>policy<select name="policy">${Object.keys(OFFERED).map((name) =>
  `<option value="${name}">${OFFERED[name]}</option>`).join("")}</select><span></span></label></form>`
  + `<p class="engine__bar"><button type="button" data-do="pressure">Under pressure: ${FEW} blocks</button>`
  + '<button type="button" data-do="reset">Reset to shipped</button></p>'
  + '<h3>Whose the KV blocks are</h3><div class="blocks" data-part="blocks"></div><output></output>'
  + '<div class="trends" data-part="trends"></div>';
