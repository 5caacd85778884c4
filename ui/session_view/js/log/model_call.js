// @ts-check
/** The model call that an event came from. */

/** @import { Entry, EventEntry, RecordEntry } from "./entries.d.ts" */
/** @import { Log } from "./folds.d.ts" */

/**
 * The model call that produced an event: the latest one by its author that finished before it, in the same run.
 * @param {Log} log
 * @param {EventEntry} entry
 */
export function modelCallOf(log, entry) {
  const { invocation_id: invocation, author, branch } = entry.body;
  const place = log.places.get(entry.seq) ?? 0;
  for (let i = place + 1, step = 0; i < log.entries.length && step < 6; i++, step++) {
    // Some runtimes record the call's end right after the event it gave.
    const next = log.entries[i];
    if (next.kind === "event" || next.kind === "agent_finished" || next.kind === "model_started") break;
    if (isCall(next, invocation, author, branch)) return next.body;
  }
  for (let i = place - 1; i >= 0; i--) {
    const before = log.entries[i];
    if (before.body.invocation_id !== invocation) break;
    if (before.kind === "event" && before.body.author === author && before.body.branch === branch) break;
    if (isCall(before, invocation, author, branch)) return before.body;
  }
  return null;
}

/**
 * @param {Entry} entry
 * @param {string} invocation
 * @param {string} agent
 * @param {string | null | undefined} branch
 * @returns {entry is RecordEntry<"model_finished">}
 */
function isCall(entry, invocation, agent, branch) {
  const { kind, body } = entry;
  return kind === "model_finished" && body.invocation_id === invocation && body.agent === agent &&
    (body.branch ?? "") === (branch ?? "");
}
