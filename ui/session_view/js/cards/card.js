// @ts-check
/** The card of a call that waits for a user: what is to be decided, the form to decide it with, and what was decided. */

import { h, replace } from "../../../browser/js/elements.js";
import { icon, markIcon } from "../dom/icons.js";
import { markOf } from "../log/agent_tree.js";
import { decisionOf, isAnswered, optionsOf } from "../log/folds/pending.js";
import { isReview } from "../playbook/review.js";
import { drawApproval } from "./approval.js";
import { closeForm } from "./controls.js";
import { drawDecided, VERDICTS } from "./decided.js";
import { drawQuestion } from "./question.js";
import { drawReview } from "./review.js";
import { reviewTitle } from "./reviewed.js";

/** @import { Child, Json } from "../../../browser/js/types.d.ts" */
/** @import { Log, Mark, PendingCall } from "../log/folds.d.ts" */
/** @import { Bullets } from "../playbook/bullets.js" */
/** @import { Draw } from "../rows/types.d.ts" */
/** @import { Answers } from "./answers.js" */
/** @import { Form } from "./types.d.ts" */

export const SILENT = "Nothing came back within 10 seconds. You can try again; if it stays so, reload the page.";

/**
 * @typedef {object} Desk where a call is answered
 * @property {Answers<string, Record<string, Json>>} answers
 * @property {() => string} hindrance why no answer can be given now; "" when one can
 * @property {Bullets} bullets
 * @property {() => Log} log
 * @property {(call: PendingCall, form: Form) => Child[]} drawAsModel the form of a call that the user answers as a model
 */

/**
 * What a card shows besides the call itself.
 * @param {PendingCall} call
 * @param {Desk} desk
 */
export function stampOf(call, { answers, hindrance }) {
  return call.state === "waiting" ? `${answers.stateOf(call.id)} ${hindrance()}` : "";
}

/**
 * @param {Desk} desk
 * @returns {Draw<"card">}
 */
export function createCard(desk) {
  return (element, { call }, { index, onResize, onSelect }) => {
    const mark = markOf(index, call.agent);
    const card = h(`section.card.${call.state}`, { "aria-label": titleOf(call), tabindex: "-1", "data-takes-focus": true });
    const draft = desk.answers.draftOf(call.id);
    const show = (/** @type {string} */ focus = "") => {
      const hint = call.hint && h("p.ask", {}, call.hint);
      const inside = call.state === "waiting"
        ? drawWaiting(call, desk, { draft, show, onResize, onSelect })
        : drawDecided(call, onResize);
      replace(card, drawTitle(call, mark), hint, inside);
      if (focus) focusIn(card, focus, onResize);
    };
    card.onkeydown = (event) => {
      if (event.key !== "Escape" || call.state !== "waiting" || draft.form === "choose") return;
      event.stopPropagation();
      closeForm({ draft, show });
    };
    element.classList.add(`c-${mark.colour}`);
    element.append(card);
    show();
  };
}

/**
 * @param {HTMLElement} card
 * @param {string} selector
 * @param {() => void} onResize
 */
function focusIn(card, selector, onResize) {
  onResize();
  const found = card.querySelector(selector);
  const target = found instanceof HTMLElement ? found : card;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "nearest" });
}

/**
 * @param {PendingCall} call
 * @param {Desk} desk
 * @param {Pick<Form, "draft" | "show" | "onResize" | "onSelect">} shown
 */
function drawWaiting(call, { answers, hindrance, bullets, log, drawAsModel }, shown) {
  const state = answers.stateOf(call.id);
  const why = hindrance();
  const off = state === "sending" || why !== "";
  const form = {
    ...shown,
    off,
    bullets,
    log,
    give: (/** @type {Record<string, Json>} */ response) => {
      if (!off) answers.give(call.id, response);
    },
  };
  const draw = isReview(call) ? drawReview : call.asModel ? drawAsModel : call.asksApproval ? drawApproval : drawQuestion;
  const said = state === "sending" ? "sending…" : why || (state === "silent" ? SILENT : "");
  return [...draw(call, form), said && h(`p.said.${state}`, { role: "status" }, said)];
}

/** @param {PendingCall} call */
function titleOf(call) {
  const { before, name, after } = titleParts(call);
  return `${before}${name}${after}`;
}

/**
 * A card's title around the name that it is about.
 * @param {PendingCall} call
 * @returns {{ before: string; name: string; after: string }}
 */
function titleParts(call) {
  if (isReview(call)) return reviewTitle(call);
  const name = call.asModel ? call.agent : call.tool;
  if (call.asModel && call.state === "waiting") return { before: "You are the model of ", name, after: "" };
  if (isAnswered(call)) {
    const word = VERDICTS[decisionOf(call).verdict][1];
    return { before: call.asModel ? `${word} as the model of ` : `${word} `, name, after: "" };
  }
  if (call.state === "over") return { before: "", name, after: ` was not ${call.asksApproval ? "decided" : "answered"}` };
  if (optionsOf(call).length) return { before: "Choose one: ", name, after: "" };
  return call.asksApproval ? { before: "Approve ", name, after: "?" } : { before: "", name, after: " waits for an answer" };
}

/**
 * @param {PendingCall} call
 * @param {Mark} mark
 */
function drawTitle(call, mark) {
  const sign = isAnswered(call) ? VERDICTS[decisionOf(call).verdict][0] : call.state === "over" ? "stop" : "pause";
  const { before, name, after } = titleParts(call);
  const by = h("span.by", {}, markIcon(mark), call.agent);
  return h("h4", {}, icon(sign), h("span", {}, before, h("code", {}, name), after), by);
}
