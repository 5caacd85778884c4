// @ts-check
/**
 * The moments of a log: who runs in which pass, which model call goes on, what was spent, at any entry. A fold over the log
 * that can be asked for each of its prefixes; `agents.experiments.Timeline` says the same in Python.
 */

import { isReference, PLAYBOOK } from "../playbook/commits.js";
import { placeUpTo } from "../rows/places.js";

/** @import { Entry, Json } from "./entries.d.ts" */
/** @import { CallEntries, Interval, Moment, Timeline } from "./folds.d.ts" */

/** @returns {Timeline} */
export function emptyTimeline() {
  return { intervals: [], open: new Map(), calls: [], latest: new Map(), callOf: [], spent: [], playbooks: [] };
}

/**
 * Takes in the next entry.
 * @param {Timeline} timeline
 * @param {Entry} entry
 * @param {[string, Json][]} written what it writes to state
 */
export function foldTimeline(timeline, entry, written) {
  const place = placeOf(entry);
  takeEntry(timeline, entry, place);
  for (const [key, value] of written) {
    if (key !== PLAYBOOK || !isReference(value)) continue;
    timeline.playbooks.push({ seq: entry.seq, playbook: value.playbook, revision: value.revision });
  }
  const last = timeline.spent.at(-1) ?? { calls: 0, input: 0, output: 0 };
  timeline.spent.push(spentAfter(last, entry));
  timeline.callOf.push(timeline.latest.get(place) ?? null);
}

/**
 * @param {Timeline} timeline
 * @param {Entry} entry
 * @param {string} place
 */
function takeEntry(timeline, { kind, seq, body }, place) {
  const { intervals, open, calls, latest } = timeline;
  const call = calls[latest.get(place) ?? -1];
  switch (kind) {
    case "event":
      if (call && call.answer === null && body.stop_reason != null) call.answer = seq;
      break;
    case "agent_started": {
      const interval = { agent: body.agent, branch: body.branch ?? null, since: seq, end: null, passes: [] };
      intervals.push(interval);
      open.set(place, [...open.get(place) ?? [], interval]);
      break;
    }
    case "agent_finished":
      close(open.get(place)?.pop(), seq);
      break;
    case "loop_iteration":
      open.get(place)?.at(-1)?.passes.push({ seq, iteration: body.iteration });
      break;
    case "model_started":
      latest.set(place, calls.length);
      calls.push({ agent: body.agent, branch: body.branch ?? null, started: seq, finished: null, answer: null });
      break;
    case "model_finished":
      if (call && call.finished === null) call.finished = seq;
      break;
    case "run_finished": // a killed process leaves agents open
      for (const runs of open.values()) for (const run of runs.splice(0)) close(run, seq);
      latest.clear();
  }
}

/**
 * @param {Interval | undefined} interval
 * @param {number} seq
 */
function close(interval, seq) {
  if (interval) interval.end = seq;
}

/**
 * @param {Moment["spent"]} last
 * @param {Entry} entry
 */
function spentAfter(last, { kind, body }) {
  if (kind === "model_started") return { ...last, calls: last.calls + 1 };
  if (kind !== "model_finished") return last;
  const { input = 0, output = 0, thoughts = 0 } = body.usage ?? {};
  return { ...last, input: last.input + input, output: last.output + output + thoughts };
}

/**
 * The moment after the entry at a place of the log; null before the first.
 * @param {{ timeline: Timeline; entries: Entry[] }} log
 * @param {number} place
 * @returns {Moment | null}
 */
export function momentAt({ timeline, entries }, place) {
  const seq = entries[place]?.seq;
  if (seq === undefined) return null;
  const { intervals, calls, callOf, spent, playbooks } = timeline;
  const running = intervals.filter(({ since, end }) => since <= seq && (end === null || end > seq)).map((interval) => ({
    agent: interval.agent,
    branch: interval.branch,
    since: interval.since,
    iteration: interval.passes[placeUpTo(interval.passes, seq, (pass) => pass.seq)]?.iteration ?? 0,
  }));
  const read = playbooks[placeUpTo(playbooks, seq, (one) => one.seq)];
  return {
    seq,
    running,
    call: callUpTo(calls[callOf[place] ?? -1], seq),
    playbook: read ? { playbook: read.playbook, revision: read.revision } : null,
    spent: spent[place],
  };
}

/**
 * A model call as far as it had come.
 * @param {CallEntries | undefined} call
 * @param {number} seq
 * @returns {CallEntries | null}
 */
function callUpTo(call, seq) {
  if (!call) return null;
  const { finished, answer } = call;
  return {
    ...call,
    finished: finished !== null && finished <= seq ? finished : null,
    answer: answer !== null && answer <= seq ? answer : null,
  };
}

/**
 * Where an entry's agent runs, as one text.
 * @param {Entry} entry
 */
function placeOf({ kind, body }) {
  return `${kind === "event" ? body.author : body.agent ?? ""}\n${body.branch ?? ""}`;
}
