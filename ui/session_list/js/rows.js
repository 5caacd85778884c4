// @ts-check
/** The listbox: one tab stop, a cursor that keys move, and as many rows as are listed. */

import { h, setAttribute } from "../../browser/js/elements.js";
import { KeyedViews } from "./keyed_views.js";
import { listenToKeys } from "./keys.js";
import { RowView } from "./row_view.js";
import { keyOf } from "./session_key.js";
import { TypedText } from "./typed_text.js";

/** @import { Look } from "./row_view.js" */
/** @import { Row } from "./types.d.ts" */

export class Rows {
  #views;
  /** @type {Row[]} */
  #rows = [];
  #cursor = -1;
  #typed = new TypedText();
  #letGo;
  #open;

  /** @param {(key: string) => void} open */
  constructor(open) {
    this.#open = open;
    this.element = h("div.rows", {
      role: "listbox",
      "aria-label": "Sessions",
      tabindex: "0",
      onclick: (event) => this.#click(event.target.closest(".row")),
    });
    this.#views = new KeyedViews(this.element, () => new RowView());
    this.element.addEventListener("focus", () => this.#arrive());
    this.#letGo = listenToKeys(this.element, {
      step: (by) => this.#moveTo(Math.min(Math.max(this.#cursor + by, 0), this.#rows.length - 1)),
      toEdge: (end) => this.#moveTo(end ? this.#rows.length - 1 : 0),
      open: () => this.#rows[this.#cursor] && this.#open(keyOf(this.#rows[this.#cursor])),
      type: (letter) => this.#type(letter),
    });
  }

  /**
   * Draws rows in their order. Those that are there already stay the same elements; so does the cursor's session.
   * @param {Row[]} rows
   * @param {(row: Row) => Look} look
   */
  draw(rows, look) {
    const at = this.#rows[this.#cursor] && keyOf(this.#rows[this.#cursor]);
    this.#rows = rows;
    this.#views.draw(rows.map(keyOf), (view, index) => view.update(rows[index], look(rows[index])));
    const index = at === undefined ? -1 : rows.findIndex((row) => keyOf(row) === at);
    this.#setCursor(index >= 0 ? index : Math.min(this.#cursor, rows.length - 1));
  }

  focus() {
    this.element.focus();
  }

  close() {
    this.#letGo();
  }

  /** Puts the cursor onto the open session, or the first one. */
  #arrive() {
    if (this.#cursor >= 0) return this.#setCursor(this.#cursor);
    const open = [...this.element.children].findIndex((row) => row.ariaSelected === "true");
    this.#setCursor(Math.min(Math.max(open, 0), this.#rows.length - 1));
  }

  /** @param {Element | null} element */
  #click(element) {
    const index = element ? [...this.element.children].indexOf(element) : -1;
    if (index < 0) return;
    this.#setCursor(index);
    this.#open(keyOf(this.#rows[index]));
  }

  /** @param {string} letter */
  #type(letter) {
    const titles = this.#rows.map(({ title }) => title);
    this.#moveTo(this.#typed.find(letter, { titles, at: this.#cursor, now: performance.now() }));
  }

  /** @param {number} index */
  #moveTo(index) {
    if (index < 0) return;
    this.#setCursor(index);
    this.element.children[index].scrollIntoView({ block: "nearest" });
  }

  /** @param {number} index */
  #setCursor(index) {
    this.#cursor = index;
    const row = this.element.children[index];
    for (const old of this.element.querySelectorAll(".cursor")) if (old !== row) old.classList.remove("cursor");
    row?.classList.add("cursor");
    setAttribute(this.element, "aria-activedescendant", row?.id);
  }
}
