/**
 * Prefix caching (spec 5.4): full blocks have names, and requests with equal prefixes share them.
 *
 * @typedef {object} PrefixCache what the pool asks of it
 * @property {(block: number) => void} forget the block gets another content
 * @property {(pool, request, tokens: number) => void} enter names the blocks that are full now
 * @property {(pool, request, known: number) => number} needed free blocks for all known tokens
 * @property {(pool, request, known: number) => number} adopt starts the table; tokens found
 * @property {(pool, request) => void} giveBack frees the blocks that nobody has any more
 */

/** @returns {PrefixCache|null} null where the configuration has it switched off */
export function createPrefixCache({ prefix_cache, block_size }) {
  if (prefix_cache === 0) return null;
  const names = [];
  const holders = new Map();
  const hits = (request, known) => {
    const found = [];
    // The last known token is always computed.
    for (let k = 0; k < Math.floor((known - 1) / block_size); k += 1) {
      const blocks = holders.get(blockName(block_size, request, k));
      if (!blocks) break;
      found.push(blocks[0]);
    }
    return found;
  };
  return {
    forget(block) {
      const others = holders.get(names[block])?.filter((other) => other !== block);
      if (others?.length > 0) holders.set(names[block], others);
      else holders.delete(names[block]);
      delete names[block];
    },
    enter(_, request, tokens) {
      const full = Math.floor(tokens / block_size);
      for (; request.named < full; request.named += 1) {
        const block = request.table[request.named];
        names[block] = blockName(block_size, request, request.named);
        // The block entered first is the one that is hit.
        holders.set(names[block], [...(holders.get(names[block]) ?? []), block]);
      }
    },
    needed(pool, request, known) {
      const found = hits(request, known);
      const idle = found.filter((block) => pool.counts[block] === 0);
      return Math.ceil(known / block_size) - found.length + idle.length;
    },
    adopt({ counts, free }, request, known) {
      for (const block of hits(request, known)) {
        if (counts[block] === 0) free.splice(free.indexOf(block), 1);
        counts[block] += 1;
        request.table.push(block);
      }
      request.named = request.table.length;
      return request.named * block_size;
    },
    giveBack({ counts, free }, request) {
      const idle = request.table.filter((block) => counts[block] === 0);
      // Named blocks keep their content as long as possible.
      free.unshift(...idle.filter((block) => names[block]));
      free.push(...idle.filter((block) => !names[block]));
      request.named = 0;
    },
  };
}

function blockName(block_size, request, k) {
  const common = Math.min(request.prefix_len ?? 0, request.prompt);
  return (k + 1) * block_size <= common
    ? `group ${JSON.stringify(request.prefix_group)} ${k}`
    : `own ${request.index} ${k}`;
}
