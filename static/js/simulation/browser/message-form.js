import { progressAt } from "../moment.js";
import { ANSWER, promptTokens } from "../message-tokens.js";

/** Requests under way at the same time, at the most. */
const LIVE = 32;

/** A visitor's message as a request: it is served in the simulation before it can be mailed. */
export function setUpMessage(player) {
  const form = document.querySelector("[data-wakes=message]");
  if (!form) return {};
  const { root, signal } = player;
  const [message] = form.elements;
  const count = form.querySelector("[data-part=count]");
  const status = form.querySelector("output");
  const mail = form.querySelector("a");
  let sent = null;
  let stage;

  const measure = () => {
    const bytes = new TextEncoder().encode(message.value).length;
    const prompt = promptTokens(bytes);
    count.textContent = `${bytes} bytes, ${prompt} tokens`;
    return prompt;
  };
  message.addEventListener("input", measure, { signal });
  measure();

  // Each stage is announced once; the numbers in between are for the eye.
  const tell = (next, text) => {
    if (stage !== next) status.value = text;
    stage = next;
  };
  const offer = () => {
    mail.href = `${form.dataset.mail}?body=${encodeURIComponent(sent.text)}`;
    mail.hidden = false;
  };
  const follow = () => {
    if (!sent || stage === "finished" || stage === "rejected") return;
    const { run, t } = player;
    const row = run.iterations[sent.arrival - run.iterations[0].t];
    const entry = progressAt(run, t).find(({ id }) => id === sent.id);
    if (row.rejected.includes(sent.id)) {
      tell("rejected", `${sent.id} is larger than the KV cache, so it was rejected. Your text is kept.`);
      offer();
    } else if (entry?.state === "finished") {
      tell("finished", `${sent.id} is served after ${t - sent.arrival} iterations. Nothing has left this page yet.`);
      offer();
    } else if (entry) {
      tell(entry.doing, `${sent.id}: ${entry.doing}`);
    }
  };
  root.addEventListener("tick", follow, { signal });

  return {
    async send() {
      const text = message.value;
      const isOpen = progressAt(player.run, player.newest).filter((r) => r.state !== "finished");
      if (text.trim() === "") status.value = "Write a message first.";
      else if (isOpen.length >= LIVE) status.value = "The queue is full. Your text is kept; send it later.";
      else {
        const id = player.sent.length > 0 ? `you-${player.sent.length + 1}` : "you";
        const arrival = player.newest + 1;
        player.data.items[id] = { label: id, title: id, href: "#contact", pinned: false };
        player.sent.push({ id, prompt: measure(), output: ANSWER, arrival, once: true });
        sent = { id, text, arrival };
        tell("sent", `${id} is sent to the engine`);
        mail.hidden = true;
        player.renew();
        await player.show(player.newest);
        if (player.still.matches) await serveAtOnce();
        else player.play(true);
      }
    },
  };

  /** Without motion nothing is played: the last iteration of the request is shown at once. */
  async function serveAtOnce() {
    while (stage !== "finished" && stage !== "rejected") await player.show(player.t + 1);
  }
}
