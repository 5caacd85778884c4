// @ts-check
/** What a field is changed with, by its kind. Each tells a changed value when it is left, or at once where nothing is typed. */

import { focusedIn, h, replace, setAttribute } from "../../../browser/js/elements.js";
import { Edges } from "./edges.js";
import { Instruction } from "./instruction.js";
import { Tools } from "./tools.js";

/** @import { Act, Changed, Control, Field } from "../types.d.ts" */

/**
 * @param {Field} field
 * @param {Changed} changed takes null for a field that is to go
 * @param {(act: Act) => void} act takes what is more than a value of the field
 * @returns {Control}
 */
export function control(field, changed, act) {
  if (field.kind === "instruction") return new Instruction(field, changed);
  if (field.kind === "tools") return new Tools(field, changed, act);
  if (field.kind === "edges") return new Edges(field, changed);
  if (field.kind === "switch") return switchOf(field, changed);
  if (field.kind === "choice") return choiceOf(field, changed);
  return typedIn(field, changed);
}

/**
 * @param {Field} field
 * @param {Changed} changed
 * @returns {Control}
 */
function typedIn(field, changed) {
  const id = `field-${field.name}`;
  const isLong = field.kind === "text" || field.kind === "yaml";
  const offers = h("datalist", { id: `${id}-offers` });
  const input = isLong ? h("textarea", { id, rows: "2" }) : h("input", {
    id,
    type: field.kind === "number" ? "number" : "text",
    step: "any",
    autocomplete: "off",
    spellcheck: "false",
  });
  if (field.choices.length) {
    setAttribute(input, "list", offers.id);
    replace(offers, field.choices.map((value) => h("option", { value })));
  }
  let shown = "";
  const tell = () => {
    if (input.value === shown || input.validity.badInput) return; // half a number, such as “3e”, has the value ""
    shown = input.value;
    const text = input.value.trim();
    if (field.kind === "number") changed(text === "" || !Number.isFinite(Number(text)) ? null : Number(text));
    else if (field.kind === "words") changed(wordsIn(text));
    else changed(text === "" ? null : field.kind === "line" ? text : input.value);
  };
  input.onchange = tell;
  return {
    id,
    labelled: true,
    element: h("div.typed", {}, input, offers),
    focus: () => input.focus(),
    describe: (note) => setAttribute(input, "aria-describedby", note),
    update(value, { locked }) {
      const text = value === null ? "" : Array.isArray(value) ? value.join(", ") : String(value);
      const isBeingTyped = focusedIn(input) !== null && input.value !== shown;
      if (!isBeingTyped && input.value !== text) input.value = text;
      if (!isBeingTyped) shown = text;
      input.readOnly = locked;
    },
  };
}

/**
 * The words of a text with commas between them, each once; null for none.
 * @param {string} text
 */
function wordsIn(text) {
  const words = [...new Set(text.split(/[,、，]/).map((word) => word.trim()).filter(Boolean))];
  return words.length ? words : null;
}

/**
 * @param {Field} field
 * @param {Changed} changed
 * @returns {Control}
 */
function switchOf(field, changed) {
  const id = `field-${field.name}`;
  const box = h("input", { id, type: "checkbox", onchange: ({ target }) => changed(target.checked || null) });
  return {
    id,
    labelled: true,
    element: box,
    focus: () => box.focus(),
    describe: (note) => setAttribute(box, "aria-describedby", note),
    update(value, { locked }) {
      box.checked = value === true;
      box.disabled = locked;
    },
  };
}

/**
 * @param {Field} field
 * @param {Changed} changed
 * @returns {Control}
 */
function choiceOf(field, changed) {
  const id = `field-${field.name}`;
  const [usual] = field.choices;
  const select = h("select", { id, onchange: ({ target }) => changed(target.value === usual ? null : target.value) });
  replace(select, field.choices.map((value) => h("option", { value }, value)));
  return {
    id,
    labelled: true,
    element: select,
    focus: () => select.focus(),
    describe: (note) => setAttribute(select, "aria-describedby", note),
    update(value, { locked }) {
      select.value = value === null ? usual : String(value);
      select.disabled = locked;
    },
  };
}
