/**
 * The log folded into what it means: state with its writers, runs, who is at work, where each loop stands.
 * Everything here is a function of a prefix of the log. Knows nothing of the page, the socket or the wording.
 */

import { clearWork, emptyActivity, foldActivity } from "./activity.js";
import { isReference, PLAYBOOK } from "./playbook.js";
import { foldRuns } from "./run_list.js";
import { emptyUsage, foldUsage } from "./usage.js";

/** So many entries are folded in a few milliseconds. */
export const SNAPSHOT_EVERY = 2048;
const NOTHING = [];

/** An empty log; `append` fills it. */
export function emptyLog() {
  return {
    entries: [],
    places: new Map(), // seq -> place in entries
    ordinals: new Map(), // seq -> 1-based number among the events
    lastSeq: 0,
    events: 0,
    runs: [],
    state: new Map(),
    activity: emptyActivity(),
    usage: emptyUsage(),
    writing: [], // the entries that write to state
    playbook: false, // whether anything in it has to do with a playbook
    snapshots: [], // copies of the activity, one every so many entries
  };
}

/** Adds entries in order and returns those that were new: an entry seen before changes nothing. */
export function append(log, entries) {
  const added = [];
  for (const entry of entries) {
    if (!(entry.seq > log.lastSeq)) continue;
    log.places.set(entry.seq, log.entries.length);
    log.entries.push(entry);
    log.lastSeq = entry.seq;
    if (entry.kind === "event") log.ordinals.set(entry.seq, ++log.events);
    const written = writes(entry);
    if (written.length) log.writing.push(entry);
    log.playbook ||= entry.kind === "playbook_given" || written.some(([key]) => key === PLAYBOOK);
    foldState(log.state, entry, written);
    foldActivity(log.activity, entry);
    if (log.entries.length % SNAPSHOT_EVERY === 0) log.snapshots.push(structuredClone(log.activity));
    foldRuns(log.runs, entry);
    foldUsage(log.usage, entry);
    added.push(entry);
  }
  return added;
}

export function entryAt(log, seq) {
  const place = log.places.get(seq);
  return place === undefined ? null : log.entries[place];
}

/** The number of the event that is `seq`, or of the last one before it; of the last of all for null. */
export function ordinalAt(log, seq) {
  if (seq == null) return log.events;
  for (let i = log.places.get(seq) ?? -1; i >= 0; i--) {
    const n = log.ordinals.get(log.entries[i].seq);
    if (n) return n;
  }
  return 0;
}

/** What an entry writes to state, as [key, value] pairs. */
export function writes(entry) {
  const { kind, body } = entry;
  const delta =
    kind === "event" ? body.actions?.state_delta : kind === "session_created" ? body.state : kind === "run_started" ? body.shared : null;
  return delta ? Object.entries(delta).filter(([key]) => !key.startsWith("temp:")) : NOTHING;
}

function foldState(state, entry, written = writes(entry)) {
  for (const [key, value] of written) {
    const held = state.get(key);
    // A run repeats what it saw of the shared scopes: only a difference means that another session wrote it.
    if (entry.kind === "run_started" && held && sameShared(held.value, value)) continue;
    state.set(key, { value, seq: entry.seq, author: entry.kind === "event" ? entry.body.author : "", kind: entry.kind });
  }
}

/** Of a playbook the start of a run notes the revision, where the event that made it has the whole commit. */
function sameShared(a, b) {
  return isReference(a) && isReference(b) ? a.playbook === b.playbook && a.revision === b.revision : sameJson(a, b);
}

export function sameJson(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/**
 * State after the entry `seq` (null: after the last one), and what that entry changed.
 * @returns {{state: Map, changes: Array<{key, before, after, had, same}>}}
 */
export function stateAt(log, seq) {
  if (seq == null) return { state: log.state, changes: [] };
  const state = new Map();
  let changes = [];
  for (const entry of log.writing) {
    if (entry.seq > seq) break;
    if (entry.seq === seq && entry.kind === "event") {
      changes = writes(entry).map(([key, after]) => {
        const held = state.get(key);
        return { key, before: held?.value, after, had: held !== undefined, same: held !== undefined && sameJson(held.value, after) };
      });
    }
    foldState(state, entry);
  }
  return { state, changes };
}

/** State keys by scope, sorted: `[{scope: "session" | "user" | "app", items: [{key, name, ...held}]}]`. */
export function byScope(state) {
  const groups = { session: [], user: [], app: [] };
  for (const [key, held] of state) {
    const scope = key.startsWith("user:") ? "user" : key.startsWith("app:") ? "app" : "session";
    groups[scope].push({ key, name: scope === "session" ? key : key.slice(scope.length + 1), ...held });
  }
  return Object.entries(groups).map(([scope, items]) => ({ scope, items: items.sort((a, b) => (a.name < b.name ? -1 : 1)) }));
}

/** The activity after the entry `seq`; null gives the latest. */
export function activityAt(log, seq) {
  if (seq == null) return log.activity;
  const known = Math.floor(((log.places.get(seq) ?? -1) + 1) / SNAPSHOT_EVERY);
  const activity = known ? structuredClone(log.snapshots[known - 1]) : emptyActivity();
  for (let i = known * SNAPSHOT_EVERY; i < log.entries.length && log.entries[i].seq <= seq; i++) foldActivity(activity, log.entries[i]);
  return activity;
}

/** A run ended and the log could not be told: it is not running, whatever the log says, until the log has its end. */
export function loseRun(log, invocation) {
  const run = log.runs.at(-1);
  if (run?.status !== "running" || run.invocation !== invocation) return;
  Object.assign(run, { status: "interrupted", lost: true });
  clearWork(log.activity);
}

/** "idle" before the first run, else the last run's status: running, paused, completed, stopped, failed, interrupted. */
export function runStatus(log) {
  return log.runs.at(-1)?.status ?? "idle";
}

/** The run that an entry belongs to, or null. */
export function runOf(log, entry) {
  const invocation = entry?.body.invocation_id;
  return log.runs.findLast((run) => run.invocation === invocation) ?? null;
}
