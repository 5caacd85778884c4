// @ts-check
/** Buttons and fields of a form. */

import { endsComposition } from "../dom/composition.js";
import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { pretty } from "../words/format.js";
import { isNested, writeJson } from "../../../browser/js/json.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { Field } from "./fields.js" */
/** @import { Draft, Form } from "./types.d.ts" */

const ONE_LINE = 64;
let problems = 0;

/**
 * A button that stays in the tab order while it is off, so that the focus is not lost.
 * @param {string} label
 * @param {string} name finds it again
 * @param {() => void} act
 * @param {{ off: boolean; look?: string; sign?: string }} manner
 */
export function button(label, name, act, { off, look = "side", sign }) {
  const attributes = { type: "button", "data-do": name, "aria-disabled": off ? "true" : null };
  return h(`button.do.${look}`, { ...attributes, onclick: () => off || act() }, sign && icon(sign), label);
}

/** @param {...Child} all */
export function buttons(...all) {
  return h("div.buttons", {}, all);
}

/**
 * Closes the form that is open; the focus goes to the button that opened it.
 * @param {Pick<Form, "draft" | "show">} form
 * @param {(form: Draft["form"]) => string} opener a selector
 */
export function closeForm({ draft, show }, opener = (form) => `[data-do=${form}]`) {
  const left = draft.form;
  Object.assign(draft, { form: "choose", fields: null, errors: {} });
  show(opener(left));
}

/**
 * What to do with a key: Enter sends.
 * @param {() => void} act
 * @returns {(event: KeyboardEvent) => void}
 */
export function onEnter(act) {
  return (event) => {
    if (event.key !== "Enter" || endsComposition(event)) return;
    event.preventDefault();
    act();
  };
}

/**
 * What is wrong with a field, and the attributes that tie the field to it.
 * @param {string | undefined} error
 * @returns {{ attributes: Record<string, string | null>; note: HTMLElement | null }}
 */
export function problem(error) {
  if (!error) return { attributes: {}, note: null };
  const id = `problem-${(problems += 1)}`;
  const note = h("span.problem", { id, role: "alert" }, error);
  return { attributes: { "aria-invalid": "true", "aria-describedby": id }, note };
}

/**
 * A field of a form. What is typed goes to `field.held` at once, so that it outlives the element.
 * @param {{ kind: Field["kind"] | "choice"; held: Field["held"]; options?: [label: string, value: Json][] }} field
 * @param {object} options
 * @param {string} options.label
 * @param {string} [options.about] what is to be known of it
 * @param {string | undefined} options.error
 * @param {boolean} options.off
 * @param {() => void} options.onDone
 * @param {(held: string | boolean) => void} options.onChange
 */
export function drawField({ kind, held, options = [] }, { label, about, error, off, onDone, onChange }) {
  const { attributes, note } = problem(error);
  const shared = { disabled: off, "data-kind": kind, ...attributes };
  return h("label.field", {}, h("span", {}, label, about && h("span.about", {}, about)), drawInput(), note);

  function drawInput() {
    if (typeof held === "boolean") {
      const onchange = (/** @type {{ target: HTMLInputElement }} */ { target }) => onChange(target.checked);
      return h("input", { ...shared, type: "checkbox", checked: held, onchange });
    }
    if (kind === "choice") {
      const onchange = (/** @type {{ target: HTMLSelectElement }} */ { target }) => onChange(target.value);
      const offered = [["", "—"], ...options.map(([words], i) => [String(i), words])];
      return h(
        "select",
        { ...shared, onchange },
        offered.map(([value, words]) => h("option", { value, selected: value === held }, words)),
      );
    }
    const oninput = (/** @type {{ target: HTMLInputElement | HTMLTextAreaElement }} */ { target }) => onChange(target.value);
    if (kind === "text" || kind === "number") {
      // A field of the type "number" empties itself where a number is too large for it.
      const inputmode = kind === "number" ? "decimal" : null;
      return h("input", { ...shared, type: "text", inputmode, value: held, oninput, onkeydown: onEnter(onDone) });
    }
    const spellcheck = kind === "json" ? "false" : null;
    const onkeydown = (/** @type {KeyboardEvent} */ event) => {
      if (event.ctrlKey || event.metaKey) onEnter(onDone)(event);
    };
    return h("textarea", { ...shared, rows: String(rowsFor(held)), spellcheck, oninput, onkeydown }, held);
  }
}

/** @param {string} text */
function rowsFor(text) {
  const lines = text.split("\n").reduce((n, line) => n + 1 + Math.floor(line.length / 45), 0);
  return Math.max(2, Math.min(8, lines));
}

/** @param {Record<string, Json>} values */
export function drawValues(values) {
  const entries = Object.entries(values);
  return entries.length > 0 &&
    h("dl.values", {}, entries.map(([name, value]) => [h("dt", {}, name), h("dd", {}, readable(value))]));
}

/**
 * A value on a line if it fits there.
 * @param {Json} value
 */
function readable(value) {
  const line = isNested(value) ? writeJson(value) : "";
  return line && line.length <= ONE_LINE ? line : pretty(value);
}

/**
 * Asks why a call is refused: a line for the reason, a button that sends it, and one back.
 * @param {Form} form
 * @param {{ label: string; name: string; question: string; send: (reason: string) => void }} asked
 */
export function drawReason(form, { label, name, question, send }) {
  const { draft, off } = form;
  const act = () => send(draft.reason.trim());
  const reason = h("input.reason", {
    type: "text",
    value: draft.reason,
    maxlength: "2000",
    disabled: off,
    oninput: ({ target }) => (draft.reason = target.value),
    onkeydown: onEnter(act),
  });
  return [
    h("label.field", {}, h("span", {}, question), reason),
    buttons(button(label, name, act, { off, look: "danger" }), button("Back", "back", () => closeForm(form), { off })),
  ];
}
