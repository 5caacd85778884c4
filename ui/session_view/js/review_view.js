/** The review of a curator's operations, inside the card of the call that asks for it: a row for each, and what came of it. */

import { linkToBullet } from "./change_view.js";
import { drawDiff } from "./diff_view.js";
import { h, icon } from "./dom.js";
import { plural } from "./format.js";
import { operationWords, rejectionsOf, TAG_SIGNS } from "./playbook.js";
import { answerOf, bulletsIn, countWords, decided, firstDecisions, LONGEST_CONTENT, problemOf } from "./review.js";

const SIGNS = { ADD: "+", REMOVE: "−", TAG: "▲" };
let problems = 0;

/**
 * The form, as the card's content.
 * @param draft kept by the card while it is out of sight; `review` in it holds the decisions
 * @param bullets what `createBullets` gives
 * @param onResize called when texts came in
 */
export function drawReview(call, draft, { off, give, show, bullets, onResize }) {
  draft.review ??= firstDecisions(call);
  const decisions = draft.review;
  const texts = presentTexts(call, bullets, onResize);
  const tally = h("span.quiet", { role: "status" });
  const count = () => (tally.textContent = countWords(decisions.filter(({ approved }) => approved).length, decisions.length));
  const handIn = () => {
    draft.errors = Object.fromEntries(decisions.map((one, i) => [i, problemOf(one)]).filter(([, problem]) => problem));
    if (Object.keys(draft.errors).length) show("[aria-invalid=true]");
    else give(answerOf(decisions));
  };
  const rejectAll = () => give(answerOf(decisions.map((one) => ({ ...one, approved: false }))));
  count();
  return [
    call.args.reasoning && h("p.ask", {}, call.args.reasoning),
    h("ol.operations", {}, decisions.map((one, i) => drawDecision(one, { name: `${call.id}:${i}`, number: i + 1, place: placeOf(call), texts, off, error: draft.errors[i], onChange: count, onResize }))),
    drawRefused(call, onResize),
    h("div.buttons", {},
      h("button.do.main", { type: "button", "data-do": "hand-in", "aria-disabled": off ? "true" : null, onclick: () => off || handIn() }, icon("check"), "Hand in"),
      h("button.do.danger", { type: "button", "data-do": "reject-all", "aria-disabled": off ? "true" : null, onclick: () => off || rejectAll() }, icon("cross_out"), "Reject all"),
      tally),
  ];
}

export function reviewTitle(call) {
  const what = `${plural(call.args.operations.length, "change")} of `;
  return { before: call.state === "waiting" ? `Review ${what}` : call.state === "over" ? `Not reviewed: ${what}` : `Reviewed ${what}`, name: String(call.args.playbook ?? "") };
}

/** What was decided. */
export function drawReviewed(call, { onResize }) {
  const all = call.state === "answered" ? decided(call) : call.args.operations.map((operation) => ({ operation, approved: null, reason: "", edited: null }));
  return [
    h("ol.operations", {}, all.map(({ operation, approved, reason, edited }) =>
      h(`li.operation${approved === false ? ".off" : ""}`, {},
        drawWhat(operation, placeOf(call), approved != null && h(`b.decision-word.${approved ? "yes" : "no"}`, {}, icon(approved ? "check" : "cross_out"), !approved ? "rejected" : edited === null ? "approved" : "approved, edited")),
        edited === null ? operation.content && h("div.text", {}, operation.content) : drawDiff(operation.content ?? "", edited, true, null),
        reason && h("p.said", {}, h("q", {}, reason))))),
    drawRefused(call, onResize),
  ];
}

function placeOf({ args }) {
  return { playbook: String(args.playbook ?? ""), revision: null };
}

/** Puts the bullets' present texts into the slots that a row keeps for them, now or when they come. */
function presentTexts(call, bullets, onResize) {
  const ids = bulletsIn(call);
  const slots = [];
  const fill = () => {
    const { found, error } = bullets.of({ ...placeOf(call), mark: call.id }, ids);
    for (const { slot, id } of slots) {
      const bullet = found.get(id);
      slot.textContent = error || (bullet === undefined ? "…" : bullet === null ? "There is no such bullet any more." : bullet.content);
      slot.classList.toggle("missing", bullet === null || error !== "");
    }
  };
  const { ready } = ids.length ? bullets.of({ ...placeOf(call), mark: call.id }, ids) : { ready: null };
  ready?.then(() => {
    fill();
    onResize();
  });
  return (id) => {
    const slot = h("div.present", {});
    slots.push({ slot, id });
    fill();
    return slot;
  };
}

function drawDecision(one, { name, number, place, texts, off, error, onChange, onResize }) {
  const { operation, editable } = one;
  const { what, ids } = operationWords(operation);
  const id = `problem-review-${(problems += 1)}`;
  const field = editable && h("textarea", {
    rows: String(Math.max(2, Math.min(6, 1 + Math.floor(one.text.length / 60)))), maxlength: LONGEST_CONTENT, disabled: off, "aria-label": `Text of change ${number}`,
    "aria-invalid": error ? "true" : null, "aria-describedby": error ? id : null, oninput: ({ target }) => (one.text = target.value),
  }, one.text);
  const reason = h("input.reason", { type: "text", value: one.reason, maxlength: "500", disabled: off, placeholder: "Why not? Optional.", "aria-label": `Why change ${number} is rejected`, oninput: ({ target }) => (one.reason = target.value) });
  const row = h("li.operation", { role: "group", "aria-label": `Change ${number}: ${what} ${ids.join(", ")}` });
  const decide = (approved) => {
    one.approved = approved;
    look();
    onChange();
    onResize();
  };
  const look = () => {
    row.classList.toggle("off", !one.approved);
    reason.hidden = one.approved;
    if (!field) return;
    field.readOnly = !one.approved;
    field.tabIndex = one.approved ? 0 : -1;
  };
  const choice = (approved, label) => h("label", {}, h("input", { type: "radio", name, checked: one.approved === approved, disabled: off, onchange: () => decide(approved) }), h("span", {}, label));
  row.append(
    drawWhat(operation, place, h("span.switch-verdict", { role: "radiogroup", "aria-label": `Decision on change ${number}` }, choice(true, "approve"), choice(false, "reject"))),
    ...ids.filter(() => operation.type !== "ADD").map((bulletId) => texts(bulletId)),
    ...(field ? [h("div.field.alone", {}, field)] : []), ...(operation.reason ? [h("p.said", {}, operation.reason)] : []), reason,
    ...(error ? [h("span.problem", { id, role: "alert" }, error)] : []));
  look();
  return row;
}

/** What an operation would do, on a line, with what is decided on it at the end. */
function drawWhat(operation, place, verdict) {
  const { what, ids, section } = operationWords(operation);
  return h("div.line", {},
    h("span.sign", { "aria-hidden": "true" }, operation.type === "TAG" ? (TAG_SIGNS[operation.tag] ?? "·") : (SIGNS[operation.type] ?? "~")), h("b", {}, what),
    ids.map((id) => linkToBullet(place, id)), section && h("span.quiet", {}, section), h("span.space"), verdict);
}

/** What was refused before it came to the person. */
function drawRefused({ args }, onResize) {
  const refused = rejectionsOf(args);
  return refused.length > 0 && h("details.refused", { ontoggle: onResize },
    h("summary", {}, `${refused.length} more ${refused.length === 1 ? "was" : "were"} refused before it came to you`),
    h("ul", {}, refused.map(({ what, ids, text, reason }) => h("li", {}, h("b", {}, [what, ...ids].join(" ")), text && `: ${text}`, h("div.why", {}, reason)))));
}
