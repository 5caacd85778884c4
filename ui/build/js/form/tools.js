// @ts-check
/** The tools that an agent's model may call, as checkboxes. One that cannot be chosen here, with arguments, can be taken out. */

import { h, replace, setAttribute } from "../../../browser/js/elements.js";
import { sameJson } from "../../../browser/js/json.js";

/** @import { Changed, Control, Field, Given, Tool, ToolUse } from "../types.d.ts" */

/** @implements {Control} */
export class Tools {
  id = "field-tools";
  labelled = false;
  element;
  #changed;
  #drawn = "";
  /** @type {ToolUse[]} */
  #held = [];

  /**
   * @param {Field} field
   * @param {Changed} changed
   */
  constructor(field, changed) {
    this.#changed = changed;
    this.element = h("div.tools", { role: "group", "aria-label": field.label });
  }

  focus() {
    this.element.querySelector("input")?.focus();
  }

  /** @param {string} note */
  describe(note) {
    setAttribute(this.element, "aria-describedby", note);
  }

  /**
   * @param {ToolUse[] | null} held
   * @param {Given} given
   */
  update(held, { data, locked }) {
    this.#held = held ?? [];
    const own = this.#held.filter((use) => !data.tools.some((tool) => sameJson(tool.use, use)));
    const offered = [...own.map((use) => ({ label: inWords(use), about: "", use })), ...data.tools];
    const drawn = JSON.stringify([offered, locked]);
    if (drawn !== this.#drawn) replace(this.element, offered.map((tool) => this.#box(tool, locked)));
    this.#drawn = drawn;
    this.element.querySelectorAll("input").forEach((box, at) => {
      box.checked = this.#held.some((use) => sameJson(use, offered[at].use));
    });
  }

  /**
   * @param {Tool} tool
   * @param {boolean} locked
   */
  #box({ label, about, use }, locked) {
    const toggle = (/** @type {Event & { target: HTMLInputElement }} */ { target }) => this.#toggle(use, target.checked);
    const box = h("input", { type: "checkbox", disabled: locked, onchange: toggle });
    return h("label", { title: about || null }, box, h("span", {}, label));
  }

  /**
   * @param {ToolUse} use
   * @param {boolean} on
   */
  #toggle(use, on) {
    const rest = this.#held.filter((other) => !sameJson(other, use));
    const now = on ? [...rest, use] : rest;
    this.#changed(now.length ? now : null);
  }
}

/** @param {ToolUse | null} use as it is written, which may be no tool */
function inWords(use) {
  const { name, args } = use ?? { name: undefined };
  if (typeof name !== "string") return JSON.stringify(use);
  return args ? `${name} ${JSON.stringify(args)}` : name;
}
