import { kvMap } from "../kv-map.js";
import { trends } from "../trends.js";
import { showPart } from "./patch.js";

/** Blocks of the preset in which preemption shows. */
const FEW = 12;
/** The settings in the order in which an address has them; behind them stands the mode. */
const SHARED = ["iteration", "slots", "blocks", "block_size", "budget", "policy"];

/** The closed drawer: time, the engine's settings, whose the blocks are, and how it goes. */
export function setUpEngine(player) {
  const { root, signal } = player;
  const drawer = root.querySelector(".engine__change");
  const form = drawer.querySelector("form");
  const latest = form.iteration.max;
  const on = (target, type, listener) => target.addEventListener(type, listener, { signal });
  const settings = () => ({ ...player.config, iteration: player.t, speed: player.speed });

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
    player.say(isClamped ? `Each running request gets a token: the budget is at least ${slots}.` : "");
    player.config = isClamped ? { ...config, budget: slots } : config;
    player.renew();
    return player.show(t);
  };
  player.share = () => {
    const values = SHARED.map((name) => settings()[name]);
    history.replaceState(null, "", `#sim=${values.join(".")}.${player.mode}`);
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
    const mode = values[SHARED.length];
    const config = { ...player.data.config };
    form.iteration.max = latest;
    // A field takes only a value that it offers.
    const isWhole = SHARED.every((name, i) => {
      form[name].value = values[i];
      config[name] = name === "policy" ? values[i] : Number(values[i]);
      return form[name].value === values[i];
    });
    if (start !== "#sim" || !isWhole || !/^(continuous|static)$/.test(mode)) return;
    const { iteration, ...rest } = config;
    player.play(false);
    player.choose(mode);
    change(rest, iteration);
  };
  on(globalThis, "hashchange", recall);
  recall();

  const preset = (wanted) => () => {
    change({ ...player.data.config, ...wanted });
    player.share();
  };
  return {
    shipped: preset({}),
    pressure: preset({ blocks: FEW }),
    reset() {
      player.sent = [];
      player.newest = player.data.at;
      player.choose("continuous");
      change(player.data.config, player.data.at);
      history.replaceState(null, "", location.pathname);
    },
  };
}
