import { escapeMarkup, requestLink } from "./markup.js";
import { progressAt } from "./progress.js";

/** The requests and their times, for reading without pictures. */
export function requestTable(run) {
  const rows = [...progressAt(run, Infinity).values()].map(({ request, started, first, finish }) => {
    const { id, prompt, output, arrival } = request;
    const ttft = first === null ? null : first - arrival + 1;
    const figures = [prompt, output, started, ttft, finish];
    return `<tr data-id="${escapeMarkup(id)}"><th scope="row">${requestLink(run, id)}</th>`
      + `${figures.map((n) => `<td>${n ?? "–"}</td>`).join("")}</tr>`;
  });
  const heads = ["request", "prompt", "output", "first scheduled", "TTFT", "finished"];
  return '<table class="requests"><caption>The requests of this run: lengths in tokens, times in iterations</caption>'
    + `<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead>`
    + `<tbody>${rows.join("")}</tbody></table>`;
}
