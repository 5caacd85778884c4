// @ts-check
/** Context windows: how many tokens a model reads at most, where that is known. */

import { modelName } from "../log/folds/usage.js";
import { bare } from "../log/prices.js";

/** @import { Log } from "../log/folds.d.ts" */
/** @import { CallRecord } from "./types.d.ts" */
/** @typedef {[name: string, tokens: number]} WindowRow a model and its window, as providers tell it */

const VERSION = /^(?:-(?:preview|latest|exp))?(?:-\d+)*$/;

/**
 * The context window of the model that a call was answered by, in tokens: what it was loaded with, else what its provider
 * tells. Null where neither is known.
 * @param {Log} log
 * @param {Pick<CallRecord, "started" | "finished">} record
 * @param {WindowRow[]} windows
 */
export function contextWindow(log, { started, finished }, windows) {
  const asked = started.body.model ?? "";
  const name = modelName({ model: asked, answered_by: finished?.body.answered_by });
  return loadedWindow(log, asked, finished?.seq) ?? windows.find(([listed]) => isVersion(listed, name))?.[1] ?? null;
}

/**
 * What a model was last loaded with; a call may load its model itself.
 * @param {Log} log
 * @param {string} model
 * @param {number | undefined} end `seq` of the call's end; it may go on
 */
function loadedWindow({ entries, places }, model, end) {
  for (let i = places.get(end ?? -1) ?? entries.length - 1; i >= 0; i--) {
    const { kind, body } = entries[i];
    if (kind === "model_loaded" && body.model === model && Number(body.n_ctx) > 0) return Number(body.n_ctx);
  }
  return null;
}

/**
 * Whether a name is the listed one or a version of it: other models of a family read less.
 * @param {string} listed
 * @param {string} name
 */
function isVersion(listed, name) {
  return bare(name).startsWith(listed) && VERSION.test(bare(name).slice(listed.length));
}
