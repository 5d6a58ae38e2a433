import { counted } from "../markup.js";
import { ANSWER, promptTokens } from "../message-tokens.js";
import { progressAt } from "../moment.js";

/** Requests under way at the same time, at the most. */
const LIVE = 32;

/** A visitor's message as a request: it is served in the simulation before it can be mailed. */
export function setUpMessage(player) {
  const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-wakes=message]"));
  if (!form) return {};
  const { root, signal } = player;
  const message = form.querySelector("textarea");
  const status = form.querySelector("output");
  const mail = form.querySelector("a");
  let waited;

  const measure = () => {
    const bytes = new TextEncoder().encode(message.value).length;
    const prompt = promptTokens(bytes);
    form.querySelector("[data-part=count]").textContent = `${counted(bytes, "byte")}, ${counted(prompt, "token")}`;
    return prompt;
  };
  message.addEventListener("input", measure, { signal });
  // It may have been written while this was loading.
  if (message.value) measure();

  const follow = () => {
    if (!waited) return;
    const { run, t } = player;
    const { id, arrival, text } = waited;
    const entry = progressAt(run, t).find((other) => other.id === id);
    const isRefused = run.iterations.some(({ rejected }) => rejected.includes(id));
    const isServed = entry?.state === "finished";
    // A reader is told of a change, not of every token.
    const said = isRefused ? "is rejected, larger than the KV cache. Your text is kept."
      : isServed ? `served in ${t - arrival} iterations. Nothing has left this page yet.`
        : entry?.doing ?? "sent";
    if (status.value !== `${id} ${said}`) status.value = `${id} ${said}`;
    if (!isRefused && !isServed) return;
    waited = null;
    mail.href = `${form.dataset.mail}?body=${encodeURIComponent(text)}`;
    mail.hidden = false;
  };
  root.addEventListener("tick", follow, { signal });

  return {
    async send() {
      const { newest, run, sent } = player;
      const open = progressAt(run, newest).filter(({ state }) => state !== "finished");
      if (!message.value.trim()) status.value = "Write it first.";
      else if (open.length >= LIVE) status.value = "The queue is full. Your text is kept.";
      else {
        const id = sent.length > 0 ? `you-${sent.length + 1}` : "you";
        const request = { id, prompt: measure(), output: ANSWER, arrival: newest + 1, once: true };
        player.data.items[id] = { label: id, href: "#contact" };
        sent.push(request);
        waited = { ...request, text: message.value };
        mail.hidden = true;
        player.renew();
        player.play(true);
        await player.show(newest);
        // Without motion nothing plays: what comes of it is shown at once.
        while (player.still.matches && waited) await player.show(player.t + 1);
      }
    },
  };
}
