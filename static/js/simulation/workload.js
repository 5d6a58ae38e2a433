import { POLICIES } from "./policies.js";

/**
 * What is simulated, in integers ≥ 0 only (spec 1).
 *
 * @typedef {object} Workload
 * @property {object} config every key of DEFAULTS
 * @property {WorkloadRequest[]} requests
 *
 * @typedef {object} WorkloadRequest
 * @property {string} id unique
 * @property {number} prompt tokens, ≥ 1
 * @property {number} output tokens, ≥ 1; it always produces exactly these
 * @property {number} arrival the iteration before which it is in the queue
 * @property {number} [priority] smaller is more urgent
 * @property {number|string} [prefix_group] requests of one group share a prefix
 * @property {number} [prefix_len] of so many tokens
 */

export const DEFAULTS = {
  slots: 4,
  blocks: 64,
  block_size: 16,
  budget: 64,
  policy: "fcfs",
  lookahead: 5,
  skip_threshold: 3,
  tick_floor: 64,
  prefix_cache: 0,
};

/** Keeps every product of the metrics far below 2^53. */
const LARGEST = 1000000;

const CONFIG_RULES = {
  slots: integerFrom(1),
  blocks: integerFrom(1),
  block_size: integerFrom(1),
  budget: integerFrom(1),
  policy: (value) =>
    (typeof value === "string" && Object.hasOwn(POLICIES, value)
      ? "" : `one of ${listed(POLICIES)}`),
  lookahead: integerFrom(1),
  skip_threshold: integerFrom(0),
  tick_floor: integerFrom(0),
  prefix_cache: (value) => (value === 0 || value === 1 ? "" : "0 or 1"),
};

const REQUEST_RULES = {
  id: (value) => (typeof value === "string" && value !== "" ? "" : "a text that is not empty"),
  prompt: integerFrom(1),
  output: integerFrom(1),
  arrival: integerFrom(0),
  priority: integerFrom(0),
  prefix_group: (value) =>
    (typeof value === "string" || Number.isInteger(value) ? "" : "an integer or a text"),
  prefix_len: integerFrom(0),
};

/**
 * Reads a workload. Keys beside `config` and `requests` are ignored.
 *
 * @returns {Workload} with the defaults filled in
 * @throws an error whose `problems` are all faults, each {path, message}
 */
export function readWorkload(value) {
  const problems = [];
  if (!isObject(value)) {
    refuse(problems, "", "an object with requests", value);
    throw workloadError(problems);
  }
  const { config: givenConfig = {}, requests: givenRequests } = value;
  const config = readConfig(givenConfig, problems);
  const requests = readRequests(givenRequests, problems);
  if (problems.length > 0) throw workloadError(problems);
  return { config, requests };
}

function workloadError(problems) {
  const lines = problems.map(({ path, message }) => `${path || "workload"}: ${message}`);
  return Object.assign(new Error(lines.join("\n")), { name: "WorkloadError", problems });
}

function readConfig(given, problems) {
  checkFields(given, CONFIG_RULES, "config", problems);
  const config = { ...DEFAULTS, ...given };
  if (config.budget < config.slots) {
    refuse(problems, "config.budget", `at least slots, which is ${config.slots}`, config.budget);
  }
  return config;
}

function readRequests(given, problems) {
  if (given === undefined) {
    problems.push({ path: "requests", message: "is missing" });
    return [];
  }
  if (!Array.isArray(given)) {
    refuse(problems, "requests", "a list", given);
    return [];
  }
  const seen = new Map();
  return given.map((request, i) => {
    const path = `requests[${i}]`;
    const complete = isObject(request) ? { arrival: 0, ...request } : request;
    checkFields(complete, REQUEST_RULES, path, problems, ["id", "prompt", "output"]);
    if (!isObject(request)) return request;
    if (seen.has(request.id)) {
      const first = `unlike that of requests[${seen.get(request.id)}]`;
      refuse(problems, `${path}.id`, first, request.id);
    } else if (request.id !== undefined) {
      seen.set(request.id, i);
    }
    if (request.prefix_len !== undefined && request.prefix_group === undefined) {
      problems.push({ path: `${path}.prefix_len`, message: "needs a prefix_group beside it" });
    }
    return pick(complete, Object.keys(REQUEST_RULES));
  });
}

function checkFields(value, rules, path, problems, required = []) {
  if (!isObject(value)) {
    refuse(problems, path, "an object", value);
    return;
  }
  for (const key of required.filter((name) => value[name] === undefined)) {
    problems.push({ path: `${path}.${key}`, message: "is missing" });
  }
  for (const key of Object.keys(value)) {
    const wanted = Object.hasOwn(rules, key) ? rules[key](value[key]) : null;
    if (wanted === null) {
      const message = `unknown key; the keys are ${listed(rules)}`;
      problems.push({ path: `${path}.${key}`, message });
    } else if (wanted !== "") {
      refuse(problems, `${path}.${key}`, wanted, value[key]);
    }
  }
}

function integerFrom(least) {
  return (value) =>
    (Number.isInteger(value) && !Object.is(value, -0) && value >= least && value <= LARGEST
      ? "" : `an integer from ${least} to ${LARGEST}`);
}

function refuse(problems, path, wanted, value) {
  problems.push({ path, message: `must be ${wanted}, not ${JSON.stringify(value)}` });
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listed(table) {
  return Object.keys(table).join(", ");
}

function pick(value, keys) {
  return Object.fromEntries(keys.filter((k) => Object.hasOwn(value, k)).map((k) => [k, value[k]]));
}
