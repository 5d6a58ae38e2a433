import { kvMap } from "../kv-map.js";
import { trends } from "../trends.js";
import { showPart } from "./patch.js";

/** What a visitor can change, each with its least and its largest value. */
const SLIDERS = {
  iteration: [0, 99999], speed: [1, 30],
  slots: [1, 16], blocks: [4, 256], block_size: [1, 64], budget: [1, 512],
};
/** The policies on offer, as the page names them. */
const OFFERED = {
  fcfs: "first come, first served",
  lookahead: "admission as in my engine",
  reserve: "reserve the worst case",
  shortest: "shortest first",
};
/** Blocks of the preset in which preemption shows. */
const FEW = 12;
/** The settings in the order in which an address has them. */
const SHARED = ["iteration", "slots", "blocks", "block_size", "budget", "policy", "mode"];

/** The closed drawer: time, the engine's settings, whose the blocks are, and how it goes. */
export function setUpEngine(player) {
  const { root, signal } = player;
  const drawer = root.querySelector(".engine__change");
  drawer.querySelector("[data-part=engine]").innerHTML = FORM;
  const form = drawer.querySelector("form");
  const on = (target, type, listener) => target.addEventListener(type, listener, { signal });
  const settings = () =>
    ({ ...player.config, iteration: player.t, speed: player.speed, mode: player.mode });

  const drawDrawer = () => {
    if (!drawer.open) return;
    const { newest, run, t } = player;
    form.iteration.max = Math.max(run.length - 1, newest);
    for (const field of form) {
      field.value = settings()[field.name];
      field.nextSibling.textContent = field.value;
    }
    showPart(root, "blocks", kvMap(run, t));
    showPart(root, "trends", trends(run, t));
  };
  on(root, "tick", drawDrawer);
  on(drawer, "toggle", drawDrawer);

  const change = (config, t = player.t) => {
    const { slots } = config;
    const isClamped = config.budget < slots;
    player.say(isClamped ? `Each running request gets a token, so the budget is at least ${slots}.` : "");
    player.config = isClamped ? { ...config, budget: slots } : config;
    player.renew();
    return player.show(t);
  };
  player.share = () => {
    const values = settings();
    history.replaceState(null, "", `#sim=${SHARED.map((name) => values[name]).join(".")}`);
  };
  on(form, "input", ({ target: { name, value } }) => {
    if (name === "iteration") {
      player.play(false);
      player.show(Number(value));
    } else if (name === "speed") player.speed = Number(value);
    else change({ ...player.config, [name]: name === "policy" ? value : Number(value) });
  });
  on(form, "change", player.share);
  on(drawer, "keydown", ({ key, target }) => {
    const next = { ArrowRight: "nextSibling", ArrowLeft: "previousSibling" }[key];
    if (target.closest(".blocks")) target[next]?.focus();
  });

  /** Brings back the moment of an address; a damaged one is left alone. */
  const recall = () => {
    const [start, ...values] = location.hash.split(/[=.]/);
    const given = Object.fromEntries(SHARED.map((name, i) => [name, values[i]]));
    form.iteration.max = SLIDERS.iteration[1];
    // A field takes only a value that it offers.
    const config = { ...player.data.config };
    const isWhole = SHARED.slice(0, -1).every((name) => {
      const field = form[name];
      field.value = given[name];
      config[name] = name === "policy" ? field.value : Number(field.value);
      return field.value === given[name];
    });
    if (start !== "#sim" || !isWhole || !/^(continuous|static)$/.test(given.mode)) return;
    const { iteration, ...rest } = config;
    player.play(false);
    player.choose(given.mode);
    change(rest, iteration);
  };
  on(globalThis, "hashchange", recall);
  recall();

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
  };
}

const FORM = `<form class="controls">${Object.keys(SLIDERS).map((name) => {
  const [least, most] = SLIDERS[name];
  return `<label>${name.replace("_", " ")}<input type="range" name="${name}" min="${least}" max="${most}"><span></span></label>`;
}).join("")}<label>policy<select name="policy">${Object.keys(OFFERED).map((name) =>
  `<option value="${name}">${OFFERED[name]}</option>`).join("")}</select><span></span></label></form>`
  + `<p class="engine__bar"><button type="button" data-do="pressure">Under pressure: ${FEW} blocks</button>`
  + '<button type="button" data-do="reset">Reset to shipped</button></p>'
  + '<h3>Whose the KV blocks are</h3><div class="blocks" data-part="blocks"></div>'
  + '<div class="trends" data-part="trends"></div>';
