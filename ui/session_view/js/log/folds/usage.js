// @ts-check
/**
 * What model calls used: calls, tokens and time by agent, model, run and for the whole session. A fold over the log; tokens
 * stay apart by model, and are priced when somebody looks.
 */

import { bare, begins, cost, firstPrice, searchFee } from "../prices.js";

/** @import { Entry, ModelFinished, Tokens } from "../entries.d.ts" */
/** @import { CallFacts, Cost, NamedModel, Sums, TokenPart, TokenParts, Usage } from "../folds.d.ts" */
/** @import { PriceRow } from "../prices.js" */

/** Seconds; over less than that, a speed says nothing. */
const LEAST_TIME = 0.05;

/** @returns {Usage} */
export function emptyUsage() {
  return {
    total: emptySums(),
    agents: new Map(),
    models: new Map(),
    runs: new Map(), // by name; runs by invocation id
    open: new Map(), // calls that were begun and have not ended
    retries: new Map(), // "invocation/call" -> the tries of it that failed
    named: new Map(), // what each pair of a model asked and one that answered is called, and priced by
  };
}

/** @returns {Sums} */
function emptySums() {
  return {
    calls: 0,
    failed: 0,
    stopped: 0,
    retries: 0,
    seconds: 0,
    first: { calls: 0, seconds: 0, longest: 0 }, // of calls that said something
    speed: { tokens: 0, seconds: 0 },
    parts: new Map(), // tokens, apart by what they cost
  };
}

/**
 * @param {Usage} usage
 * @param {Entry} entry
 */
export function foldUsage(usage, { kind, body }) {
  if (kind === "model_started") usage.open.set(callKey(body), body);
  else if (kind === "model_finished") {
    usage.open.delete(callKey(body));
    takeCall(usage, body);
  } else if (kind === "model_retry" && !body.replayed) {
    const key = callKey(body);
    usage.retries.set(key, [...(usage.retries.get(key) ?? []), body]);
    for (const sums of sumsOf(usage, body, bare(body.model ?? "unknown"))) sums.retries += 1;
  } else if ((kind === "run_finished" || kind === "run_started") && usage.open.size) endOpen(usage);
}

/**
 * Calls whose end nobody wrote down, since the server went away: they were made all the same.
 * @param {Usage} usage
 */
function endOpen(usage) {
  for (const body of usage.open.values()) takeCall(usage, { ...body, model: body.model ?? "", error: "cancelled" });
  usage.open.clear();
}

/**
 * @param {Usage} usage
 * @param {ModelFinished} body
 */
function takeCall(usage, body) {
  const key = `${body.model}\n${body.answered_by ?? ""}`;
  let model = usage.named.get(key);
  if (!model) usage.named.set(key, model = { key, name: modelName(body), prices: pricedNames(body) });
  const time = speaking(body);
  for (const sums of sumsOf(usage, body, model.name)) {
    addCall(sums, body, time);
    addUse(sums.parts, body, model);
  }
}

/** @param {{ invocation_id: string; call: number }} body */
function callKey({ invocation_id: invocation, call }) {
  return `${invocation}/${call}`;
}

/**
 * @param {Usage} usage
 * @param {{ agent: string; invocation_id: string }} body
 * @param {string} model
 */
function sumsOf({ total, agents, models, runs }, { agent, invocation_id: invocation }, model) {
  return [total, held(agents, agent), held(models, model), held(runs, invocation)];
}

/**
 * @param {Map<string, Sums>} map
 * @param {string} key
 */
function held(map, key) {
  let sums = map.get(key);
  if (!sums) map.set(key, sums = emptySums());
  return sums;
}

/**
 * @param {Sums} sums
 * @param {ModelFinished} body
 * @param {number} time
 */
function addCall(sums, { error, duration, first_token: first, usage }, time) {
  sums.calls += 1;
  if (error === "cancelled") sums.stopped += 1;
  else if (error) sums.failed += 1;
  sums.seconds += duration ?? 0;
  if (first != null) {
    sums.first.calls += 1;
    sums.first.seconds += first;
    sums.first.longest = Math.max(sums.first.longest, first);
  }
  if (!time) return;
  sums.speed.tokens += received(usage);
  sums.speed.seconds += time;
}

/**
 * @param {TokenParts} parts
 * @param {Pick<CallFacts, "usage" | "searches">} call
 * @param {Pick<NamedModel, "key" | "prices">} model
 */
function addUse(parts, { usage = {}, searches = 0 }, { key, prices }) {
  const { input = 0, output = 0, thoughts = 0, cached = 0 } = usage;
  let part = parts.get(key);
  if (!part) parts.set(key, part = emptyPart(prices));
  if (!input && !output && !thoughts) part.silent += 1;
  part.input += input;
  part.output += output;
  part.thoughts += thoughts;
  part.cached += Math.min(cached, input);
  part.searches += searches;
  if (searches) part.grounded += 1;
}

/**
 * @param {string[]} names
 * @returns {TokenPart}
 */
function emptyPart(names) {
  return { names, input: 0, output: 0, thoughts: 0, cached: 0, silent: 0, searches: 0, grounded: 0 };
}

/** @param {Tokens | undefined} usage */
function received(usage) {
  return (usage?.output ?? 0) + (usage?.thoughts ?? 0);
}

/**
 * Seconds in which a call said what it said: from its first word on, or all of it if all came at once. 0 if unknown.
 * @param {CallFacts} callFacts
 */
function speaking({ usage, duration, first_token: first }) {
  if (!received(usage) || duration == null) return 0;
  const streamed = first == null ? 0 : duration - first;
  return streamed >= LEAST_TIME ? streamed : duration >= LEAST_TIME ? duration : 0;
}

/**
 * Tokens a second of one call; null where it was too short to tell.
 * @param {CallFacts} body
 */
export function speedOf(body) {
  const time = speaking(body);
  return time ? received(body.usage) / time : null;
}

/**
 * The same of several.
 * @param {Sums} sums
 */
export function meanSpeed({ speed }) {
  return speed.seconds ? speed.tokens / speed.seconds : null;
}

/**
 * What a call's model is called in a table: the one that answered, but its own name where that is only a version of it.
 * @param {CallFacts} callFacts
 */
export function modelName({ model = "", answered_by: answered }) {
  const asked = bare(model);
  if (!answered || hasPrefix(asked) || begins(asked, bare(answered))) return asked || "unknown";
  return bare(answered);
}

/**
 * Whether a name begins with a provider's prefix, such as "llama/". Servers of such providers may call a model otherwise
 * than we do: here its name is the one that was asked for.
 * @param {string} asked
 */
function hasPrefix(asked) {
  return asked.includes("/");
}

/**
 * The names that a call's price is looked up by, in order, as Python's `priced_names` has them.
 * @param {CallFacts} callFacts
 */
export function pricedNames({ model = "", answered_by: answered }) {
  if (!answered) return [model];
  return hasPrefix(bare(model)) ? [model, answered] : [answered, model];
}

/**
 * The tries of a call that failed, in order.
 * @param {Usage} usage
 * @param {{ invocation_id: string; call: number }} body
 */
export function retriesOf(usage, body) {
  return usage.retries.get(callKey(body)) ?? [];
}

/**
 * Tokens of sums: {input, output, thoughts, cached}; `output` without the thoughts.
 * @param {Pick<Sums, "parts">} sums
 */
export function tokensOf({ parts }) {
  const tokens = { input: 0, output: 0, thoughts: 0, cached: 0 };
  for (const part of parts.values()) {
    tokens.input += part.input;
    tokens.output += part.output;
    tokens.thoughts += part.thoughts;
    tokens.cached += part.cached;
  }
  return tokens;
}

/**
 * Google searches of sums.
 * @param {Pick<Sums, "parts">} sums
 */
export function searchesOf({ parts }) {
  return [...parts.values()].reduce((count, part) => count + part.searches, 0);
}

/**
 * What sums cost.
 * @param {Pick<Sums, "parts">} sums
 * @param {PriceRow[]} prices
 * @returns {Cost} `known`: US dollars of what has a price;
 *   `priced`: whether anything has; `unpriced`: models with tokens and no price, and Google searches without a fee;
 *   `silent`: calls that told no tokens, of models that may have cost something.
 */
export function costOfSums({ parts }, prices) {
  const found = { known: 0, priced: false, unpriced: new Set(), silent: 0 };
  for (const part of parts.values()) {
    const price = firstPrice(part.names, prices);
    if (!price || price.input || price.output) found.silent += part.silent;
    if (!part.input && !part.output && !part.thoughts && !part.searches) continue;
    const name = bare(part.names[0]);
    if (!price) found.unpriced.add(name);
    else {
      const fee = searchFee(part, price);
      Object.assign(found, { known: found.known + cost(part, price) + (fee ?? 0), priced: true });
      if (fee == null) found.unpriced.add(`Google searches of ${name}`);
    }
  }
  return { ...found, unpriced: [...found.unpriced] };
}

/**
 * What one call cost, in the same form.
 * @param {CallFacts} body
 * @param {PriceRow[]} prices
 */
export function costOfCall(body, prices) {
  const parts = new Map();
  addUse(parts, body, { key: "", prices: pricedNames(body) });
  return costOfSums({ parts }, prices);
}
