/**
 * Feedback on an answer: a thumb, or what came of running it (an exit code, a test, a tool's answer). Either starts a run that
 * learns from it; the log says that it did.
 */

import { h, icon } from "./dom.js";
import { feedbackOf, outcomeOf, verdictWords } from "./judging.js";

const SILENT = "Nothing came back within 10 seconds. You can try again; if it stays so, reload the page.";
export const LONGEST_ANSWER = 2000;

/**
 * @param answers what `createAnswers` gives, for answers by their seq
 * @param hindrance why no verdict can be given now, in words; "" when one can
 * @param offered whether thumbs are there at all
 * @param onResize called when the row's height changed by itself
 */
export function createThumbs({ answers, hindrance, offered, onResize }) {
  const stamp = ({ seq, verdict }) => (verdict ? "" : `${answers.stateOf(seq)} ${offered()} ${hindrance()}`);

  /** Fills the row below an answer. */
  function draw(element, { live: answer }) {
    if (!answer.verdict && !offered()) return;
    const body = h("div.body.judging");
    element.setAttribute("aria-label", `Was the answer of ${answer.agent} right?`);
    element.append(h("div.glyph"), body);
    const show = (focus) => {
      body.replaceChildren(...(answer.verdict ? drawVerdict(answer.verdict) : drawQuestion(answer, show)).filter(Boolean));
      if (focus === undefined) return;
      onResize();
      body.querySelector(focus)?.focus({ preventScroll: true });
    };
    body.onkeydown = (event) => {
      if (event.key !== "Escape" || answers.draftOf(answer.seq).form === "choose") return;
      event.stopPropagation();
      close(answer, show);
    };
    show();
  }

  function drawQuestion(answer, show) {
    const draft = answers.draftOf(answer.seq);
    const state = answers.stateOf(answer.seq);
    const why = hindrance();
    const off = state === "sending" || why !== "";
    const give = (right) => off || answers.give(answer.seq, feedbackOf(answer.seq, right, draft.text));
    const said = state === "sending" ? "sending…" : state === "silent" ? SILENT : "";
    const tell = said && h(`span.said.${state}`, { role: "status" }, said);
    if (draft.form === "wrong") return [drawWrong(answer, draft, { off, give, show }), tell];
    if (draft.form === "outcome") return [drawOutcome(answer, draft, { off, show }), tell];
    return [
      h("span.quiet", {}, "Right?"),
      thumb("thumb_up", "right", "The answer is right", why || "Right: what it rests on is tagged helpful, which means verified", off, () => give(true), answer),
      thumb("thumb_down", "wrong", "The answer is wrong", why || "Wrong: you may say what is right", off, () => ((draft.form = "wrong"), show("input")), answer),
      thumb("terminal", "outcome", "Enter what came of running it", why || "An exit code, a test's report or a tool's answer", off, () => ((draft.form = "outcome"), show("input")), answer),
      tell,
    ];
  }

  function drawWrong(answer, draft, { off, give, show }) {
    const onkeydown = (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      give(false);
    };
    const oninput = ({ target }) => (draft.text = target.value);
    const field = h("input", { type: "text", value: draft.text, maxlength: LONGEST_ANSWER, readonly: off, placeholder: "optional", "data-takes-focus": true, oninput, onkeydown });
    return h("div.wrong", {},
      h("label.field", {}, h("span", {}, "The right answer, if you know it"), field),
      h("div.buttons", {},
        h("button.do.main", { type: "button", "aria-disabled": off ? "true" : null, onclick: () => give(false) }, icon("thumb_down"), "It is wrong"),
        h("button.do.side", { type: "button", onclick: () => close(answer, show) }, "Back")));
  }

  function drawOutcome(answer, draft, { off, show }) {
    const send = () => {
      const told = outcomeOf(answer.seq, draft.outcome ?? "");
      if (!off && told) answers.give(answer.seq, told);
    };
    const onkeydown = (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      send();
    };
    const oninput = ({ target }) => (draft.outcome = target.value);
    const field = h("input", { type: "text", value: draft.outcome ?? "", maxlength: LONGEST_ANSWER, readonly: off, placeholder: "exit code 1: expected 1.5", "data-takes-focus": true, oninput, onkeydown });
    return h("div.wrong", {},
      h("label.field", {}, h("span", {}, "What came of running it"), field),
      h("div.buttons", {},
        h("button.do.main", { type: "button", "aria-disabled": off ? "true" : null, onclick: send }, icon("terminal"), "Learn from it"),
        h("button.do.side", { type: "button", onclick: () => close(answer, show) }, "Back")));
  }

  function close(answer, show) {
    const draft = answers.draftOf(answer.seq);
    const from = draft.form;
    draft.form = "choose";
    show(`[data-thumb=${from}]`);
  }

  return { draw, stamp };
}

function thumb(sign, name, label, title, off, act, { verdict }) {
  return h("button.thumb", { type: "button", "data-thumb": name, "data-takes-focus": name === "right" && !verdict, "aria-label": label, title, "aria-disabled": off ? "true" : null, onclick: () => off || act() }, icon(sign), h("span", {}, name));
}

function drawVerdict(verdict) {
  const { title, answer } = verdictWords(verdict);
  if (verdict.outcome) return [h("p.verdict.outcome", { tabindex: "-1", "data-takes-focus": true }, icon("terminal"), h("b", {}, title), h("span", {}, answer))];
  return [h(`p.verdict.${verdict.right ? "right" : "wrong"}`, { tabindex: "-1", "data-takes-focus": true }, icon(verdict.right ? "thumb_up" : "thumb_down"), h("b", {}, title), answer && h("span", {}, `The right answer: ${answer}`))];
}
