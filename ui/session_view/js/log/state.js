// @ts-check
/** Session state as a fold over the log: each key's value, who wrote it, and what an entry changed. */

import { isReference } from "../playbook/commits.js";

/** @import { Entry, Json } from "./entries.d.ts" */
/** @import { Log, State, StateChange } from "./folds.d.ts" */
/** @typedef {"session" | "user" | "app"} Scope */

/** @type {Scope[]} */
const SCOPES = ["session", "user", "app"];
/** @type {[string, Json][]} */
const NOTHING = [];

/**
 * What an entry writes to state, as [key, value] pairs.
 * @param {Entry} entry
 * @returns {[string, Json][]}
 */
export function writes(entry) {
  const { kind, body } = entry;
  const delta = kind === "event"
    ? body.actions?.state_delta
    : kind === "session_created"
    ? body.state
    : kind === "run_started"
    ? body.shared
    : null;
  return delta ? Object.entries(delta).filter(([key]) => !key.startsWith("temp:")) : NOTHING;
}

/**
 * @param {State} state
 * @param {Entry} entry
 * @param {[string, Json][]} written
 */
export function foldState(state, entry, written = writes(entry)) {
  for (const [key, value] of written) {
    const held = state.get(key);
    // A run repeats what it saw of the shared scopes: only a difference means that another session wrote it.
    if (entry.kind === "run_started" && held && sameShared(held.value, value)) continue;
    state.set(key, { value, seq: entry.seq, author: entry.kind === "event" ? entry.body.author : "", kind: entry.kind });
  }
}

/**
 * Of a playbook the start of a run notes the revision, where the event that made it has the whole commit.
 * @param {Json} a
 * @param {Json} b
 */
function sameShared(a, b) {
  return isReference(a) && isReference(b) ? a.playbook === b.playbook && a.revision === b.revision : sameJson(a, b);
}

/**
 * @param {Json} a
 * @param {Json} b
 */
function sameJson(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/**
 * State after the entry `seq` (null: after the last one), and what that entry changed.
 * @param {Log} log
 * @param {number | null} seq
 * @returns {{ state: State; changes: StateChange[] }}
 */
export function stateAt(log, seq) {
  if (seq == null) return { state: log.state, changes: [] };
  const state = new Map();
  /** @type {StateChange[]} */
  let changes = [];
  for (const entry of log.writing) {
    if (entry.seq > seq) break;
    if (entry.seq === seq && entry.kind === "event") {
      changes = writes(entry).map(([key, after]) => {
        const held = state.get(key);
        return {
          key,
          before: held?.value,
          after,
          had: held !== undefined,
          same: held !== undefined && sameJson(held.value, after),
        };
      });
    }
    foldState(state, entry);
  }
  return { state, changes };
}

/**
 * A key's scope, and its name there.
 * @param {string} key
 * @returns {{ scope: Scope; name: string }}
 */
function placeOf(key) {
  const scope = key.startsWith("user:") ? "user" : key.startsWith("app:") ? "app" : "session";
  return { scope, name: scope === "session" ? key : key.slice(scope.length + 1) };
}

/**
 * State keys by scope, those that were written last first: `[{scope, items: [{key, name, ...held}]}]`.
 * @param {State} state
 */
export function byScope(state) {
  const all = [...state].map(([key, held]) => ({ key, ...placeOf(key), ...held }));
  return SCOPES.map((scope) => ({
    scope,
    items: all.filter((item) => item.scope === scope).sort((a, b) => b.seq - a.seq || (a.name < b.name ? -1 : 1)),
  }));
}
