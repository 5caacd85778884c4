// @ts-check
/** The operations of a review: what each would do, and what was decided. */

import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { drawDiff } from "../parts/diff.js";
import { linkToBullet } from "../parts/playbook_links.js";
import { operationWords, rejectionsOf, TAG_SIGNS } from "../playbook/commits.js";
import { decided, operationsOf } from "../playbook/review.js";
import { plural } from "../words/format.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { PendingCall } from "../log/folds.d.ts" */
/** @import { Decided, Operation } from "../playbook/types.d.ts" */
/** @typedef {{ playbook: string; revision: null }} Place */

/** @type {Record<string, string>} */
const SIGNS = { ADD: "+", REMOVE: "−", TAG: "▲" };
const TITLES = { waiting: "Review", over: "Not reviewed:", answered: "Reviewed" };

/**
 * The title of a review's card, around the name of the playbook.
 * @param {PendingCall} call
 */
export function reviewTitle({ args, state }) {
  const what = plural(operationsOf(args).length, "change");
  return { before: `${TITLES[state]} ${what} of `, name: String(args.playbook ?? ""), after: "" };
}

/**
 * What was decided.
 * @param {PendingCall} call
 * @param {() => void} onResize
 * @returns {Child[]}
 */
export function drawReviewed(call, onResize) {
  const undecided = { approved: null, reason: "", edited: null };
  const all = call.state === "answered"
    ? decided(call)
    : operationsOf(call.args).map((operation) => ({ operation, ...undecided }));
  return [
    h("ol.operations", {}, all.map((one) => drawDecided(one, placeOf(call)))),
    drawRefused(call, onResize),
  ];
}

/**
 * @param {Decided} decided
 * @param {Place} place
 */
function drawDecided({ operation, approved, reason, edited }, place) {
  const word = !approved ? "rejected" : edited === null ? "approved" : "approved, edited";
  const verdict = approved !== null &&
    h(`b.decision-word.${approved ? "yes" : "no"}`, {}, icon(approved ? "check" : "cross_out"), word);
  return h(
    `li.operation${approved === false ? ".off" : ""}`,
    {},
    drawOperation(operation, place, verdict),
    edited === null
      ? operation.content && h("div.text", {}, operation.content)
      : drawDiff(operation.content ?? "", edited, true, null),
    reason && h("p.said", {}, h("q", {}, reason)),
  );
}

/**
 * Where the bullets of a review are: in the playbook as it is now.
 * @param {PendingCall} call
 * @returns {Place}
 */
export function placeOf({ args }) {
  return { playbook: String(args.playbook ?? ""), revision: null };
}

/**
 * What an operation would do, on a line, with the decision on it at the end.
 * @param {Operation} operation
 * @param {Place} place
 * @param {Child} verdict
 */
export function drawOperation(operation, place, verdict) {
  const { what, ids, section } = operationWords(operation);
  const sign = operation.type === "TAG" ? TAG_SIGNS[operation.tag ?? ""] ?? "·" : SIGNS[operation.type] ?? "~";
  return h(
    "div.line",
    {},
    h("span.sign", { "aria-hidden": "true" }, sign),
    h("b", {}, what),
    ids.map((id) => linkToBullet(place, id)),
    section && h("span.quiet", {}, section),
    h("span.space"),
    verdict,
  );
}

/**
 * What was refused before it came to the user.
 * @param {PendingCall} call
 * @param {() => void} onResize
 */
export function drawRefused({ args }, onResize) {
  const refused = rejectionsOf(args);
  if (!refused.length) return null;
  const words = `${refused.length} more ${refused.length === 1 ? "was" : "were"} refused before it came to you`;
  const lines = refused.map(({ what, ids, text, reason }) =>
    h("li", {}, h("b", {}, [what, ...ids].join(" ")), text && `: ${text}`, h("div.why", {}, reason))
  );
  return h("details.refused", { ontoggle: onResize }, h("summary", {}, words), h("ul", {}, lines));
}
