import { POLICIES } from "./policies.js";
import { createPrefixCache } from "./prefix-cache.js";

/** What the configuration asks of the scheduler, as `createState` takes it. */
export function rulesOf(config) {
  return { policy: POLICIES[config.policy], cache: createPrefixCache(config) };
}
