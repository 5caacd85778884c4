// @ts-check
/**
 * A moment of a session: who runs in which pass, which model calls go on, the playbook, what was spent. A fold over the log;
 * `agents.history.Timeline` says the same in Python. State is in `state.js`.
 */

import { isReference, PLAYBOOK } from "../references.js";

/** @import { Json } from "../../../../browser/js/types.d.ts" */
/** @import { Entry } from "../entries.d.ts" */
/** @import { CallEntries, Moment } from "../folds.d.ts" */

/** @returns {Moment} */
export function emptyMoment() {
  return { running: [], calls: new Map(), playbook: null, spent: { calls: 0, input: 0, output: 0 } };
}

/**
 * Takes in the next entry.
 * @param {Moment} moment
 * @param {Entry} entry
 * @param {[string, Json][]} written what it writes to state
 */
export function foldMoment(moment, entry, written) {
  const { kind, body } = entry;
  if (kind === "agent_started" || kind === "agent_finished" || kind === "loop_iteration") foldAgent(moment, entry);
  else if (kind === "model_started" || kind === "model_finished") foldCall(moment, entry);
  else if (kind === "event" && body.stop_reason != null) {
    const call = callOf(moment, entry);
    if (call && call.answer === null) call.answer = entry.seq;
  } else if (kind === "run_finished") { // a killed process leaves agents open
    moment.running = [];
    moment.calls.clear();
  }
  for (const [key, value] of written) {
    if (key === PLAYBOOK && isReference(value)) moment.playbook = { playbook: value.playbook, revision: value.revision };
  }
}

/**
 * @param {Moment} moment
 * @param {Entry} entry
 */
function foldAgent({ running }, { kind, seq, body }) {
  const branch = body.branch ?? null;
  if (kind === "agent_started") return void running.push({ agent: body.agent, branch, since: seq, iteration: 0 });
  const at = running.findLastIndex((one) => one.agent === body.agent && one.branch === branch);
  if (at < 0) return;
  if (kind === "loop_iteration") running[at].iteration = body.iteration;
  else running.splice(at, 1);
}

/**
 * @param {Moment} moment
 * @param {Entry} entry
 */
function foldCall(moment, entry) {
  const { kind, seq, body } = entry;
  const { spent } = moment;
  if (kind === "model_started") {
    const begun = { agent: body.agent, branch: body.branch ?? null, started: seq, finished: null, answer: null };
    moment.calls.set(placeOf(entry), begun);
    spent.calls += 1;
  } else if (kind === "model_finished") {
    const call = callOf(moment, entry);
    if (call && call.finished === null) call.finished = seq;
    const { input = 0, output = 0, thoughts = 0 } = body.usage ?? {};
    spent.input += input;
    spent.output += output + thoughts;
  }
}

/**
 * The model call that an entry belongs to, as far as it had come: the last one of its agent in its run.
 * @param {Moment} moment after the entry
 * @param {Entry} entry
 * @returns {CallEntries | null}
 */
export function callOf({ calls }, entry) {
  return calls.get(placeOf(entry)) ?? null;
}

/**
 * Where an entry's agent runs, as one text.
 * @param {Entry} entry
 */
function placeOf({ kind, body }) {
  const agent = kind === "event" ? body.author : body.agent ?? "";
  return body.branch ? `${agent}\n${body.branch}` : agent;
}
