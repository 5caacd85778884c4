// @ts-check
/** Commits to a playbook as an event's delta holds them: what they did, in numbers, in words, and change by change. */

import { isReference, PLAYBOOK } from "../log/references.js";
import { count, plural } from "../words/format.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { Entry, PlaybookPlace } from "../log/entries.d.ts" */
/** @import { Change, ChangeLook, Commit, Operation, OperationWords, Rejection } from "./types.d.ts" */

/**
 * The playbook that a session starts with, from what the page gives: `{playbook, revision, bullets}`, or null.
 * @param {[string, number, number] | null | undefined} given
 * @returns {PlaybookPlace & { bullets: number } | null}
 */
export function startOf(given) {
  if (!given?.[0]) return null;
  const [playbook, revision, bullets] = given;
  return { playbook, revision, bullets };
}

/**
 * The commit that an entry of the log carries, or null.
 * @param {Entry} entry
 * @returns {Commit | null}
 */
export function commitIn({ kind, body }) {
  const held = kind === "event" ? body.actions?.state_delta?.[PLAYBOOK] : null;
  return isCommit(held) ? held : null;
}

/**
 * @param {Json} value
 * @returns {value is Commit}
 */
export function isCommit(value) {
  return isReference(value) && "applied" in value && Array.isArray(value.applied);
}

const ADDED = new Set(["ADD", "RESTORE"]);
const CHANGED = new Set(["UPDATE", "MERGE", "ARCHIVE", "UNARCHIVE"]);
const TAGGED = new Set(["TAG", "ADJUST"]);

/**
 * How many bullets a commit added, removed, changed and tagged, and how many operations were rejected.
 * @param {Pick<Commit, "applied" | "rejected">} commit
 */
export function tallyOf({ applied, rejected }) {
  /** @param {Set<string>} kinds */
  const times = (kinds) => applied.filter(({ type }) => kinds.has(type)).length;
  return {
    added: times(ADDED),
    removed: times(new Set(["REMOVE"])),
    changed: times(CHANGED),
    tagged: times(TAGGED),
    rejected: rejected?.length ?? 0,
  };
}

/**
 * A commit in a few signs: "+1 −0 ~2", "2 tags", "1 rejected", "query counted", or "unchanged".
 * @param {Commit} commit
 */
export function signsOf(commit) {
  const { added, removed, changed, tagged, rejected } = tallyOf(commit);
  const said = [
    added + removed + changed > 0 && `+${count(added)} −${count(removed)} ~${count(changed)}`,
    tagged > 0 && plural(tagged, "tag"),
    rejected > 0 && `${count(rejected)} rejected`,
  ].filter(Boolean);
  return said.join(", ") || (countsQuery(commit) ? "query counted" : "unchanged");
}

/** @param {Pick<Commit, "applied">} commit */
function countsQuery({ applied }) {
  return applied.some(({ type }) => type === "CITE");
}

/**
 * The same in a sentence, for who has no signs to look at.
 * @param {Commit} commit
 */
export function wordsOf(commit) {
  return `Playbook ${commit.playbook}, revision ${commit.revision}${commit.by ? `, by ${commit.by}` : ""}: ${
    tallyWords(commit) || (countsQuery(commit) ? "a query counted" : "nothing changed")
  }`;
}

/**
 * What commits did to bullets, in words: "1 bullet added, 2 bullets tagged; 1 operation rejected"; "" for nothing.
 * @param {Pick<Commit, "applied" | "rejected">} commit
 */
export function tallyWords(commit) {
  const { added, removed, changed, tagged, rejected } = tallyOf(commit);
  const done = [
    added > 0 && `${plural(added, "bullet")} added`,
    removed > 0 && `${plural(removed, "bullet")} removed`,
    changed > 0 && `${plural(changed, "bullet")} changed`,
    tagged > 0 && `${plural(tagged, "bullet")} tagged`,
  ].filter(Boolean);
  return [done.join(", "), rejected && `${plural(rejected, "operation")} rejected`].filter(Boolean).join("; ");
}

/**
 * A commit's changes, as they are shown. Which bullets were cited is no change.
 * @param {Pick<Commit, "applied">} commit
 * @returns {Change[]}
 */
export function changesOf({ applied }) {
  return applied.filter(({ type }) => type !== "CITE").map((change) => {
    const { bullet_id: id, section = change.bullet?.section, by, reason } = change;
    return {
      type: change.type,
      id,
      section,
      by: by ?? "",
      reason: reason ?? "",
      merged: [],
      ...LOOKS[change.type]?.(change) ?? { sign: "~", word: String(change.type).toLowerCase(), look: "changed" },
    };
  });
}

/** @type {Record<string, (change: Operation) => ChangeLook>} */
const LOOKS = {
  ADD: ({ content }) => ({ sign: "+", word: "added", look: "added", after: content }),
  UPDATE: ({ content, before, counted }) => ({
    sign: "~",
    word: counted ? "corrected: its counters start anew" : "changed",
    look: "changed",
    before,
    after: content,
  }),
  REMOVE: ({ bullet }) => ({ sign: "−", word: "removed", look: "removed", before: bullet?.content }),
  MERGE: ({ content, merged, bullet_ids: ids = [] }) => ({
    sign: "~",
    word: `merged from ${plural(ids.length, "bullet")}`,
    look: "changed",
    after: content,
    merged: merged ?? ids.map((id) => ({ id })),
  }),
  TAG: ({ tag }) => ({
    sign: TAG_SIGNS[tag ?? ""] ?? "·",
    word: tag === "neutral" ? "tagged neutral: used, not verified" : `tagged ${tag}`,
    look: tag ?? "",
  }),
  ADJUST: ({ helpful, harmful, neutral }) => ({
    sign: "±",
    word: `counters: ${
      [
        helpful && `helpful ${signed(helpful)}`,
        harmful && `harmful ${signed(harmful)}`,
        neutral && `neutral ${signed(neutral)}`,
      ].filter(Boolean).join(", ")
    }`,
    look: "changed",
  }),
  RESTORE: ({ bullet, was, imported }) => ({
    sign: "+",
    word: was ? `imported, was ${was}` : imported ? "imported" : "brought back",
    look: "added",
    after: bullet?.content,
  }),
  ARCHIVE: () => ({ sign: "~", word: "archived: out of prompts, and kept", look: "changed" }),
  UNARCHIVE: () => ({ sign: "~", word: "back from the archive", look: "changed" }),
};

/**
 * What stands for a tag beside its word.
 * @type {Record<string, string>}
 */
export const TAG_SIGNS = { helpful: "▲", harmful: "▼", neutral: "○" };

/** @param {number} n */
function signed(n) {
  return n > 0 ? `+${n}` : `−${-n}`;
}

/**
 * What was not applied: `{what, ids, section, text, reason}`.
 * @param {{ rejected?: Rejection[] }} holder
 * @returns {(OperationWords & { reason: string })[]}
 */
export function rejectionsOf({ rejected }) {
  return (rejected ?? []).map(({ operation = {}, reason }) => ({ ...operationWords(operation), reason: reason ?? "" }));
}

/** @type {Record<string, string>} */
const ASKED = {
  ADD: "add",
  UPDATE: "change",
  REMOVE: "remove",
  MERGE: "merge",
  TAG: "tag",
  CITE: "cite",
  ARCHIVE: "archive",
  UNARCHIVE: "take out of the archive",
};

/**
 * An operation as it was asked for: `{what, ids, section, text}`.
 * @param {Partial<Operation>} operation
 * @returns {OperationWords}
 */
export function operationWords({ type, bullet_id: id, bullet_ids: ids, section, content, tag, bullet }) {
  const what = ASKED[type ?? ""] ?? (type ? String(type).toLowerCase() : "something unreadable");
  return {
    what: tag ? `${what} ${tag}` : what,
    ids: ids ?? (id ? [id] : []),
    section: section ?? "",
    text: content ?? bullet?.content ?? "",
  };
}

/**
 * The record of what a generator was given, in words.
 * @param {{ playbook: string; revision: number; bullets: number; chosen?: boolean }} given
 */
export function givenWords({ playbook, revision, bullets, chosen }) {
  if (!bullets) return `given no bullets: ${playbook}, revision ${revision}, is empty`;
  return `given ${chosen ? "the " : ""}${
    plural(bullets, chosen ? "most relevant bullet" : "bullet")
  } of ${playbook}, revision ${revision}`;
}
