// @ts-check
/**
 * Feedback on an answer: a thumb, or what came of running it (an exit code, a test, a tool's answer). Either starts a run
 * that learns from it; the log says that it did.
 */

import { h, replace } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { feedbackOf, outcomeOf, verdictWords } from "../log/folds/verdicts.js";
import { SILENT } from "./card.js";
import { closeForm, onEnter } from "./controls.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { JudgedAnswer } from "../log/folds.d.ts" */
/** @import { Draw } from "../rows/types.d.ts" */
/** @import { Answers } from "./answers.js" */
/** @import { Draft } from "./types.d.ts" */

/**
 * What the page is told of an answer.
 * @typedef {ReturnType<typeof feedbackOf> | NonNullable<ReturnType<typeof outcomeOf>>} Feedback
 */
/**
 * @typedef {object} Bench where answers are judged
 * @property {Answers<number, Feedback>} answers by their `seq`
 * @property {() => string} hindrance why nothing can be said now; "" when it can
 * @property {() => boolean} offered whether thumbs are there at all
 */
/**
 * @typedef {object} Form
 * @property {Draft} draft
 * @property {boolean} off nothing can be sent now
 * @property {(feedback: Feedback | null) => void} give
 * @property {(focus?: string) => void} show draws the row anew
 */

export const LONGEST_ANSWER = 2000;

/**
 * What a row of thumbs shows besides the answer.
 * @param {JudgedAnswer} answer
 * @param {Bench} bench
 */
export function stampOfThumbs({ seq, verdict }, { answers, hindrance, offered }) {
  return verdict ? "" : `${answers.stateOf(seq)} ${offered()} ${hindrance()}`;
}

/**
 * @param {Bench} bench
 * @returns {Draw<"thumbs">}
 */
export function createThumbs(bench) {
  return (element, { live: answer }, { onResize }) => {
    if (!answer.verdict && !bench.offered()) return;
    const draft = bench.answers.draftOf(answer.seq);
    const body = h("div.body.judging");
    const show = (/** @type {string} */ focus = "") => {
      replace(body, answer.verdict ? drawVerdict(answer.verdict) : drawQuestion(answer, bench, draft, show));
      if (!focus) return;
      onResize();
      const target = body.querySelector(focus);
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    };
    body.onkeydown = (event) => {
      if (event.key !== "Escape" || draft.form === "choose") return;
      event.stopPropagation();
      close(draft, show);
    };
    element.setAttribute("aria-label", `Was the answer of ${answer.agent} right?`);
    element.append(h("div.glyph"), body);
    show();
  };
}

/**
 * @param {JudgedAnswer} answer
 * @param {Bench} bench
 * @param {Draft} draft
 * @param {(focus?: string) => void} show
 * @returns {Child[]}
 */
function drawQuestion(answer, { answers, hindrance }, draft, show) {
  const state = answers.stateOf(answer.seq);
  const why = hindrance();
  const off = state === "sending" || why !== "";
  const give = (/** @type {Feedback | null} */ feedback) => {
    if (!off && feedback) answers.give(answer.seq, feedback);
  };
  const form = { draft, off, give, show };
  const said = state === "sending" ? "sending…" : state === "silent" ? SILENT : "";
  const inside = draft.form === "wrong"
    ? drawWrong(answer, form)
    : draft.form === "outcome"
    ? drawOutcome(answer, form)
    : drawChoice(answer, why, form);
  return [inside, said && h(`span.said.${state}`, { role: "status" }, said)];
}

/**
 * @param {JudgedAnswer} answer
 * @param {string} why nothing can be said now
 * @param {Form} form
 */
function drawChoice({ seq }, why, { draft, off, give, show }) {
  /** @type {(form: "wrong" | "outcome") => () => void} */
  const open = (form) => () => {
    draft.form = form;
    show("input");
  };
  /** @type {(sign: string, name: string, label: string, title: string, act: () => void) => HTMLElement} */
  const thumb = (sign, name, label, title, act) => {
    const attributes = { type: "button", "data-thumb": name, "aria-label": label, title: why || title };
    const state = { "data-takes-focus": name === "right", "aria-disabled": off ? "true" : null };
    return h("button.thumb", { ...attributes, ...state, onclick: () => off || act() }, icon(sign), h("span", {}, name));
  };
  const right = "Right: what it rests on is tagged helpful, which means verified";
  const outcome = "An exit code, a test's report or a tool's answer";
  return [
    h("span.quiet", {}, "Right?"),
    thumb("thumb_up", "right", "The answer is right", right, () => give(feedbackOf(seq, true, draft.text))),
    thumb("thumb_down", "wrong", "The answer is wrong", "Wrong: you may say what is right", open("wrong")),
    thumb("terminal", "outcome", "Enter what came of running it", outcome, open("outcome")),
  ];
}

/**
 * @param {JudgedAnswer} answer
 * @param {Form} form
 */
function drawWrong({ seq }, form) {
  const { draft, give } = form;
  return drawEntry(form, {
    label: "The right answer, if you know it",
    value: draft.text,
    placeholder: "optional",
    onInput: (text) => (draft.text = text),
    sign: "thumb_down",
    word: "It is wrong",
    act: () => give(feedbackOf(seq, false, draft.text)),
  });
}

/**
 * @param {JudgedAnswer} answer
 * @param {Form} form
 */
function drawOutcome({ seq }, form) {
  const { draft, give } = form;
  return drawEntry(form, {
    label: "What came of running it",
    value: draft.outcome,
    placeholder: "exit code 1: expected 1.5",
    onInput: (text) => (draft.outcome = text),
    sign: "terminal",
    word: "Learn from it",
    act: () => give(outcomeOf(seq, draft.outcome)),
  });
}

/**
 * @typedef {object} Entry a field, and the button that sends it
 * @property {string} label
 * @property {string} value
 * @property {string} placeholder
 * @property {(text: string) => void} onInput
 * @property {string} sign
 * @property {string} word
 * @property {() => void} act
 */

/**
 * @param {Form} form
 * @param {Entry} entry
 */
function drawEntry({ draft, off, show }, { label, value, placeholder, onInput, sign, word, act }) {
  const attributes = {
    type: "text",
    value,
    placeholder,
    maxlength: LONGEST_ANSWER,
    readonly: off,
    "data-takes-focus": true,
  };
  const field = h("input", { ...attributes, oninput: ({ target }) => onInput(target.value), onkeydown: onEnter(act) });
  const state = { type: "button", "aria-disabled": off ? "true" : null };
  return h(
    "div.wrong",
    {},
    h("label.field", {}, h("span", {}, label), field),
    h(
      "div.buttons",
      {},
      h("button.do.main", { ...state, onclick: act }, icon(sign), word),
      h("button.do.side", { type: "button", onclick: () => close(draft, show) }, "Back"),
    ),
  );
}

/**
 * @param {Draft} draft
 * @param {(focus?: string) => void} show
 */
function close(draft, show) {
  closeForm({ draft, show }, (form) => `[data-thumb=${form}]`);
}

/** @param {NonNullable<JudgedAnswer["verdict"]>} verdict */
function drawVerdict(verdict) {
  const { title, answer } = verdictWords(verdict);
  const [look, sign] = verdict.outcome
    ? ["outcome", "terminal"]
    : verdict.right
    ? ["right", "thumb_up"]
    : ["wrong", "thumb_down"];
  const told = verdict.outcome || !answer ? answer : `The right answer: ${answer}`;
  const attributes = { tabindex: "-1", "data-takes-focus": true };
  return h(`p.verdict.${look}`, attributes, icon(sign), h("b", {}, title), told && h("span", {}, told));
}
