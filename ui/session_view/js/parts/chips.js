// @ts-check
/** Chips of calls and responses, and of the bullets that an answer rests on. */

import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { AS_MODEL, CONFIRMATION, decisionOf, isAnswered, REQUEST_INPUT } from "../log/folds/pending.js";
import { decidedWords, isReview, REVIEW } from "../playbook/review.js";
import { argumentsLine, clip, oneLine, plural, responseLine } from "../words/format.js";

/** @import { FunctionCall, FunctionResponse, Part } from "../log/entries.d.ts" */
/** @import { PendingCall } from "../log/folds.d.ts" */

const MOST_CITED = 8;
/** Characters; the card has all of them. */
const LONGEST_QUESTION = 300;

/**
 * A part's chip: a call or a response, in a list that is empty for text.
 * @param {Part} part
 * @param {object} about
 * @param {Map<string, PendingCall>} [about.calls] the calls that ever waited for a user, by id
 * @param {string[]} [about.later] the calls of this event that may be answered later
 */
export function drawChip({ function_call: call, function_response: answer }, { calls, later = [] }) {
  if (call) return [drawCall(call, later)];
  return answer ? [drawResponse(answer, calls?.get(answer.id))] : [];
}

/**
 * @param {FunctionCall} call
 * @param {string[]} later
 */
function drawCall({ id, name, args = {} }, later) {
  const asked = name === CONFIRMATION ? args.originalFunctionCall : null;
  if (asked) return chip("asks", "pause", argumentsLine(asked.args), "asks for approval", asked.name);
  if (name === AS_MODEL) {
    return chip("asks", "pause", "A person answers in the model's place", "asks you", "to answer as its model");
  }
  if (name === REQUEST_INPUT) {
    const question = clip(String(args.message ?? "for an answer"), LONGEST_QUESTION);
    return chip("asks", "pause", "The graph waits for the answer", "asks you", question);
  }
  if (name === REVIEW && Array.isArray(args.operations)) {
    const what = `${plural(args.operations.length, "change")} of ${args.playbook}`;
    return chip("asks", "pause", "A person decides on each", "asks for a review", what);
  }
  const title = later.includes(id) ? "A call that may be answered later" : "Tool call";
  return chip("call", "tool", title, name, `(${argumentsLine(args)})`);
}

/**
 * @param {FunctionResponse} answer
 * @param {PendingCall | undefined} held the call that it answers, if that waited for a user
 */
function drawResponse({ id, name, response = {} }, held) {
  if (name === CONFIRMATION) return drawDecision(held);
  if (name === AS_MODEL) {
    const verdict = held && isAnswered(held) ? decisionOf(held).verdict : "answered";
    return chip(
      "answer",
      "answer",
      "A person in the model's place",
      verdict,
      `as the model of ${held?.agent ?? "an agent"}`,
    );
  }
  if (held?.answer && isReview(held)) {
    return chip("answer.approved", "answer", "A person's decisions", "reviewed", decidedWords(held));
  }
  if (name === REQUEST_INPUT) return chip("answer", "answer", "Your answer", "answered", responseLine(response));
  const shown = response.error === undefined
    ? chip("answer", "answer", "The tool's answer", name, responseLine(response) || "returned nothing")
    : chip("answer.failed", "alert", "The tool failed", name, oneLine(response.error, 300) || "returned nothing");
  if (id) shown.dataset.call = id; // what a click on it asks about
  return shown;
}

/**
 * @param {string} look
 * @param {string} sign
 * @param {string} title
 * @param {string} name
 * @param {string} text
 */
function chip(look, sign, title, name, text) {
  return h(`div.chip.${look}`, { title }, icon(sign), h("b", {}, name), h("span", {}, text));
}

/** @param {PendingCall | undefined} call */
function drawDecision(call) {
  if (!call || !isAnswered(call)) {
    return chip("answer", "answer", "An answer", "answered", "a question that is not shown here");
  }
  const { verdict, reason, edits } = decisionOf(call);
  const approved = verdict === "approved";
  const about = [edits.length > 0 && "with other arguments", reason && clip(reason, 160)].filter(Boolean).join(": ");
  return chip(
    approved ? "answer.approved" : "answer.rejected",
    approved ? "check" : "cross_out",
    "A person's decision",
    verdict,
    `${call.tool}${about ? `, ${about}` : ""}`,
  );
}

/**
 * The bullets that an answer says it rests on.
 * @param {string[]} ids
 */
export function drawCited(ids) {
  const shown = ids.slice(0, MOST_CITED).map((id) =>
    h("div.chip.cites", { title: "The answer says that it rests on this bullet" }, icon("check"), h("b", {}, id))
  );
  return ids.length > MOST_CITED
    ? [...shown, h("div.chip", {}, h("span", {}, `and ${ids.length - MOST_CITED} more`))]
    : shown;
}
