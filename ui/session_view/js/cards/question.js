// @ts-check
/** The form of a call that waits for an answer: options to choose from, or a field. */

import { h } from "../../../browser/js/elements.js";
import { optionsOf } from "../log/folds/pending.js";
import { clip } from "../words/format.js";
import { button, buttons, drawField, drawValues } from "./controls.js";
import { readAnswer } from "./fields.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { Option, PendingCall } from "../log/folds.d.ts" */
/** @import { Form } from "./types.d.ts" */

/**
 * @param {PendingCall} call
 * @param {Form} form
 * @returns {Child[]}
 */
export function drawQuestion(call, form) {
  const { question, args } = call;
  const options = optionsOf(call);
  const asked = question && h("p.question", {}, question);
  const shown = question ? Object.keys(args).length > 0 && drawValues(args) : !options.length && drawValues(args);
  return [asked, shown, ...(options.length ? [drawOptions(options, form)] : drawTyped(form))];
}

/**
 * @param {Option[]} options
 * @param {Form} form
 */
function drawOptions(options, { off, give }) {
  return buttons(
    options.map(({ label, response }, i) =>
      button(clip(label, 200), `option-${i + 1}`, () => give(response), { off, look: "side.option" })
    ),
  );
}

/** @param {Form} form */
function drawTyped({ draft, off, give, show }) {
  const answer = () => {
    const { response, error } = readAnswer(draft.text);
    draft.errors = error ? { answer: error } : {};
    if (response) give(response);
    else show("[aria-invalid=true]");
  };
  const field = drawField({ kind: "long", held: draft.text }, {
    label: "Your answer: text, or an object in JSON",
    error: draft.errors.answer,
    off,
    onDone: answer,
    onChange: (held) => (draft.text = String(held)),
  });
  return [
    h("div.fields.wide", {}, field),
    buttons(button("Answer", "answer", answer, { off, look: "main", sign: "answer" })),
  ];
}
