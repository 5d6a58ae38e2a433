import { ceilDiv } from "./arithmetic.js";

/**
 * The paged KV cache.
 *
 * @typedef {object} Pool
 * @property {number} blockSize tokens in a block
 * @property {boolean} shared prefix caching is on
 * @property {number[]} free free block numbers; the next one to be taken stands last
 * @property {number[]} counts for each block the number of tables it is in
 * @property {(string|null)[]} names for each block the name of its content, if it is full and cached
 * @property {Object<string, number[]>} cached for each name the blocks that hold it, first entered first
 */

/** @returns {Pool} */
export function createPool({ blocks, block_size, prefix_cache }) {
  return {
    blockSize: block_size,
    shared: prefix_cache === 1,
    free: Array.from({ length: blocks }, (_, i) => blocks - 1 - i),
    counts: Array(blocks).fill(0),
    names: Array(blocks).fill(null),
    cached: {},
  };
}

export function blocksFor(pool, tokens) {
  return ceilDiv(tokens, pool.blockSize);
}

/** Blocks that the request will hold at the most: its last output token is never written. */
export function worstNeed(request, block_size) {
  return ceilDiv(request.prompt + request.output - 1, block_size);
}

/** Takes `need` blocks for the request, and names those that `tokens` tokens fill. */
export function takeBlocks(pool, request, need, tokens) {
  for (let i = 0; i < need; i += 1) {
    const block = pool.free.pop();
    forgetName(pool, block);
    pool.counts[block] = 1;
    request.table.push(block);
  }
  if (pool.shared) nameFullBlocks(pool, request, tokens);
}

function forgetName(pool, block) {
  const name = pool.names[block];
  if (name === null) return;
  const holders = pool.cached[name].filter((other) => other !== block);
  if (holders.length > 0) pool.cached[name] = holders;
  else delete pool.cached[name];
  pool.names[block] = null;
}

function nameFullBlocks(pool, request, tokens) {
  const full = Math.floor(tokens / pool.blockSize);
  for (; request.named < full; request.named += 1) {
    const block = request.table[request.named];
    const name = blockName(pool, request, request.named);
    pool.names[block] = name;
    (pool.cached[name] ??= []).push(block);
  }
}

function blockName(pool, request, k) {
  const common = Math.min(request.prefix_len ?? 0, request.prompt);
  return (k + 1) * pool.blockSize <= common
    ? `group ${JSON.stringify(request.prefix_group)} ${k}`
    : `own ${request.index} ${k}`;
}

/** The cached blocks that the request can start from; its last known token is always computed. */
export function prefixHits(pool, request, known) {
  const hits = [];
  if (!pool.shared) return hits;
  for (let k = 0; k < Math.floor((known - 1) / pool.blockSize); k += 1) {
    const holders = pool.cached[blockName(pool, request, k)];
    if (!holders) break;
    hits.push(holders[0]);
  }
  return hits;
}

/** Free blocks needed to hold all `known` tokens of a waiting request. */
export function freeBlocksNeeded(pool, request, known) {
  const hits = prefixHits(pool, request, known);
  const idle = hits.filter((block) => pool.counts[block] === 0);
  return blocksFor(pool, known) - hits.length + idle.length;
}

/** Starts the request's empty table with cached blocks. */
export function adoptBlocks(pool, request, hits) {
  for (const block of hits) {
    if (pool.counts[block] === 0) pool.free.splice(pool.free.indexOf(block), 1);
    pool.counts[block] += 1;
  }
  request.table.push(...hits);
  request.named = hits.length;
}

/**
 * Empties the request's table. Blocks without a name are the next to be taken, the first of the
 * table foremost behind its tail; named ones keep their content as long as possible.
 */
export function giveBack(pool, request) {
  const idle = request.table.filter((block) => (pool.counts[block] -= 1) === 0);
  const named = idle.filter((block) => pool.names[block] !== null);
  const nameless = idle.filter((block) => pool.names[block] === null);
  pool.free.unshift(...named);
  pool.free.push(...nameless);
  request.table = [];
  request.named = 0;
}
