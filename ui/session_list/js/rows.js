// @ts-check
/** The rows: one tab stop, a cursor that keys move, and as many rows as are listed. */

import { focusedIn, h, setAttribute } from "../../browser/js/elements.js";
import { KeyedViews } from "./keyed_views.js";
import { listenToKeys } from "./keys.js";
import { RowView } from "./row_view.js";
import { keyOf } from "./session_key.js";
import { TypedText } from "./typed_text.js";

/** @import { Row, Shown } from "./types.d.ts" */

/**
 * @typedef {object} Actions
 * @property {(key: string) => void} open
 * @property {(key: string, on: boolean) => void} [select] without it rows have no box, and are opened wherever one clicks
 */

export class Rows {
  #views;
  /** @type {Row[]} */
  #rows = [];
  #cursor = 0;
  #typed = new TypedText();
  #letGo;
  #open;
  #select;

  /** @param {Actions} actions */
  constructor({ open, select }) {
    this.#open = open;
    this.#select = select;
    this.element = h("ul.rows", { "aria-label": "Sessions", onclick: (event) => this.#click(event) });
    this.#views = new KeyedViews(this.element, () => new RowView({ selectable: Boolean(select) }));
    this.element.addEventListener("focusin", ({ target }) => this.#arrive(target));
    this.#letGo = listenToKeys(this.element, {
      step: (by) => this.#step(by),
      toEdge: (end) => this.#moveTo(end ? this.#rows.length - 1 : 0),
      space: () => select ? this.#toggle() : open(this.#at(this.#cursor)),
      letter: (letter) => select ? this.#command(letter) : this.#find(letter),
    });
  }

  /**
   * Draws rows in their order. Those that are there already stay the same elements; so does the cursor's session. Until the
   * list has the focus, the cursor is at the session that the page shows.
   * @param {Row[]} rows
   * @param {(row: Row) => Shown} shown
   */
  draw(rows, shown) {
    const at = this.#at(this.#cursor);
    const focused = focusedIn(this.element);
    let current = -1;
    this.#rows = rows;
    this.#views.draw(rows.map(keyOf), (view, index) => {
      const look = shown(rows[index]);
      if (look.current) current = index;
      view.update(rows[index], look);
    });
    if (focused instanceof HTMLElement && focused !== focusedIn(this.element)) focused.focus(); // one that is moved loses it
    const index = !focused && current >= 0 ? current : rows.findIndex((row) => keyOf(row) === at);
    this.#setCursor(index >= 0 ? index : Math.max(0, Math.min(this.#cursor, rows.length - 1)));
  }

  focus() {
    this.#moveTo(this.#cursor);
  }

  close() {
    this.#letGo();
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

  /** @param {MouseEvent & { target: Element }} event */
  #click(event) {
    const { target } = event;
    const index = this.#indexOf(target);
    if (index < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab is the browser's affair
    this.#setCursor(index);
    if (target instanceof HTMLInputElement) this.#select?.(this.#at(index), target.checked);
    else if (!this.#select || target.closest("a")) {
      event.preventDefault();
      this.#open(this.#at(index));
    }
  }

  /**
   * The letters of a list with boxes.
   * @param {string} letter
   */
  #command(letter) {
    if (letter === "x") this.#toggle();
    else if (letter === "j") this.#step(1);
    else if (letter === "k") this.#step(-1);
    else return false;
    return true;
  }

  /**
   * Goes to the title that begins with what is typed.
   * @param {string} letter
   */
  #find(letter) {
    const titles = this.#rows.map(({ title }) => title);
    this.#moveTo(this.#typed.find(letter, { titles, at: this.#cursor, now: performance.now() }));
    return true;
  }

  #toggle() {
    const key = this.#at(this.#cursor);
    const box = this.#views.get(key)?.box;
    if (box) this.#select?.(key, !box.checked);
  }

  /** @param {number} by */
  #step(by) {
    this.#moveTo(Math.min(Math.max(this.#cursor + by, 0), this.#rows.length - 1));
  }

  /** @param {number} index */
  #moveTo(index) {
    const view = this.#views.get(this.#at(index));
    if (!view) return;
    this.#setCursor(index);
    view.link.focus({ preventScroll: true });
    view.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} index */
  #setCursor(index) {
    for (const [at, stop] of [[this.#cursor, "-1"], [index, "0"]]) {
      const view = this.#views.get(this.#at(Number(at)));
      for (const part of view ? [view.box, view.link] : []) if (part) setAttribute(part, "tabindex", stop);
    }
    this.#cursor = index;
  }
}
