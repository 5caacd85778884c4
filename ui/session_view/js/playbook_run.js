/** What a run had to do with a playbook, up to an event: what was given, cited, tagged and changed. A fold over the log. */

import { entryAt, runOf } from "./fold.js";
import { isAnswer, listed } from "./outputs.js";
import { verdictIn } from "./judging.js";
import { changesOf, commitIn } from "./playbook.js";

/** The types of agents that only a cycle with a playbook has. */
const KEEPERS = new Set(["StateInitializer", "TagBullets", "ApplyDelta"]);

/** Whether an agent tree works with a playbook. */
export function keepsPlaybook(index) {
  return [...index.nodes.values()].some(({ node }) => KEEPERS.has(node.type));
}

/**
 * What the run of an entry did with a playbook, up to that entry; of the last run, all of it, without an entry.
 * @returns {{run, given, answer, feedback, verdict, commits, next} | null} null without a run. `given`: the record of what
 *   the generator was given; `answer`: {seq, cited, judged}, judged if it is an earlier run's that this run learns from a
 *   verdict on; `commits`: [{seq, author, commit}]; `next`: seq of what comes first in this run, if that is after the entry.
 */
export function playbookAt(log, selected) {
  const run = selected ? (runOf(log, selected) ?? log.runs.findLast(({ seq }) => seq <= selected.seq) ?? log.runs[0]) : log.runs.at(-1);
  if (!run) return null;
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

/** The answer that a verdict is about: the one that it names, else the last one before the run. */
function judgedAnswer(log, { run, verdict }) {
  const named = entryAt(log, verdict.event);
  const entry = named && isAnswer(named.body) ? named : log.writing.findLast(({ seq, kind, body }) => seq < run.seq && kind === "event" && isAnswer(body));
  return entry ? { ...answerIn(entry), judged: true } : null;
}

function answerIn({ seq, body }) {
  return { seq, cited: [...new Set(listed(body.actions.state_delta.generator_output.bullet_ids))], judged: false };
}

function isOfPlaybook(entry) {
  return entry.kind === "playbook_given" || deedIn(entry) !== null;
}

/** A commit that says something: one that opens a playbook holds nothing. */
function deedIn(entry) {
  const commit = commitIn(entry);
  return commit && (commit.applied.length || commit.rejected?.length || commit.by === "curator") ? commit : null;
}

function take(found, entry) {
  const { kind, seq, body } = entry;
  if (kind === "playbook_given") found.given = body;
  if (kind !== "event") return;
  const delta = body.actions?.state_delta ?? {};
  const commit = deedIn(entry);
  if (commit) found.commits.push({ seq, author: body.author, commit });
  if (delta.feedback !== undefined) found.feedback = { seq, text: delta.feedback };
  if (verdictIn(body)) found.verdict = verdictIn(body);
  if (isAnswer(body)) found.answer = answerIn(entry);
}

/**
 * The bullets of a run: those that something was done with, and the ids of the others that were given.
 * @returns {{marked: Array<{id, given: boolean | null, cited: boolean, judged: boolean, tags: string[], changes: string[]}>, rest: string[]}}
 *   In the order cited, tagged, changed. `given` is null where the record does not name all bullets; `judged`: an earlier
 *   run's answer cites it.
 */
export function bulletsOf({ given, answer, commits }) {
  const named = new Set(given?.bullet_ids ?? []);
  const all = !given || named.size >= given.bullets;
  const marked = new Map();
  const mark = (id) => {
    if (!marked.has(id)) marked.set(id, { id, given: named.has(id) ? true : all ? false : null, cited: false, judged: Boolean(answer?.judged), tags: [], changes: [] });
    return marked.get(id);
  };
  for (const id of answer?.cited ?? commits.flatMap(({ commit }) => commit.cited ?? [])) mark(id).cited = true;
  const changes = commits.flatMap(({ commit }) => changesOf(commit));
  for (const { type, id, look } of changes) if (type === "TAG") mark(id).tags.push(look);
  for (const change of changes) {
    if (change.type === "TAG") continue;
    for (const id of change.merged.length ? change.merged.map((bullet) => bullet.id) : [change.id]) {
      if (named.has(id) || marked.has(id)) mark(id).changes.push(change.merged.length ? `merged into ${change.id}` : change.word);
    }
  }
  return { marked: [...marked.values()], rest: [...named].filter((id) => !marked.has(id)) };
}

const SOURCES = [
  ["The right answer is: ", "the right answer"], ["A person says ", "a person's verdict"], ["Execution feedback: ", "the outcome of something executed"],
];

/** What the reflector knew of the answer: `{source, text}`; source is "" where it knew nothing and had to guess. */
export function feedbackWords(text) {
  const said = String(text ?? "").trim();
  return { source: SOURCES.find(([begin]) => said.startsWith(begin))?.[1] ?? "", text: /^none\.?$/i.test(said) ? "" : said };
}
