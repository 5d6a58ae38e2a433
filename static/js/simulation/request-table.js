import { escapeMarkup, requestLink } from "./markup.js";

/** The requests and their times, for reading without pictures. */
export function requestTable(run) {
  const rows = run.per_request.map(({ id, first_sched, token_times, finish }, i) => {
    const { prompt, output, arrival } = run.requests[i];
    const ttft = finish === null ? null : token_times[0] - arrival + 1;
    const figures = [prompt, output, first_sched, ttft, finish];
    return `<tr data-id="${escapeMarkup(id)}"><th scope="row">${requestLink(run, id)}</th>`
      + `${figures.map((n) => `<td>${n ?? "–"}</td>`).join("")}</tr>`;
  });
  const heads = ["request", "prompt", "output", "first scheduled", "TTFT", "finished"];
  return '<table class="requests"><caption>The requests of this run: lengths in tokens, times in iterations</caption>'
    + `<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead>`
    + `<tbody>${rows.join("")}</tbody></table>`;
}
