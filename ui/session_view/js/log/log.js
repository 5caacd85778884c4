// @ts-check
/**
 * The log folded into what it means: state, runs, who is at work, what was used. Each is a function of a prefix of the log.
 */

import { clearWork, emptyActivity, foldActivity } from "./folds/activity.js";
import { emptyMoment, foldMoment } from "./folds/moment.js";
import { foldRuns } from "./folds/runs.js";
import { foldSpans } from "./folds/spans.js";
import { foldHistory, foldState, writes } from "./folds/state.js";
import { emptyStops, foldStops } from "./folds/stops.js";
import { emptyUsage, foldUsage } from "./folds/usage.js";

import { PLAYBOOK } from "./references.js";

/** @import { Entry, EventBody } from "./entries.d.ts" */
/** @import { Log, Moment, Run, Usage } from "./folds.d.ts" */

/** So many entries are folded in a few milliseconds. */
export const SNAPSHOT_EVERY = 2048;

/**
 * An empty log; `append` fills it.
 * @returns {Log}
 */
export function emptyLog() {
  return {
    entries: [],
    places: new Map(),
    ordinals: new Map(),
    eventPlaces: [],
    lastSeq: 0,
    events: 0,
    runs: [],
    state: new Map(),
    history: new Map(),
    activity: emptyActivity(),
    moment: emptyMoment(),
    usage: emptyUsage(),
    writing: [],
    playbook: false,
    stops: emptyStops(),
    snapshots: [],
  };
}

/**
 * Adds entries in order and returns those that were new: an entry seen before changes nothing.
 * @param {Log} log
 * @param {Entry[]} entries
 * @returns {Entry[]}
 */
export function append(log, entries) {
  const added = [];
  for (const entry of entries) {
    if (!(entry.seq > log.lastSeq)) continue;
    if (entry.kind === "event") nameNode(entry.body);
    if (entry.kind === "event") log.eventPlaces.push(log.entries.length);
    log.places.set(entry.seq, log.entries.length);
    log.entries.push(entry);
    log.lastSeq = entry.seq;
    if (entry.kind === "event") log.ordinals.set(entry.seq, ++log.events);
    const written = writes(entry);
    if (written.length) log.writing.push(entry);
    log.playbook ||= entry.kind === "playbook_given" || written.some(([key]) => key === PLAYBOOK);
    foldState(log.state, entry, written);
    foldHistory(log.history, log.state, entry.seq, written);
    foldActivity(log.activity, entry);
    foldMoment(log.moment, entry, written);
    foldStops(log.stops, entry, log.events);
    foldRuns(log.runs, entry);
    foldUsage(log.usage, entry);
    const run = log.runs.at(-1);
    if (run && run.invocation === entry.body.invocation_id) foldSpans(run.spans, entry);
    if (log.entries.length % SNAPSHOT_EVERY === 0) {
      log.snapshots.push(structuredClone({ activity: log.activity, usage: log.usage, moment: log.moment }));
    }
    added.push(entry);
  }
  return added;
}

/**
 * Names the node of a graph as the author of its event: the log has the graph there, as ADK does.
 * @param {EventBody} body
 */
function nameNode(body) {
  const [name, graph] = (body.node_info?.path ?? "").split("/").reverse().map((run) => run.replace(/@[^@]*$/, ""));
  if (graph && body.author === graph) body.author = name;
}

/**
 * @param {Log} log
 * @param {number | null} seq
 * @returns {Entry | null}
 */
export function entryAt(log, seq) {
  const place = seq == null ? undefined : log.places.get(seq);
  return place === undefined ? null : log.entries[place];
}

/**
 * The number of the event that is `seq`, or of the last one before it; of the last of all for null.
 * @param {Log} log
 * @param {number | null} seq
 */
export function ordinalAt(log, seq) {
  if (seq == null) return log.events;
  for (let i = log.places.get(seq) ?? -1; i >= 0; i--) {
    const n = log.ordinals.get(log.entries[i].seq);
    if (n) return n;
  }
  return 0;
}

/**
 * The activity after the entry `seq`; null gives the latest.
 * @param {Log} log
 * @param {number | null} seq
 */
export function activityAt(log, seq) {
  if (seq == null) return log.activity;
  return foldedTo(log, seq, log.snapshots[knownBefore(log, seq)]?.activity ?? emptyActivity(), foldActivity);
}

/**
 * What model calls had used after the entry `seq`; null gives the latest.
 * @param {Log} log
 * @param {number | null} seq
 * @returns {Usage}
 */
export function usageAt(log, seq) {
  if (seq == null) return log.usage;
  return foldedTo(log, seq, log.snapshots[knownBefore(log, seq)]?.usage ?? emptyUsage(), foldUsage);
}

/**
 * Who runs, which calls go on and what was spent after the entry `seq`; null gives the latest.
 * @param {Log} log
 * @param {number | null} seq
 * @returns {Moment}
 */
export function momentAt(log, seq) {
  if (seq == null) return log.moment;
  const known = log.snapshots[knownBefore(log, seq)]?.moment ?? emptyMoment();
  return foldedTo(log, seq, known, (moment, entry) => foldMoment(moment, entry, writes(entry)));
}

/**
 * Index of the last snapshot up to an entry; -1 for none.
 * @param {Log} log
 * @param {number} seq
 */
function knownBefore(log, seq) {
  return Math.floor(((log.places.get(seq) ?? -1) + 1) / SNAPSHOT_EVERY) - 1;
}

/**
 * A snapshot, or an empty value, with the entries after it up to one folded into a copy of it.
 * @template Value
 * @param {Log} log
 * @param {number} seq
 * @param {Value} known
 * @param {(value: Value, entry: Entry) => void} fold
 */
function foldedTo(log, seq, known, fold) {
  const value = structuredClone(known);
  for (let i = (knownBefore(log, seq) + 1) * SNAPSHOT_EVERY; i < log.entries.length && log.entries[i].seq <= seq; i++) {
    fold(value, log.entries[i]);
  }
  return value;
}

/**
 * A run ended and the log could not be told: it is not running, whatever the log says, until the log has its end.
 * @param {Log} log
 * @param {string} invocation
 */
export function loseRun(log, invocation) {
  const run = log.runs.at(-1);
  if (run?.status !== "running" || run.invocation !== invocation) return;
  Object.assign(run, { status: "interrupted", lost: true });
  clearWork(log.activity);
}

/**
 * "idle" before the first run, else the last run's status: running, paused, completed, stopped, failed, interrupted.
 * @param {Log} log
 */
export function runStatus(log) {
  return log.runs.at(-1)?.status ?? "idle";
}

/**
 * The run that an entry belongs to, or null.
 * @param {Log} log
 * @param {{ body: { invocation_id: string } } | null} entry
 * @returns {Run | null}
 */
export function runOf(log, entry) {
  const invocation = entry?.body.invocation_id;
  return log.runs.findLast((run) => run.invocation === invocation) ?? null;
}
