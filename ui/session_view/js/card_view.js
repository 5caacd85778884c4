/**
 * The card of a call that waits for a person: what is to be decided, the fields to decide it with, and what was decided.
 * Knows one call and its draft; the log says when the answer arrived.
 */

import { h, icon, markIcon, replace } from "./dom.js";
import { fieldsOf, readAnswer, readFields } from "./fields.js";
import { clip, oneLine, pretty } from "./format.js";
import { decisionOf, editsOf, optionsOf } from "./pending.js";
import { decidedWords, isReview } from "./review.js";
import { drawReview, drawReviewed, reviewTitle } from "./review_view.js";
import { markOf } from "./tree.js";

const VERDICTS = { approved: ["check", "Approved"], rejected: ["cross_out", "Rejected"], answered: ["answer", "Answered"] };
const ONE_LINE = 64;
let problems = 0;
const SILENT = "Nothing came back within 10 seconds. You can try again; if it stays so, reload the page.";

/**
 * @param answers what `createAnswers` gives
 * @param hindrance why no answer can be given now, in words; "" when one can
 * @param bullets texts of bullets, as `createBullets` gives them
 * @param onResize called when the card's height changed by itself
 */
export function createCards({ answers, hindrance, bullets, onResize }) {
  /** What a card shows besides the call itself, as a stamp. */
  const stamp = (call) => (call.state === "waiting" ? `${answers.stateOf(call.id)} ${hindrance()}` : "");

  function draw(element, { call }, { index }) {
    const mark = markOf(index, call.agent);
    const card = h(`section.card.${call.state}`, { "aria-label": titleOf(call), tabindex: "-1", "data-takes-focus": true });
    element.classList.add(`c-${mark.colour}`);
    element.append(card);
    const show = (focus) => {
      replace(card, drawTitle(call, mark), call.hint && h("p.ask", {}, call.hint), call.state === "waiting" ? drawWaiting(call, show) : drawPast(call, onResize));
      if (focus === undefined) return;
      onResize();
      const target = card.querySelector(focus) ?? card;
      target.focus({ preventScroll: true });
      target.scrollIntoView({ block: "nearest" });
    };
    card.onkeydown = (event) => {
      const draft = answers.draftOf(call.id);
      if (event.key !== "Escape" || call.state !== "waiting" || draft.form === "choose") return;
      event.stopPropagation();
      close(draft, show);
    };
    show();
  }

  function drawWaiting(call, show) {
    const draft = answers.draftOf(call.id);
    const state = answers.stateOf(call.id);
    const off = state === "sending" || hindrance() !== "";
    const give = (response) => off || answers.give(call.id, response);
    const fields = isReview(call) ? drawReview(call, draft, { off, give, show, bullets, onResize }) : call.asksApproval ? drawApproval(call, draft, { off, give, show }) : drawQuestion(call, draft, { off, give, show });
    const said = state === "sending" ? "sending…" : hindrance() || (state === "silent" ? SILENT : "");
    return [...fields, said && h(`p.said.${state}`, { role: "status" }, said)];
  }

  function drawApproval(call, draft, { off, give, show }) {
    if (draft.form === "edit") return drawEditing(call, draft, { off, give, show });
    const open = (form, focus) => () => ((draft.form = form), (draft.errors = {}), show(focus));
    const table = drawValues({ ...call.args, ...payloadOf(call) });
    if (draft.form === "reject") {
      const reject = () => give({ confirmed: false, ...(draft.reason.trim() && { reason: draft.reason.trim() }) });
      const reason = h("input.reason", { type: "text", value: draft.reason, maxlength: "2000", disabled: off, oninput: ({ target }) => (draft.reason = target.value), onkeydown: onEnter(reject) });
      return [table, h("label.field", {}, h("span", {}, "Why not? The agent is told."), reason),
        buttons(button("Reject", "reject", reject, { off, look: "danger" }), button("Back", "back", () => close(draft, show), { off }))];
    }
    return [table, buttons(
      button("Approve", "approve", () => give({ confirmed: true }), { off, look: "main", sign: "check" }),
      button("Reject", "reject", open("reject", "input"), { off, look: "danger", sign: "cross_out" }),
      Object.keys({ ...call.args, ...payloadOf(call) }).length > 0 && button("Edit arguments", "edit", open("edit", "input, textarea"), { off }))];
  }

  function drawEditing(call, draft, { off, give, show }) {
    draft.fields ??= { args: fieldsOf(call.args), payload: fieldsOf(payloadOf(call)) };
    const { args, payload } = draft.fields;
    const approve = () => {
      const read = [readFields(args), readFields(payload)];
      draft.errors = { ...read[0].errors, ...read[1].errors };
      if (Object.keys(draft.errors).length) return show("[aria-invalid=true]");
      const changed = editsOf(call.args, read[0].values).length > 0;
      give({ confirmed: true, ...(changed && { args: read[0].values }), ...("payload" in read[1].values && { payload: read[1].values.payload }) });
    };
    return [h("div.fields", {}, [...args, ...payload].map((field) => drawField(field, draft.errors[field.name], off, approve))),
      buttons(button("Approve with these", "approve", approve, { off, look: "main", sign: "check" }),
        button("Back", "back", () => close(draft, show), { off }))];
  }

  function drawQuestion(call, draft, { off, give, show }) {
    const options = optionsOf(call);
    if (options.length) return [buttons(options.map((option, place) => button(clip(option, 200), `option-${place + 1}`, () => give({ result: option }), { off, look: "side.option" })))];
    const answer = () => {
      const { response, error } = readAnswer(draft.text);
      draft.errors = error ? { answer: error } : {};
      if (error) show("[aria-invalid=true]");
      else give(response);
    };
    const field = { name: "answer", kind: "answer", get held() { return draft.text; }, set held(text) { draft.text = text; } };
    return [drawValues(call.args), h("div.fields.wide", {}, drawField(field, draft.errors.answer, off, answer, "Your answer: text, or an object in JSON")),
      buttons(button("Answer", "answer", answer, { off, look: "main", sign: "answer" }))];
  }

  function close(draft, show) {
    const left = draft.form;
    Object.assign(draft, { form: "choose", fields: null, errors: {} });
    show(`[data-do=${left}]`);
  }

  return { draw, stamp };
}

function titleOf(call) {
  const { before, name, after = "" } = titleParts(call);
  return `${before}${name}${after}`;
}

function titleParts(call) {
  if (isReview(call)) return reviewTitle(call);
  const name = call.tool;
  if (call.state === "answered") return { before: `${VERDICTS[decisionOf(call).verdict][1]} `, name };
  if (call.state === "over") return { before: "", name, after: ` was not ${call.asksApproval ? "decided" : "answered"}` };
  if (optionsOf(call).length) return { before: "Choose one: ", name };
  return call.asksApproval ? { before: "Approve ", name, after: "?" } : { before: "", name, after: " waits for an answer" };
}

function drawTitle(call, mark) {
  const past = call.state === "answered" ? VERDICTS[decisionOf(call).verdict] : null;
  const sign = past ? past[0] : call.state === "over" ? "stop" : "pause";
  const { before, name, after } = titleParts(call);
  return h("h4", {}, icon(sign), h("span", {}, before, h("code", {}, name), after), h("span.by", {}, markIcon(mark), call.agent));
}

/** What came of it: the decision with its reason and changes, or that nobody waits any more. */
function drawPast(call, onResize) {
  const review = isReview(call);
  if (call.state === "over") return [review ? drawReviewed(call, { onResize }) : drawValues(call.args), h("p.said", {}, "No longer waiting: its run has ended, or a later message began another.")];
  if (review) return [drawReviewed(call, { onResize }), h("p.said", {}, `${decidedWords(call)}, by ${decisionOf(call).by}`)];
  const { verdict, by, reason, edits, said } = decisionOf(call);
  const values = Object.fromEntries(Object.entries(call.args).filter(([name]) => !edits.some((edit) => edit.name === name)));
  return [drawValues(values), edits.length > 0 && h("dl.values.edits", {}, edits.map(drawEdit)),
    said != null && h("dl.values", {}, h("dt", {}, verdict === "answered" ? "answer" : "payload"), h("dd", {}, pretty(said?.result !== undefined && Object.keys(said).length === 1 ? said.result : said))),
    h("p.said", {}, `${VERDICTS[verdict][1]} by ${by}${edits.length ? `, with ${edits.length === 1 ? "one argument" : `${edits.length} arguments`} changed` : ""}${reason ? ": " : ""}`, reason && h("q", {}, reason))];
}

function drawEdit({ name, before, after, had, has }) {
  return [h("dt", {}, name), h("dd", {}, had && h("del", {}, oneLine(before)), had && has && " → ", has && h("ins", {}, oneLine(after)))];
}

/** A value on a line if it fits there. */
function readable(value) {
  return value !== null && typeof value === "object" && JSON.stringify(value).length <= ONE_LINE ? JSON.stringify(value) : pretty(value);
}

function payloadOf({ payload }) {
  return payload === null ? {} : { payload };
}

function drawValues(values) {
  const entries = Object.entries(values);
  return entries.length > 0 && h("dl.values", {}, entries.map(([name, value]) => [h("dt", {}, name), h("dd", {}, readable(value))]));
}

/** A field of a form. What is typed goes to `field.held` at once, so that it outlives the element. */
function drawField(field, error, off, onDone, label = field.name) {
  const id = `problem-${(problems += 1)}`;
  const shared = { disabled: off, "aria-invalid": error ? "true" : null, "aria-describedby": error ? id : null, "data-kind": field.kind };
  const take = ({ target }) => (field.held = field.kind === "boolean" ? target.checked : target.value);
  const input = field.kind === "boolean" ? h("input", { ...shared, type: "checkbox", checked: field.held, onchange: take })
    : ["text", "number"].includes(field.kind) ? h("input", { ...shared, type: field.kind, step: "any", value: field.held, oninput: take, onkeydown: onEnter(onDone) })
    : h("textarea", { ...shared, rows: String(rowsFor(field.held)), spellcheck: field.kind === "json" ? "false" : null, oninput: take }, field.held);
  return h("label.field", {}, h("span", {}, label), input, error && h("span.problem", { id, role: "alert" }, error));
}

function rowsFor(text) {
  const lines = text.split("\n").reduce((n, line) => n + 1 + Math.floor(line.length / 45), 0);
  return Math.max(2, Math.min(8, lines));
}

/** A button that stays in the tab order while it is off, so that the focus is not lost. `name` finds it again. */
function button(label, name, act, { off, look = "side", sign = null }) {
  return h(`button.do.${look}`, { type: "button", "data-do": name, "aria-disabled": off ? "true" : null, onclick: () => off || act() }, sign && icon(sign), label);
}

function buttons(...all) {
  return h("div.buttons", {}, all);
}

function onEnter(act) {
  return (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    act();
  };
}
