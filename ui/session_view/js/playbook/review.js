// @ts-check
/** A review of a curator's operations: what each would do, the decisions, and the answer they come to. */

import { plural } from "../words/format.js";
import { operationWords } from "./commits.js";

/** @import { PendingCall } from "../log/folds.d.ts" */
/** @import { Decided, Decision, Operation } from "./types.d.ts" */

/** The call that asks for a review. */
export const REVIEW = "review_delta";
export const LONGEST_CONTENT = 2000;
/** Most broken cases that are named. */
const MOST_CASES = 8;
const EDITABLE = new Set(["ADD", "UPDATE", "MERGE"]);
/** Operations of which only the bullet's present text says what they would do. */
const ABOUT_BULLETS = new Set(["UPDATE", "REMOVE", "MERGE", "TAG", "ARCHIVE", "UNARCHIVE"]);

/** @param {Pick<PendingCall, "asksApproval" | "tool" | "args">} call */
export function isReview(call) {
  return !call.asksApproval && call.tool === REVIEW && Array.isArray(call.args?.operations);
}

/**
 * The operations that a review is about.
 * @param {PendingCall["args"]} args
 * @returns {Operation[]}
 */
export function operationsOf({ operations }) {
  return operations;
}

/**
 * Why the operations are held back: a right answer contradicts bullets, the playbook's guard; empty if they are not.
 * @param {PendingCall["args"]} args
 * @returns {string[]}
 */
export function heldBackWords({ broken, untried, conflicts }) {
  const cases = Array.isArray(broken) ? broken.filter((one) => one && typeof one === "object") : [];
  const words = cases.slice(0, MOST_CASES).map(({ name, why }) => `This breaks the case ${name}. ${why ?? ""}`);
  if (cases.length > MOST_CASES) words.push(`… and ${plural(cases.length - MOST_CASES, "more case")}.`);
  const contradicted = Array.isArray(conflicts) ? conflicts.filter((one) => one && typeof one === "object") : [];
  words.unshift(
    ...contradicted.slice(0, MOST_CASES).map(({ bullet_id, says, truth }) =>
      `The right answer “${truth}” contradicts ${bullet_id}, which says: “${says}”. Answers go on with it until you decide.`
    ),
  );
  if (untried) words.unshift(`The cases that guard this playbook cannot be tried. ${untried}`);
  return words;
}

/**
 * The decisions as they begin: everything approved, as it was handed in.
 * @param {Pick<PendingCall, "args">} call
 * @returns {Decision[]}
 */
export function firstDecisions({ args }) {
  return operationsOf(args).map((operation) => ({
    operation,
    approved: true,
    reason: "",
    text: operation.content ?? "",
    editable: EDITABLE.has(operation.type),
  }));
}

/**
 * The bullets that a review has to show the present texts of.
 * @param {Pick<PendingCall, "args">} call
 * @returns {string[]}
 */
export function bulletsIn({ args }) {
  const ids = operationsOf(args).filter(({ type }) => ABOUT_BULLETS.has(type)).flatMap((operation) =>
    operationWords(operation).ids
  );
  return [...new Set(ids)];
}

/**
 * What is wrong with an edited text; "" if nothing is.
 * @param {Pick<Decision, "approved" | "editable" | "text">} decision
 */
export function problemOf({ approved, editable, text }) {
  if (!approved || !editable) return "";
  if (!text.trim()) return "A bullet must say something. To leave it out, reject it.";
  return text.trim().length > LONGEST_CONTENT ? `A bullet has at most ${LONGEST_CONTENT} characters.` : "";
}

/**
 * Decisions as the run takes them.
 * @param {Decision[]} decisions
 */
export function answerOf(decisions) {
  return {
    decisions: decisions.map(({ operation, approved, reason, text, editable }) => {
      if (!approved) return { verdict: "reject", ...(reason.trim() && { reason: reason.trim() }) };
      const edited = editable && text.trim() !== String(operation.content ?? "").trim();
      return { verdict: "approve", ...(edited && { operation: { ...operation, content: text.trim() } }) };
    }),
  };
}

/**
 * "2 approved, 1 rejected" of decisions being made or, in an answer, made.
 * @param {number} approved
 * @param {number} all
 */
export function countWords(approved, all) {
  return [approved > 0 && `${approved} approved`, all - approved > 0 && `${all - approved} rejected`].filter(Boolean).join(
    ", ",
  ) || "nothing to decide";
}

/**
 * What was decided, by operation: `[{operation, approved, reason, edited}]`; `edited` is the text in place of the one
 * handed in, or null. One without a decision is rejected.
 * @param {Pick<PendingCall, "args" | "answer">} call
 * @returns {Decided[]}
 */
export function decided({ args, answer }) {
  const given = Array.isArray(answer?.response.decisions) ? answer.response.decisions : [];
  return operationsOf(args).map((operation, i) => {
    const { verdict, reason, operation: changed } = given[i] ?? {};
    const approved = verdict === "approve";
    const edited = approved && changed?.content !== undefined && changed.content !== operation.content
      ? String(changed.content)
      : null;
    return { operation, approved, reason: approved ? "" : String(reason ?? (given[i] ? "" : "not decided on")), edited };
  });
}

/**
 * What an answer came to, in words.
 * @param {Pick<PendingCall, "args" | "answer">} call
 */
export function decidedWords(call) {
  const all = decided(call);
  const edited = all.filter((one) => one.edited !== null).length;
  return countWords(all.filter(({ approved }) => approved).length, all.length) + (edited ? `, ${edited} edited` : "");
}
