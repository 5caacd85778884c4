// @ts-check
/** What was decided on a call, with its reason and changes, or that nobody waits any more. */

import { h } from "../../../browser/js/elements.js";
import { decisionOf, isAnswered } from "../log/folds/pending.js";
import { decidedWords, isReview } from "../playbook/review.js";
import { oneLine, pretty } from "../words/format.js";
import { drawValues } from "./controls.js";
import { drawReviewed } from "./reviewed.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { AnsweredCall, PendingCall } from "../log/folds.d.ts" */
/** @import { Edit } from "../log/folds/pending.js" */

/** An icon and a word for each verdict. */
export const VERDICTS = {
  approved: ["check", "Approved"],
  rejected: ["cross_out", "Rejected"],
  answered: ["answer", "Answered"],
  passed: ["answer", "Passed"],
  refused: ["cross_out", "Refused"],
};

/**
 * @param {PendingCall} call
 * @param {() => void} onResize
 * @returns {Child[]}
 */
export function drawDecided(call, onResize) {
  const review = isReview(call);
  if (!isAnswered(call)) {
    return [
      review ? drawReviewed(call, onResize) : call.asModel ? null : drawValues(call.args),
      h("p.said", {}, "No longer waiting: its run has ended, or a later message began another."),
    ];
  }
  if (!review) return drawDecision(call);
  return [drawReviewed(call, onResize), h("p.said", {}, `${decidedWords(call)}, by ${decisionOf(call).by}`)];
}

/** @param {AnsweredCall} call */
function drawDecision(call) {
  const { verdict, by, reason, edits, said } = decisionOf(call);
  const values = Object.fromEntries(Object.entries(call.args).filter(([name]) => !edits.some((edit) => edit.name === name)));
  const changed = edits.length === 1 ? "one argument" : `${edits.length} arguments`;
  const about = `${VERDICTS[verdict][1]} by ${by}${edits.length ? `, with ${changed} changed` : ""}${reason ? ": " : ""}`;
  return [
    call.asModel ? null : drawValues(values),
    edits.length > 0 && h("dl.values.edits", {}, edits.map(drawEdit)),
    said != null && drawSaid(verdict === "answered" ? "answer" : "payload", said),
    h("p.said", {}, about, reason && h("q", {}, reason)),
  ];
}

/** @param {Edit} edit */
function drawEdit({ name, before, after, had, has }) {
  return [
    h("dt", {}, name),
    h("dd", {}, had && h("del", {}, oneLine(before)), had && has && " → ", has && h("ins", {}, oneLine(after))),
  ];
}

/**
 * @param {string} name
 * @param {Json} said
 */
function drawSaid(name, said) {
  const wrapped = said.result !== undefined && Object.keys(said).length === 1;
  return h("dl.values", {}, h("dt", {}, name), h("dd", {}, pretty(wrapped ? said.result : said)));
}
