// @ts-check
/** Answers that a user may judge, and what they said of each. A fold over the log. */

import { isObject } from "../../../../browser/js/json.js";

/** @import { Entry, EventBody } from "../entries.d.ts" */
/** @import { Judged, JudgedAnswer, Verdict } from "../folds.d.ts" */

/** @returns {Judged} */
export function emptyJudged() {
  return { answers: new Map(), last: null };
}

/**
 * Takes in one entry. An answer: `{seq, agent, verdict, version}`; `verdict` is `{right, answer, outcome, seq}` or null.
 * @param {Judged} judged
 * @param {Entry} entry
 * @returns {JudgedAnswer | null} the answer that the entry is, or null
 */
export function foldJudged(judged, { kind, seq, body }) {
  if (kind !== "event") return null;
  const verdict = verdictIn(body);
  const target = verdict && (verdict.event == null ? judged.last : judged.answers.get(verdict.event));
  if (target) {
    Object.assign(target, {
      verdict: { right: verdict.right, answer: verdict.answer, outcome: verdict.outcome, seq },
      version: target.version + 1,
    });
  }
  if (!isAnswer(body)) return null;
  judged.last = { seq, agent: body.author, verdict: null, version: 0 };
  judged.answers.set(seq, judged.last);
  return judged.last;
}

/**
 * Whether an event is an answer. One that is read again, to learn from a verdict on it, comes with the feedback.
 * @param {Pick<EventBody, "author" | "actions">} body
 */
export function isAnswer({ author, actions }) {
  const delta = actions?.state_delta ?? {};
  return author !== "user" && isObject(delta.generator_output) && !("feedback" in delta);
}

/**
 * What is told of an answer: with the message, in state, or by what it begins with, a thumb or "Outcome:"; null for anything
 * else. `right` is null of an outcome.
 * @param {EventBody} body
 * @returns {Verdict | null}
 */
export function verdictIn({ author, branch, actions, content }) {
  if (author !== "user" || branch) return null;
  const told = actions?.state_delta?.verdict;
  const event = told?.event ?? null;
  if (typeof told?.outcome === "string") return { right: null, answer: "", outcome: told.outcome, event };
  if (typeof told?.right === "boolean") return { right: told.right, answer: String(told.answer ?? ""), outcome: "", event };
  const text = content?.parts?.[0]?.text ?? "";
  const [, thumb, rest] = /^\s*(👍|👎)[\u{1f3fb}-\u{1f3ff}\ufe0f]*(.*)$/su.exec(text) ?? [];
  if (thumb) return { right: thumb === "👍", answer: rest.trim(), outcome: "", event: null };
  const [, outcome] = /^\s*(?:outcome|execution feedback)\s*:(.*)$/isu.exec(text) ?? [];
  return outcome?.trim() ? { right: null, answer: "", outcome: outcome.trim(), event: null } : null;
}

/**
 * What a user says of an answer, as the page is told.
 * @param {number} seq
 * @param {boolean} right
 * @param {string} answer
 */
export function feedbackOf(seq, right, answer) {
  return { event: seq, right, answer: right ? null : answer.trim() || null };
}

/**
 * What came of running an answer, as the page is told; null where nothing was entered.
 * @param {number} seq
 * @param {string} text
 */
export function outcomeOf(seq, text) {
  return text.trim() ? { event: seq, outcome: text.trim() } : null;
}

/**
 * A verdict in words.
 * @param {Pick<Verdict, "right" | "answer" | "outcome">} verdict
 */
export function verdictWords({ right, answer, outcome }) {
  if (outcome) return { title: "What came of it", answer: outcome };
  return { title: right ? "You said: right" : "You said: wrong", answer: right ? "" : answer };
}
