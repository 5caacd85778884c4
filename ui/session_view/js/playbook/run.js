// @ts-check
/** What a run had to do with a playbook, up to an event: what was given, cited, tagged and changed. A fold over the log. */

import { isAnswer, verdictIn } from "../log/folds/verdicts.js";
import { entryAt, runOf } from "../log/log.js";
import { changesOf, commitIn } from "./commits.js";
import { listed } from "./outputs.js";

/** @import { Entry, EventEntry } from "../log/entries.d.ts" */
/** @import { Log, TreeIndex } from "../log/folds.d.ts" */
/** @import { CitingAnswer, MarkedBullet, PlaybookRun } from "./types.d.ts" */

/** The types of agents that only a cycle with a playbook has. */
const KEEPERS = new Set(["StateInitializer", "TagBullets", "ApplyDelta"]);

/**
 * Whether an agent tree works with a playbook.
 * @param {TreeIndex} index
 */
export function keepsPlaybook(index) {
  return [...index.nodes.values()].some(({ node }) => KEEPERS.has(node.type));
}

/**
 * What the run of an entry did with a playbook, up to that entry; of the last run, all of it, without an entry.
 * @param {Log} log
 * @param {Entry | null} selected
 * @returns {PlaybookRun | null} null without a run
 */
export function playbookAt(log, selected) {
  const run = selected
    ? (runOf(log, selected) ?? log.runs.findLast(({ seq }) => seq <= selected.seq) ?? log.runs[0])
    : log.runs.at(-1);
  if (!run) return null;
  /** @type {PlaybookRun} */
  const found = { run, given: null, answer: null, feedback: null, verdict: null, commits: [], next: null };
  for (let i = log.places.get(run.seq) ?? 0; i < log.entries.length; i++) {
    const entry = log.entries[i];
    if (entry.body.invocation_id !== run.invocation) continue;
    if (!selected || entry.seq <= selected.seq) take(found, entry);
    else if (isOfPlaybook(entry)) {
      found.next = found.given || found.commits.length ? null : entry.seq;
      break;
    }
  }
  if (!found.answer && found.verdict) found.answer = judgedAnswer(log, found);
  return found;
}

/**
 * The answer that a verdict is about: the one that it names, else the last one before the run.
 * @param {Log} log
 * @param {PlaybookRun} found
 * @returns {CitingAnswer | null}
 */
function judgedAnswer(log, { run, verdict }) {
  const named = entryAt(log, verdict?.event ?? null);
  if (named && isAnswerEntry(named)) return { ...answerIn(named), judged: true };
  const last = log.writing.filter(isAnswerEntry).findLast(({ seq }) => seq < run.seq);
  return last ? { ...answerIn(last), judged: true } : null;
}

/**
 * @param {Entry} entry
 * @returns {entry is EventEntry}
 */
function isAnswerEntry(entry) {
  return entry.kind === "event" && isAnswer(entry.body);
}

/**
 * @param {EventEntry} entry
 * @returns {CitingAnswer}
 */
function answerIn({ seq, body }) {
  return { seq, cited: [...new Set(listed(body.actions?.state_delta?.generator_output.bullet_ids))], judged: false };
}

/** @param {Entry} entry */
function isOfPlaybook(entry) {
  return entry.kind === "playbook_given" || deedIn(entry) !== null;
}

/**
 * A commit that says something: one that opens a playbook holds nothing.
 * @param {Entry} entry
 */
function deedIn(entry) {
  const commit = commitIn(entry);
  return commit && (commit.applied.length || commit.rejected?.length || commit.by === "curator") ? commit : null;
}

/**
 * @param {PlaybookRun} found
 * @param {Entry} entry
 */
function take(found, entry) {
  const { kind, seq, body } = entry;
  if (kind === "playbook_given") found.given = body;
  if (kind !== "event") return;
  const delta = body.actions?.state_delta ?? {};
  const commit = deedIn(entry);
  if (commit) found.commits.push({ seq, author: body.author, commit });
  if (delta.feedback !== undefined) found.feedback = { seq, text: delta.feedback };
  if (verdictIn(body)) found.verdict = verdictIn(body);
  if (isAnswerEntry(entry)) found.answer = answerIn(entry);
}

/**
 * The bullets of a run: those that something was done with, in the order cited, tagged, changed; and the ids of the others
 * that were given.
 * @param {Pick<PlaybookRun, "given" | "answer" | "commits">} found
 * @returns {{ marked: MarkedBullet[]; rest: string[] }}
 */
export function bulletsOf({ given, answer, commits }) {
  const named = new Set(given?.bullet_ids ?? []);
  const all = !given || named.size >= given.bullets;
  /** @type {Map<string, MarkedBullet>} */
  const marked = new Map();
  /** @param {string} id */
  const mark = (id) => {
    const judged = Boolean(answer?.judged);
    const bullet = marked.get(id) ??
      { id, given: named.has(id) ? true : all ? false : null, cited: false, judged, tags: [], changes: [] };
    marked.set(id, bullet);
    return bullet;
  };
  for (const id of answer?.cited ?? commits.flatMap(({ commit }) => commit.cited ?? [])) mark(id).cited = true;
  const changes = commits.flatMap(({ commit }) => changesOf(commit));
  for (const { type, id, look } of changes) if (type === "TAG" && id) mark(id).tags.push(look);
  for (const change of changes) {
    if (change.type === "TAG") continue;
    const word = change.merged.length ? `merged into ${change.id}` : change.word;
    const ids = change.merged.length ? change.merged.map(({ id }) => id) : [change.id ?? ""];
    for (const id of ids) if (named.has(id) || marked.has(id)) mark(id).changes.push(word);
  }
  return { marked: [...marked.values()], rest: [...named].filter((id) => !marked.has(id)) };
}

const SOURCES = [
  ["The right answer is: ", "the right answer"],
  ["A person says ", "a person's verdict"],
  ["Execution feedback: ", "the outcome of something executed"],
];

/**
 * What the reflector knew of the answer: `{source, text}`; source is "" where it knew nothing and had to guess.
 * @param {unknown} text
 */
export function feedbackWords(text) {
  const said = String(text ?? "").trim();
  return { source: SOURCES.find(([begin]) => said.startsWith(begin))?.[1] ?? "", text: /^none\.?$/i.test(said) ? "" : said };
}
