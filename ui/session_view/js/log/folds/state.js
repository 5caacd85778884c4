// @ts-check
/** Session state as a fold over the log: each key's value, who wrote it, and what an entry changed. */

import { sameJson } from "../../../../browser/js/json.js";
import { placeUpTo } from "../places.js";
import { isReference } from "../references.js";

/** @import { Json } from "../../../../browser/js/types.d.ts" */
/** @import { Entry, EventEntry } from "../entries.d.ts" */
/** @import { Held, Log, State, StateChange, StateHistory } from "../folds.d.ts" */
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
 * Notes what an entry has just set in `state`, so that any moment can be looked up.
 * @param {StateHistory} history
 * @param {State} state
 * @param {number} seq
 * @param {[string, Json][]} written
 */
export function foldHistory(history, state, seq, written) {
  for (const [key] of written) {
    const held = state.get(key);
    if (held?.seq !== seq) continue;
    const values = history.get(key);
    if (values) values.push(held);
    else history.set(key, [held]);
  }
}

/**
 * State after the entry `seq` (null: after the last one), and what that entry changed.
 * @param {Pick<Log, "state" | "history" | "entries" | "places">} log
 * @param {number | null} seq
 * @returns {{ state: State; changes: StateChange[] }}
 */
export function stateAt(log, seq) {
  if (seq == null) return { state: log.state, changes: [] };
  /** @type {State} */
  const state = new Map();
  for (const [key, values] of log.history) {
    const held = heldAt(values, seq);
    if (held) state.set(key, held);
  }
  const entry = log.entries[log.places.get(seq) ?? -1];
  return { state, changes: entry?.kind === "event" ? changesOf(log, entry) : [] };
}

/**
 * What an event wrote, the same value again included.
 * @param {Pick<Log, "history">} log
 * @param {EventEntry} entry
 * @returns {StateChange[]}
 */
function changesOf({ history }, entry) {
  return writes(entry).map(([key, after]) => {
    const held = heldAt(history.get(key) ?? [], entry.seq - 1);
    return {
      key,
      before: held?.value,
      after,
      had: held !== undefined,
      same: held !== undefined && sameJson(held.value, after),
    };
  });
}

/**
 * What differs between the moments after two entries, the earlier one first.
 * @param {Pick<Log, "history">} log
 * @param {number} from
 * @param {number} to
 * @returns {StateChange[]}
 */
export function changesBetween({ history }, from, to) {
  const [first, last] = from <= to ? [from, to] : [to, from];
  return [...history].flatMap(([key, values]) => {
    const before = heldAt(values, first);
    const after = heldAt(values, last);
    if (!after || after === before || (before && sameShared(before.value, after.value))) return [];
    return [{ key, before: before?.value, after: after.value, had: before !== undefined, same: false }];
  });
}

/**
 * `seq` of the last entry before the first event: the moment that a session starts from.
 * @param {Pick<Log, "entries" | "eventPlaces">} log
 */
export function startSeq({ entries, eventPlaces }) {
  return entries[(eventPlaces[0] ?? entries.length) - 1]?.seq ?? 0;
}

/**
 * The last of a key's values that was set up to an entry.
 * @param {Held[]} values
 * @param {number} seq
 */
function heldAt(values, seq) {
  return values[placeUpTo(values, seq, (held) => held.seq)];
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
