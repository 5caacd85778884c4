// @ts-check
/** The form of a review: a row for each operation, with what it would do and a decision on it. */

import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { operationWords } from "../playbook/commits.js";
import { answerOf, bulletsIn, countWords, firstDecisions, heldBackWords } from "../playbook/review.js";
import { LONGEST_CONTENT, problemOf } from "../playbook/review.js";
import { clip } from "../words/format.js";
import { button, buttons, problem } from "./controls.js";
import { drawOperation, drawRefused, placeOf } from "./reviewed.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { PendingCall } from "../log/folds.d.ts" */
/** @import { Bullets } from "../playbook/bullets.js" */
/** @import { Decision, Operation } from "../playbook/types.d.ts" */
/** @import { Form } from "./types.d.ts" */

const LONGEST_WHY = 500;

/**
 * @param {PendingCall} call
 * @param {Form} form
 * @returns {Child[]}
 */
export function drawReview(call, { draft, off, give, show, bullets, onResize }) {
  const decisions = (draft.review ??= firstDecisions(call));
  const drawPresent = presentTexts(call, bullets, onResize);
  const tally = h("span.quiet", { role: "status" });
  const onDecide = () => {
    tally.textContent = countWords(decisions.filter(({ approved }) => approved).length, decisions.length);
  };
  const handIn = () => {
    const problems = decisions.map((decision, i) => [i, problemOf(decision)]).filter(([, words]) => words);
    draft.errors = Object.fromEntries(problems);
    if (problems.length) show("[aria-invalid=true]");
    else give(answerOf(decisions));
  };
  const rejectAll = () => give(answerOf(decisions.map((decision) => ({ ...decision, approved: false }))));
  const rows = decisions.map((decision, i) => {
    const about = { name: `${call.id}:${i}`, number: i + 1, error: draft.errors[i] };
    return drawRow(call, decision, { ...about, off, onDecide, onResize, drawPresent });
  });
  onDecide();
  return [
    call.args.reasoning && h("p.ask", {}, call.args.reasoning),
    ...heldBackWords(call.args).map((words) => h("p.ask.held-back", {}, icon("cross_out"), " ", clip(words, LONGEST_WHY))),
    h("ol.operations", {}, rows),
    drawRefused(call, onResize),
    buttons(
      button("Hand in", "hand-in", handIn, { off, look: "main", sign: "check" }),
      button("Reject all", "reject-all", rejectAll, { off, look: "danger", sign: "cross_out" }),
      tally,
    ),
  ];
}

/**
 * Slots for the bullets' present texts, which are filled now or when the texts come.
 * @param {PendingCall} call
 * @param {Bullets} bullets
 * @param {() => void} onResize
 * @returns {(id: string) => HTMLElement}
 */
function presentTexts(call, bullets, onResize) {
  const ids = bulletsIn(call);
  const place = { ...placeOf(call), mark: call.id };
  /** @type {{ slot: HTMLElement; id: string }[]} */
  const slots = [];
  const fill = () => {
    const { found, error } = bullets.of(place, ids);
    for (const { slot, id } of slots) {
      const bullet = found.get(id);
      const text = bullet === null ? "There is no such bullet any more." : bullet?.content ?? "…";
      slot.textContent = error || text;
      slot.classList.toggle("missing", bullet === null || error !== "");
    }
  };
  const ready = ids.length ? bullets.of(place, ids).ready : null;
  ready?.then(() => {
    fill();
    onResize();
  });
  return (id) => {
    const slot = h("div.present");
    slots.push({ slot, id });
    fill();
    return slot;
  };
}

/**
 * @typedef {object} RowOptions
 * @property {string} name of the group of radio buttons
 * @property {number} number
 * @property {string | undefined} error
 * @property {boolean} off
 * @property {() => void} onDecide
 * @property {() => void} onResize
 * @property {(id: string) => HTMLElement} drawPresent
 */

/**
 * @param {PendingCall} call
 * @param {Decision} decision
 * @param {RowOptions} options
 */
function drawRow(call, decision, { name, number, error, off, onDecide, onResize, drawPresent }) {
  const { operation } = decision;
  const { what, ids } = operationWords(operation);
  const { attributes, note } = problem(error);
  const field = decision.editable ? drawField(decision, number, off, attributes) : null;
  const reason = drawReason(decision, number, off);
  const row = h("li.operation", { role: "group", "aria-label": `Change ${number}: ${what} ${ids.join(", ")}` });
  const look = () => {
    row.classList.toggle("off", !decision.approved);
    reason.hidden = decision.approved;
    if (field) Object.assign(field, { readOnly: !decision.approved, tabIndex: decision.approved ? 0 : -1 });
  };
  const decide = (/** @type {boolean} */ approved) => {
    decision.approved = approved;
    look();
    onDecide();
    onResize();
  };
  row.append(
    drawOperation(operation, placeOf(call), drawChoice(decision, { name, number, off, decide })),
    ...presentIds(operation, ids).map(drawPresent),
    ...(field ? [h("div.field.alone", {}, field)] : []),
    ...(operation.reason ? [h("p.said", {}, operation.reason)] : []),
    reason,
    ...(note ? [note] : []),
  );
  look();
  return row;
}

/**
 * The bullets whose present texts a row shows: what is added is not there yet.
 * @param {Operation} operation
 * @param {string[]} ids
 */
function presentIds({ type }, ids) {
  return type === "ADD" ? [] : ids;
}

/**
 * @param {Decision} decision
 * @param {{ name: string; number: number; off: boolean; decide: (approved: boolean) => void }} options
 */
function drawChoice({ approved }, { name, number, off, decide }) {
  /** @type {(value: boolean, label: string) => HTMLElement} */
  const choice = (value, label) => {
    const attributes = { type: "radio", name, checked: approved === value, disabled: off };
    return h("label", {}, h("input", { ...attributes, onchange: () => decide(value) }), h("span", {}, label));
  };
  const attributes = { role: "radiogroup", "aria-label": `Decision on change ${number}` };
  return h("span.switch-verdict", attributes, choice(true, "approve"), choice(false, "reject"));
}

/**
 * @param {Decision} decision
 * @param {number} number
 * @param {boolean} off
 * @param {Record<string, string | null>} problem
 */
function drawField(decision, number, off, problem) {
  const attributes = {
    rows: String(Math.max(2, Math.min(6, 1 + Math.floor(decision.text.length / 60)))),
    maxlength: LONGEST_CONTENT,
    disabled: off,
    "aria-label": `Text of change ${number}`,
    ...problem,
  };
  return h("textarea", { ...attributes, oninput: ({ target }) => (decision.text = target.value) }, decision.text);
}

/**
 * @param {Decision} decision
 * @param {number} number
 * @param {boolean} off
 */
function drawReason(decision, number, off) {
  return h("input.reason", {
    type: "text",
    value: decision.reason,
    maxlength: "500",
    disabled: off,
    placeholder: "Why not? Optional.",
    "aria-label": `Why change ${number} is rejected`,
    oninput: ({ target }) => (decision.reason = target.value),
  });
}
