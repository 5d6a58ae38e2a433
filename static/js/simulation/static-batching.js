import { ceilDiv, ratio, sum } from "./arithmetic.js";
import { canFit, worstNeed } from "./blocks.js";

/**
 * One batch of request-level scheduling: nobody is let in before all its members are done.
 *
 * @typedef {object} Batch
 * @property {number} start its first iteration
 * @property {number} fill iterations that compute all its prompts, packed
 * @property {number} span iterations that it takes
 * @property {string[]} members ids; member i holds slot i for the whole span
 * @property {number} first_token the iteration of everybody's first token
 * @property {number[]} finish for each member the iteration of its last token
 * @property {number[]} pad for each member the iterations in which it only holds its slot
 */

/** @returns {Batch[]} of the requests that are not too large for the cache (spec 6) */
export function staticBatches(config, requests) {
  const left = requests
    .filter((request) => canFit(config, request))
    // The sort is stable, so equal arrivals keep the order of submission.
    .sort((a, b) => a.arrival - b.arrival);
  const batches = [];
  while (left.length > 0) batches.push(nextBatch(config, left, staticEnd(batches)));
  return batches;
}

/** Takes the batch that can start at `now` or later out of `left`, which is in order of arrival. */
export function nextBatch(config, left, now) {
  const start = Math.max(now, left[0].arrival);
  const members = left.splice(0, countMembers(config, left, start));
  const fill = ceilDiv(sum(members.map((r) => r.prompt)), config.budget);
  const longest = Math.max(...members.map((r) => r.output));
  return {
    start,
    fill,
    span: fill + longest - 1,
    members: members.map((r) => r.id),
    first_token: start + fill - 1,
    finish: members.map((r) => start + fill + r.output - 2),
    pad: members.map((r) => longest - r.output),
  };
}

function countMembers({ slots, blocks, block_size }, left, start) {
  let promised = 0;
  let count = 0;
  for (const request of left.slice(0, slots)) {
    promised += worstNeed(request, block_size);
    if (request.arrival > start || promised > blocks) break;
    count += 1;
  }
  return count;
}

/** The iteration after the last one of static batching. */
export function staticEnd(batches) {
  const last = batches[batches.length - 1];
  return last ? last.start + last.span : 0;
}

/** Slot-iterations held and padded by the end of iteration t; by default in the whole run. */
export function staticPadding(batches, t = Infinity) {
  let held = 0;
  let pad = 0;
  for (const { start, span, members, finish } of batches) {
    const end = Math.min(start + span, t + 1);
    held += members.length * Math.max(0, end - start);
    pad += sum(finish.map((last) => Math.max(0, end - 1 - last)));
  }
  return { held, pad, bp: ratio(pad, held, 10000) };
}
