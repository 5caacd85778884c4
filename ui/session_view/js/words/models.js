// @ts-check
/** What the records about models read as: tries, loading, drift, how tools are offered. */

import { wordsOf } from "../log/origin.js";
import { duration, fileSize, listing } from "./format.js";
import { said } from "./vocabulary.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { ModelRetry } from "../log/entries.d.ts" */
/** @import { Retrying } from "../log/folds.d.ts" */
/**
 * @typedef {object} Loading
 * @property {string} model
 * @property {number | null} [seconds] once it is loaded
 * @property {number | null} [bytes]
 * @property {number | null} [progress] from 0 to 1
 * @property {boolean} [over] nobody waits for it any more
 */

/**
 * A try of a model call that failed, and when the next one is made.
 * @param {Pick<ModelRetry, "model" | "attempt" | "delay" | "code" | "replayed">} body
 */
export function retryWords({ model, attempt, delay, code, replayed }) {
  const name = replayed ? "replayed" : delay > 0 ? "later" : "now";
  const next = (attempt ?? 1) + 1;
  return said("model_retry", name, { model: model ?? "called", code: codeIn(code), next, delay: duration(delay) });
}

/**
 * The same while it is waited for; `now` in seconds since the epoch.
 * @param {Retrying} tried
 * @param {number} now
 */
export function tryingWords({ agent, model, attempt, delay, code, at }, now) {
  const left = Math.min(delay ?? 0, (at ?? 0) + (delay ?? 0) - now);
  const next = `try ${(attempt ?? 1) + 1}`;
  return left > 0
    ? `${agent}: ${model} failed${codeIn(code)}, ${next} in ${Math.ceil(left)} s`
    : `${agent}: ${next} of ${model}`;
}

/** @param {string | undefined} code */
function codeIn(code) {
  return code ? ` (${codeWords(code)})` : "";
}

/**
 * An error's code inside a sentence: "503", "connection cut".
 * @param {string} code
 */
export function codeWords(code) {
  return /^[A-Z][A-Z_]*$/.test(code) ? code.toLowerCase().replaceAll("_", " ") : String(code);
}

/**
 * A model call that somebody stopped.
 * @param {{ first_token?: number | null; duration?: number }} body
 */
export function stoppedWords({ first_token: first, duration: seconds }) {
  return `was stopped ${first == null ? "before its first word" : "in the middle of its answer"}${
    seconds == null ? "" : `, after ${duration(seconds)}`
  }`;
}

/**
 * What a replayed model is asked now, and was not when it was recorded.
 * @param {{ drifted?: Json }} body
 */
export function driftWords({ drifted }) {
  const words = wordsOf(drifted);
  return said("replay_drifted", words.length ? "some" : "unknown", { drifted: listing(words) });
}

/**
 * How tools are offered to a model.
 * @param {{ protocol: string }} body
 */
export function protocolWords({ protocol }) {
  return said("tool_protocol", protocol === "json" || protocol === "native" ? protocol : "other", { protocol });
}

/**
 * A model that is loaded into this process; `progress` from 0 to 1.
 * @param {Loading} loading
 */
export function loadingWords({ model, seconds, bytes, progress, over }) {
  const size = fileSize(bytes);
  if (seconds != null) {
    return [said("model_loaded", "timed", { model, took: duration(seconds) }), size].filter(Boolean).join(", ");
  }
  if (over) return `The model ${model} was not loaded`;
  const far = [size, progress != null && progress > 0 && `${Math.round(progress * 100)} %`].filter(Boolean).join(", ");
  return said("model_loading", far ? "known" : "unknown", { model, far });
}
