// @ts-check
/** An instruction: text that shows state by `{key}`. While a key is typed, those that there are are offered with their writers. */

import { focusedIn, h, replace, setAttribute, setText } from "../../../browser/js/elements.js";
import { begunKey, hasScope, keysIn, nearest, withKey } from "./state_keys.js";

/** @import { Changed, Control, Field, Given } from "../types.d.ts" */

/** @implements {Control} */
export class Instruction {
  id;
  labelled = true;
  element;
  #text;
  #offers;
  #keys = h("ul.keys", { "aria-label": "State keys in this text" });
  #insert = h("button.insert", { type: "button", title: "Show a value of the state" }, "{ } Insert a key");
  #changed;
  #shown = "";
  /** @type {[string, string[]][]} */
  #known = [];
  #coded = false;
  #at = 0;
  #drawn = "";

  /**
   * @param {Field} field
   * @param {Changed} changed
   */
  constructor(field, changed) {
    this.id = `field-${field.name}`;
    this.#changed = changed;
    const list = `${this.id}-offers`;
    this.#offers = h("ul.offers", { id: list, role: "listbox", "aria-label": "State keys", hidden: true });
    this.#text = h("textarea.instruction", { id: this.id, rows: "7", "aria-autocomplete": "list", "aria-controls": list });
    this.#text.oninput = () => this.#typed();
    this.#text.onchange = () => this.#tell();
    this.#text.onkeydown = (event) => this.#key(event);
    this.#text.onclick = () => this.#offer();
    this.#text.onblur = () => this.#close();
    this.#offers.onmousedown = (event) => event.preventDefault(); // the text keeps the focus
    this.#offers.onclick = ({ target }) => {
      const option = target instanceof Element ? target.closest("li") : null;
      if (option) this.#take(option.dataset.key ?? "");
    };
    this.#insert.onmousedown = (event) => event.preventDefault();
    this.#insert.onclick = () => this.#begin();
    this.element = h("div.writing", {}, this.#text, this.#offers, this.#keys, this.#insert);
  }

  focus() {
    this.#text.focus();
  }

  /** @param {string} note */
  describe(note) {
    setAttribute(this.#text, "aria-describedby", note);
  }

  /**
   * @param {string | null} value
   * @param {Given} given
   */
  update(value, { data, locked }) {
    const text = value ?? "";
    const isBeingTyped = focusedIn(this.#text) !== null && this.#text.value !== this.#shown;
    if (!isBeingTyped && this.#text.value !== text) this.#text.value = text;
    if (!isBeingTyped) this.#shown = text;
    this.#text.readOnly = locked;
    this.#insert.hidden = locked || !data.keys.length;
    this.#known = data.keys;
    this.#coded = data.coded;
    this.#describeKeys();
  }

  #typed() {
    this.#describeKeys();
    this.#offer();
  }

  #tell() {
    if (this.#text.value === this.#shown) return;
    this.#shown = this.#text.value;
    this.#changed(this.#text.value.trim() ? this.#text.value : null);
  }

  /** Lists the keys in the text, each with who writes it; redrawn only when they differ, since this runs at each letter. */
  #describeKeys() {
    const found = [...keysIn(this.#text.value)];
    const drawn = JSON.stringify([found, this.#known, this.#coded]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#keys.hidden = !found.length;
    replace(this.#keys, found.map(([key, optional]) => this.#line(key, optional)));
  }

  /**
   * @param {string} key
   * @param {boolean} optional
   */
  #line(key, optional) {
    const writers = this.#known.find(([name]) => name === key)?.[1] ?? [];
    const code = h("code", {}, `{${key}}`);
    if (writers.length) return h("li", {}, code, ` written by ${writers.join(", ")}`);
    if (hasScope(key)) return h("li", {}, code, " from the state that sessions share");
    if (optional) return h("li", {}, code, " may be empty");
    const near = nearest(key, this.#known.map(([name]) => name));
    const words = this.#coded ? " no agent writes it; the team's code may" : " nobody writes it";
    const swap = near && h("button", { type: "button", onclick: () => this.#replace(key, near) }, `Write {${near}}`);
    return h(
      "li",
      { class: this.#coded ? null : "unwritten" },
      this.#coded ? null : "⚠ ",
      code,
      words,
      swap && " ",
      swap || null,
    );
  }

  /**
   * @param {string} key
   * @param {string} by
   */
  #replace(key, by) {
    this.#text.value = this.#text.value.replaceAll(`{${key}}`, `{${by}}`);
    this.#describeKeys();
    this.#tell();
    this.#text.focus();
  }

  /** Begins a key at the caret. */
  #begin() {
    this.#text.focus();
    this.#text.setRangeText("{", this.#text.selectionStart, this.#text.selectionEnd, "end");
    this.#typed();
  }

  /** Offers the keys that begin with what is typed after a brace. */
  #offer() {
    const begun = this.#text.readOnly ? null : begunKey(this.#text.value, this.#text.selectionStart);
    const letters = begun?.letters.toLowerCase() ?? "";
    const fitting = begun ? this.#known.filter(([key]) => key.toLowerCase().startsWith(letters)) : [];
    if (!fitting.length) return this.#close();
    this.#at = 0;
    replace(
      this.#offers,
      fitting.map(([key, writers], at) =>
        h(
          "li",
          { role: "option", id: `${this.#offers.id}-${at}`, "data-key": key },
          h("code", {}, key),
          ` ${writers.join(", ")}`,
        )
      ),
    );
    this.#offers.hidden = false;
    this.#mark();
  }

  #mark() {
    [...this.#offers.children].forEach((option, at) => setAttribute(option, "aria-selected", String(at === this.#at)));
    setAttribute(this.#text, "aria-activedescendant", `${this.#offers.id}-${this.#at}`);
    this.#offers.children[this.#at]?.scrollIntoView({ block: "nearest" });
  }

  #close() {
    if (this.#offers.hidden) return;
    this.#offers.hidden = true;
    setAttribute(this.#text, "aria-activedescendant", null);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (this.#offers.hidden || event.isComposing) return;
    const { length } = this.#offers.children;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      this.#at = (this.#at + (event.key === "ArrowDown" ? 1 : length - 1)) % length;
      this.#mark();
    } else if (event.key === "Enter") {
      const option = this.#offers.children[this.#at];
      this.#take(option instanceof HTMLElement ? option.dataset.key ?? "" : "");
    } else if (event.key === "Escape") this.#close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} key */
  #take(key) {
    const { text, caret } = withKey(this.#text.value, this.#text.selectionStart, key);
    this.#text.value = text;
    this.#text.setSelectionRange(caret, caret);
    this.#close();
    this.#describeKeys();
    setText(this.#offers, "");
  }
}
