// @ts-check
/** The model calls of a log: which one an entry belongs to, what its record says, and the earlier ones of its agent. */

import { callOf } from "../log/folds/moment.js";
import { entryAt, momentAt } from "../log/log.js";

/** @import { Entry, EventEntry, RecordEntry } from "../log/entries.d.ts" */
/** @import { Log } from "../log/folds.d.ts" */
/** @import { CallRecord } from "./types.d.ts" */

/**
 * The call that an entry belongs to: that of its agent, as the cursor has it. At the end the last one of the log.
 * @param {Log} log
 * @param {Entry | null} selected
 * @returns {CallRecord | null}
 */
export function callAt(log, selected) {
  if (!selected) {
    const last = log.entries.findLast(isStart);
    return last ? recordOf(log, last) : null;
  }
  const found = entryAt(log, callOf(momentAt(log, selected.seq), selected)?.started ?? null);
  return found && isStart(found) ? recordOf(log, found) : null;
}

/**
 * @param {Entry} entry
 * @returns {entry is RecordEntry<"model_started">}
 */
function isStart(entry) {
  return entry.kind === "model_started";
}

/**
 * A call with its end and its answer, wherever they are in the log.
 * @param {Log} log
 * @param {RecordEntry<"model_started">} started
 * @returns {CallRecord}
 */
function recordOf(log, started) {
  const { agent, branch, invocation_id: invocation, call } = started.body;
  /** @type {RecordEntry<"model_finished"> | null} */
  let finished = null;
  /** @type {EventEntry | null} */
  let answer = null;
  for (let i = (log.places.get(started.seq) ?? 0) + 1; i < log.entries.length && !(finished && answer); i++) {
    const entry = log.entries[i];
    const { kind, body } = entry;
    if (body.invocation_id !== invocation) break;
    if (kind === "model_finished" && body.call === call) finished ??= entry;
    if ((body.branch ?? null) !== (branch ?? null)) continue;
    if (kind === "model_started" && body.agent === agent) break;
    if (kind === "event" && body.author === agent && body.stop_reason != null) answer ??= entry;
  }
  return { started, finished, answer };
}

/**
 * The last calls that the same agent made before one, the latest first.
 * @param {Log} log
 * @param {CallRecord} record
 * @param {number} most
 * @returns {CallRecord[]}
 */
export function callsBefore(log, { started }, most) {
  const found = [];
  for (let i = (log.places.get(started.seq) ?? 0) - 1; i >= 0 && found.length < most; i--) {
    const entry = log.entries[i];
    if (isStart(entry) && entry.body.agent === started.body.agent) found.push(recordOf(log, entry));
  }
  return found;
}

/**
 * The names of the texts that a call's record refers to.
 * @param {CallRecord} record
 * @returns {string[]}
 */
export function textsOf({ started: { body }, finished }) {
  const { instruction, contents, config, declarations, schema } = body;
  return [instruction, contents?.text, config, declarations, schema, finished?.body.answer].filter((name) => name != null);
}
