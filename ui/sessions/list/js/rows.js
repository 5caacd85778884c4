// @ts-check
/** The rows: one tab stop, a cursor that keys move, a selection. Keys work while one of the rows has the focus. */

import { KeyedViews } from "../../../session_list/js/keyed_views.js";
import { keyOf } from "../../../session_list/js/session_key.js";
import { h, setAttribute } from "../../../browser/js/elements.js";
import { RowView } from "./row_view.js";

/** @import { Look } from "./row_view.js" */
/** @import { Key, Row } from "./types.d.ts" */

/**
 * @param {Row} row
 * @returns {Key}
 */
export function nameOf({ pipeline, id }) {
  return [pipeline, id];
}

/**
 * @typedef {object} Actions
 * @property {(key: string) => void} open
 * @property {(key: string, on: boolean) => void} select
 */

export class Rows {
  #views;
  /** @type {Row[]} */
  #rows = [];
  #cursor = 0;
  #actions;

  /** @param {Actions} actions */
  constructor(actions) {
    this.#actions = actions;
    this.element = h("ul.rows", { "aria-label": "Sessions" });
    this.#views = new KeyedViews(this.element, () => new RowView());
    this.element.addEventListener("click", (event) => this.#click(event));
    this.element.addEventListener("focusin", ({ target }) => this.#arrive(target));
    addEventListener("keydown", this.#onKey, true); // other parts of the page take letters from the document
  }

  close() {
    removeEventListener("keydown", this.#onKey, true);
  }

  focus() {
    this.#views.get(this.#at(this.#cursor))?.link.focus();
  }

  /**
   * Draws rows in their order. Those that are there already stay the same elements.
   * @param {Row[]} rows
   * @param {(row: Row) => Look} look
   */
  draw(rows, look) {
    const at = this.#at(this.#cursor);
    const focused = this.#focused();
    this.#rows = rows;
    this.#views.draw(rows.map(keyOf), (view, index) => view.update(rows[index], look(rows[index])));
    if (focused !== this.#focused()) focused?.focus(); // an element that is moved loses it
    const index = rows.findIndex((row) => keyOf(row) === at);
    this.#setCursor(index >= 0 ? index : Math.max(0, Math.min(this.#cursor, rows.length - 1)));
  }

  /** @returns {HTMLElement | null} */
  #focused() {
    return this.element.querySelector(":focus");
  }

  /** @param {number} index */
  #at(index) {
    const row = this.#rows[index];
    return row ? keyOf(row) : "";
  }

  /** @param {EventTarget | null} target */
  #indexOf(target) {
    const element = target instanceof Element ? target.closest(".row") : null;
    return element ? [...this.element.children].indexOf(element) : -1;
  }

  /** @param {EventTarget | null} target */
  #arrive(target) {
    const index = this.#indexOf(target);
    if (index >= 0) this.#setCursor(index);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const target = event.target;
    const index = this.#indexOf(target);
    if (index < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab is the browser's affair
    const key = this.#at(index);
    if (target instanceof HTMLInputElement) this.#actions.select(key, target.checked);
    else if (target instanceof Element && target.closest("a")) {
      event.preventDefault();
      this.#actions.open(key);
    }
  }

  /** @param {KeyboardEvent} event */
  #onKey = (event) => {
    const target = event.composedPath()[0];
    const index = this.#indexOf(target);
    if (index < 0 || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (!(target instanceof Node) || !this.element.contains(target)) return;
    const to = { ArrowDown: index + 1, j: index + 1, ArrowUp: index - 1, k: index - 1, Home: 0, End: this.#rows.length - 1 };
    if (event.key in to) this.#moveTo(to[/** @type {keyof typeof to} */ (event.key)]);
    else if (event.key === "x" || event.key === " ") this.#toggle(index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** @param {number} index */
  #toggle(index) {
    const view = this.#views.get(this.#at(index));
    if (view) this.#actions.select(this.#at(index), !view.box.checked);
  }

  /** @param {number} index */
  #moveTo(index) {
    this.#setCursor(Math.max(0, Math.min(index, this.#rows.length - 1)));
    this.focus();
  }

  /** @param {number} index */
  #setCursor(index) {
    for (const [at, stop] of [[this.#cursor, "-1"], [index, "0"]]) {
      const view = this.#views.get(this.#at(Number(at)));
      if (view) { for (const part of [view.box, view.link]) setAttribute(part, "tabindex", stop); }
    }
    this.#cursor = index;
  }
}
