// @ts-check
/**
 * What a run came to: the texts that count as its result, what it saved, how its agents got there. Grows with the run's
 * entries; agents at work as tools are left out, since whoever called them says what came of it.
 */

import { parentOf, toolBranches } from "../log/branches.js";
import { hasError } from "../log/failures.js";
import { isAnswer } from "../log/folds/verdicts.js";
import { isReference, PLAYBOOK } from "../log/references.js";
import { commitIn } from "../playbook/commits.js";
import { outputOf } from "../playbook/outputs.js";
import { stateImage } from "../words/format.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { Entry, EventEntry, Part } from "../log/entries.d.ts" */
/** @import { TreeIndex } from "../log/folds.d.ts" */
/** @import { Book, Ended, Outcome, Output } from "./types.d.ts" */

const MOST_SHARED = 8;

/** @returns {Outcome} */
export function emptyOutcome() {
  return {
    texts: new Map(),
    keyed: new Map(),
    read: new Map(),
    writers: new Map(),
    saved: new Map(),
    pictures: new Map(),
    files: {},
    answer: null,
    given: null,
    ended: null,
    pass: 0,
    spoke: new Map(),
    lanes: new Set(),
    route: null,
    transfer: null,
    commits: [],
    failed: null,
  };
}

/**
 * Takes in one entry of the run.
 * @param {Book} book
 * @param {Entry} entry
 */
export function foldOutcome({ outcome, ordinal, escalation }, entry) {
  const { kind, body } = entry;
  if (toolBranches(body.branch ?? "").length) return;
  switch (kind) {
    case "event":
      return foldEvent(outcome, entry, ordinal + 1);
    case "model_started":
      outcome.read.set(body.agent, new Set((body.filled ?? []).map(([, , key]) => key)));
      break;
    case "loop_iteration":
      outcome.pass = entry.seq;
      break;
    case "loop_finished":
      outcome.ended = { body, escalation, at: entry.seq };
      break;
    case "route_decided":
      if (body.level !== "model") outcome.route = body;
      break;
    case "transfer":
      outcome.transfer = body;
  }
}

/**
 * @param {Outcome} outcome
 * @param {EventEntry} entry
 * @param {number} ordinal
 */
function foldEvent(outcome, entry, ordinal) {
  const { seq, body } = entry;
  const { author, actions = {} } = body;
  if (author === "user") return;
  const branch = body.branch ?? "";
  if (branch) outcome.lanes.add(author);
  if (hasError(body)) {
    outcome.failed = { author, seq, ordinal };
    return;
  }
  const commit = commitIn(entry);
  if (commit) outcome.commits.push(commit);
  Object.assign(outcome.files, actions.artifact_delta);
  const text = textOf(entry);
  const key = Object.entries(actions.state_delta ?? {}).find(([, value]) => value === text && text !== "")?.[0] ?? null;
  const output = { seq, ordinal, author, branch, text, key, custom_metadata: body.custom_metadata };
  for (const [name, value] of Object.entries(actions.state_delta ?? {})) save(outcome, name, value, output);
  if (key !== null) outcome.keyed.set(key, output);
  if (text) outcome.spoke.set(author, seq);
  if (text && isAnswer(body)) outcome.answer = output;
  const parts = body.content?.parts ?? [];
  if (actions.skip_summarization && !actions.escalate) outcome.given = { ...output, text: "", response: responseIn(parts) };
  if (!text || actions.escalate || parts.some((part) => part.function_call)) return;
  const place = `${branch}/${author}`;
  outcome.texts.delete(place); // so that the latest is the last
  outcome.texts.set(place, output);
}

/** @param {EventEntry} entry */
function textOf({ body }) {
  const output = outputOf(body);
  if (output) return output.text;
  return (body.content?.parts ?? []).filter(({ text, thought }) => text && !thought).map(({ text }) => text).join("");
}

/** @param {Part[]} parts */
function responseIn(parts) {
  return parts.findLast((part) => part.function_response)?.function_response?.response ?? null;
}

/**
 * @param {Outcome} outcome
 * @param {string} key
 * @param {Json} value
 * @param {Output} by
 */
function save(outcome, key, value, by) {
  if (key === PLAYBOOK && isReference(value)) return;
  const writers = outcome.writers.get(key) ?? new Set();
  outcome.writers.set(key, writers.add(by.author));
  outcome.saved.delete(key);
  outcome.pictures.delete(key);
  if (value == null || value === "" || (Array.isArray(value) && !value.length)) return; // set back, not a result
  if (stateImage(value)) outcome.pictures.set(key, { key, value, by });
  else outcome.saved.set(key, { key, value, by });
}

/**
 * The texts that are the run's result, latest last; several of parallel branches that nobody joined.
 * @param {Outcome} outcome
 * @param {TreeIndex} index
 * @returns {Output[]}
 */
export function resultsOf(outcome, index) {
  if (outcome.answer) return [outcome.answer];
  if (learns(outcome)) return [];
  const texts = [...outcome.texts.values()];
  const last = texts.at(-1);
  const revised = outcome.ended && revisedIn(outcome, outcome.ended, index);
  if (revised && !(last && outcome.ended && last.seq > outcome.ended.at)) return [revised];
  if (!last) return outcome.given ? [outcome.given] : [];
  const around = parentOf(last.branch);
  const rest = texts.slice(texts.findLastIndex(({ branch }) => !branch || parentOf(branch) !== around) + 1);
  return last.branch ? rest.slice(-MOST_SHARED) : [last];
}

/**
 * Whether it is a run of the roles around a playbook: what they say besides the answer is about the playbook.
 * @param {Outcome} outcome
 */
export function learns({ answer, commits }) {
  return answer !== null || commits.some(({ by }) => by === "reflector" || by === "curator");
}

/**
 * What the agent that ended a loop was to revise: what it saves under a key that it reads, or that another agent saves
 * under, too. In its last pass it said nothing, and the others only that there is nothing left to do. One that gave its
 * verdict in words has revised nothing.
 * @param {Outcome} outcome
 * @param {Ended} ended
 * @param {TreeIndex} index
 */
function revisedIn(outcome, { body, escalation }, index) {
  const by = body.reason === "escalated" ? body.by ?? escalation?.author : null;
  if (!by || (outcome.spoke.get(by) ?? 0) > outcome.pass) return null;
  const told = index.nodes.get(by)?.node.output_key;
  const key = told || [...outcome.keyed.values()].findLast(({ author }) => author === by)?.key;
  const output = key && outcome.keyed.get(key);
  if (!output) return null;
  const others = [...outcome.writers.get(output.key ?? "") ?? []].some((author) => author !== by);
  return others || outcome.read.get(by)?.has(output.key ?? "") ? output : null;
}
