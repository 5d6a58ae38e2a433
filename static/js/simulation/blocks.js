import { ceilDiv } from "./arithmetic.js";

/**
 * The paged KV cache.
 *
 * @typedef {object} Pool
 * @property {number} blockSize tokens in a block
 * @property {number[]} free free block numbers; the next one to be taken stands last
 * @property {number[]} counts for each block the number of tables it is in
 * @property {import("./prefix-cache.js").PrefixCache|null} cache where blocks are shared
 */

/** @returns {Pool} */
export function createPool({ blocks, block_size }, cache) {
  return {
    blockSize: block_size,
    free: Array.from({ length: blocks }, (_, i) => blocks - 1 - i),
    counts: Array(blocks).fill(0),
    cache,
  };
}

export function blocksFor(pool, tokens) {
  return ceilDiv(tokens, pool.blockSize);
}

/** Blocks that the request will hold at the most: its last output token is never written. */
export function worstNeed(request, block_size) {
  return ceilDiv(request.prompt + request.output - 1, block_size);
}

/** Whether the cache could ever hold the whole request. */
export function canFit({ blocks, block_size }, request) {
  return worstNeed(request, block_size) <= blocks;
}

/** Takes the blocks that `tokens` tokens of the request need, beside those in its table. */
export function takeBlocks(pool, request, tokens) {
  while (request.table.length < blocksFor(pool, tokens)) {
    const block = pool.free.pop();
    pool.cache?.forget(block);
    pool.counts[block] = 1;
    request.table.push(block);
  }
  pool.cache?.enter(pool, request, tokens);
}

/** Frees the blocks of the request's table; those at its tail are the next to be taken. */
export function giveBack(pool, request) {
  for (const block of request.table) pool.counts[block] -= 1;
  if (pool.cache) pool.cache.giveBack(pool, request);
  else pool.free.push(...request.table);
}
