// @ts-check
/** The facts of a trace record, and of a model call. */

import { h } from "../../../../browser/js/elements.js";
import { retriesOf } from "../../log/folds/usage.js";
import { bare } from "../../log/prices.js";
import { drawSettingsLink } from "../../parts/errors.js";
import { clock, duration, pretty } from "../../words/format.js";
import { codeWords } from "../../words/models.js";
import { callWords } from "../../words/usage.js";
import { facts, section } from "../facts.js";
import { isNested } from "../../../../browser/js/json.js";

/** @import { Json } from "../../../../browser/js/types.d.ts" */
/** @import { Entry, EventBody, ModelFinished, UsageMetadata } from "../../log/entries.d.ts" */
/** @import { Fact } from "../facts.js" */
/** @import { Look } from "../types.d.ts" */

/**
 * @param {Entry} entry
 * @param {Look} view
 */
export function drawRecord({ kind, seq, body }, view) {
  const { invocation_id: invocation, agent, branch, timestamp, ...rest } = body;
  /** @type {Fact[]} */
  const simple = Object.entries(rest).map(([key, value]) => [key.replaceAll("_", " "), factText(key, value)]);
  return [
    h("p.where", {}, h("b", {}, kind.replaceAll("_", " ")), agent && `, ${agent}`),
    facts([
      ...simple,
      ["time", clock(timestamp, true)],
      ["branch", branch],
      ["invocation", invocation, true],
      ["seq", String(seq), true],
    ]),
    kind === "model_finished" && section("Model call", drawCall(body, {}, view)),
  ];
}

/**
 * @param {string} key
 * @param {Json} value
 */
function factText(key, value) {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(", ");
  if (isNested(value)) return pretty(value);
  return SECONDS.has(key) && typeof value === "number" ? duration(value) : String(value ?? "none");
}

/**
 * The call of a model that an event came from: which model, what it used, how long it took.
 * @param {ModelFinished} call
 * @param {Pick<EventBody, "usage_metadata" | "model_version">} body
 * @param {Pick<Look, "log" | "prices">} look
 */
export function drawCall(call, body, { log, prices }) {
  const words = callWords(withUsage(call, body.usage_metadata), retriesOf(log.usage, call), prices);
  const asked = call.model ?? "";
  const answered = call.answered_by ?? body.model_version;
  return facts([
    ["model", asked || answered],
    ["answered by", answered && asked && bare(answered) !== bare(asked) && answered],
    ["tokens", words.tokens],
    ["Google searches", words.searches],
    ["cost", drawCost(words, answered ?? asked)],
    ["first word", words.first && `after ${words.first}`],
    ["duration", words.took],
    ["speed", words.speed],
    ["tries", words.tries],
    [
      "ended",
      call.error === "cancelled"
        ? "stopped"
        : call.error && `with an error${call.error_code ? ` (${codeWords(call.error_code)})` : ""}`,
    ],
  ]);
}

/**
 * @param {{ cost: string; unpriced: string }} words
 * @param {string} model
 */
function drawCost({ cost, unpriced }, model) {
  if (!unpriced) return cost;
  const missing = cost === "no price" ? `no price for ${model}. ` : `${cost}. ${unpriced} `;
  return [missing, drawSettingsLink("Set one", "prices")];
}

/**
 * A call that tells no tokens, where its event does.
 * @param {ModelFinished} call
 * @param {UsageMetadata | undefined} usage
 */
function withUsage(call, usage) {
  if (!usage || call.usage?.input || call.usage?.output) return call;
  const {
    prompt_token_count: input = 0,
    candidates_token_count: output = 0,
    thoughts_token_count: thoughts = 0,
    cached_content_token_count: cached = 0,
  } = usage;
  return { ...call, usage: { input, output, thoughts, cached } };
}

const SECONDS = new Set(["duration", "delay", "seconds", "first_token"]);
