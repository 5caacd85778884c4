// @ts-check
/**
 * A list that keeps only the rows in view in the page. Rows have different heights, which are measured when the rows come
 * into view. What a user reads stays in place while the heights above it become known.
 */

import { focusedIn, h, setAttribute } from "../../../browser/js/elements.js";
import { indexOfKey, placeOfKey, RowOffsets } from "../rows/places.js";

/** @import { Key, Row } from "../rows/types.d.ts" */

/**
 * The element of a row. `update` brings it up to date with the row; an element without it is drawn again, and so is one
 * whose `update` returns false.
 * @typedef {HTMLElement & { update?: (row: Row) => boolean }} RowElement
 * @typedef {{ element: RowElement; mark: string }} Mounted
 */

const OVERSCAN = 320;
const MOST_PASSES = 5;

export class VirtualList {
  #inner = h("div.window", { role: "presentation" });
  #sizer = h("div.sizer", { role: "presentation" }, this.#inner);
  /** @type {Map<Key, Mounted>} */
  #mounted = new Map();
  /** @type {Row[]} */
  #rows = [];
  #offsets;
  #follow = true;
  /** @type {number | null} `scrollTop` from before all rows were put into the page; null while only those in view are */
  #wholeFrom = null;
  /** @type {Key | null} */
  #selected = null;
  /** @type {Key | null} the row to bring into view once it is there and the list has a height */
  #sought = null;
  #total = -1;
  #options;
  #observer = new ResizeObserver(() => this.paint());

  /**
   * @param {object} options
   * @param {string} options.label
   * @param {(row: Row) => RowElement} options.draw draws a row
   * @param {(row: Row) => string} options.stamp a row whose stamp has changed is drawn again
   * @param {(row: Row) => number} options.guess the height of a row, in px, until it is measured
   * @param {() => void} options.onScroll called after the list was scrolled or drawn
   */
  constructor(options) {
    this.#options = options;
    this.#offsets = new RowOffsets(options.guess);
    this.element = h("div.list", { role: "grid", tabindex: "0", "aria-label": options.label }, this.#sizer);
    this.element.addEventListener("wheel", (event) => event.deltaY < 0 && (this.#follow = false), { passive: true });
    this.element.addEventListener("touchmove", () => (this.#follow = false), { passive: true });
    this.element.addEventListener("scroll", () => this.#scrolled());
    this.#observer.observe(this.element);
  }

  get rows() {
    return this.#rows;
  }

  /** Whether the list keeps its end in view when rows come. */
  get following() {
    return this.#follow;
  }

  /** @returns {Row | undefined} the first row of which at least a part is in view */
  get firstInView() {
    return this.#rows[this.#offsets.rowAt(this.element.scrollTop)];
  }

  /** The height of the rows below the view, in px. */
  get below() {
    return Math.max(0, this.#total - this.element.scrollTop - this.element.clientHeight);
  }

  /**
   * Shows other rows.
   * @param {Row[]} rows
   * @param {number} same how many rows at the beginning are the same as before
   */
  setRows(rows, same = 0) {
    this.#rows = rows;
    this.#offsets.setRows(rows, same);
    this.paint();
  }

  /** Whether the list waits for a row, to bring it into view. */
  get seeks() {
    return this.#sought !== null;
  }

  /** @param {Key | null} key the row to mark as the selected one; null for none */
  select(key) {
    this.#selected = key;
    if (key !== this.#sought) this.#sought = null;
    for (const [at, { element }] of this.#mounted) this.#mark(element, at);
    this.#pointAtSelected();
  }

  /**
   * Brings a row into view: at once, or as soon as it is there and the list has a height. If later rows show that there is
   * no such row, the one before its place is brought into view.
   * @param {Key} key
   */
  reveal(key) {
    this.#sought = key;
    this.#seek();
  }

  /**
   * Brings a row into view and moves the focus to the control in it that takes it.
   * @param {Key} key
   */
  focus(key) {
    this.reveal(key);
    const target = this.#mounted.get(key)?.element.querySelector("[data-takes-focus]");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  /**
   * Puts all rows into the page, as printing needs it, or again only those in view.
   * @param {boolean} whole
   */
  setWhole(whole) {
    const from = this.#wholeFrom ?? this.element.scrollTop; // printing may be told twice
    this.#wholeFrom = whole ? from : null;
    if (!whole && !this.#follow) this.element.scrollTop = from;
    this.paint();
  }

  /** Scrolls to the end and stays there when rows come. */
  toEnd() {
    this.#follow = true;
    this.#sought = null;
    this.paint();
  }

  clear() {
    this.#offsets.forgetHeights();
    this.#follow = true;
    this.#selected = this.#sought = null;
    this.setRows([], 0);
  }

  close() {
    this.#observer.disconnect();
  }

  /** @param {Key} key */
  indexOf(key) {
    return indexOfKey(this.#rows, key);
  }

  /** Draws the rows in view, and again until their heights are the expected ones. */
  paint() {
    if (this.#wholeFrom !== null) return this.#mount(this.#rows.length ? 0 : -1, this.#rows.length - 1);
    if (!this.element.clientHeight || this.#seek()) return;
    this.#layout();
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      const view = this.element.clientHeight;
      if (this.#total <= view && this.#selected === null) this.#follow = true;
      const end = Math.max(0, this.#total - view);
      const top = this.#follow ? end : Math.min(this.element.scrollTop, end);
      const anchor = this.#offsets.rowAt(top);
      const into = top - this.#offsets.of(anchor);
      this.#mount(this.#offsets.rowAt(top - OVERSCAN), this.#rows.length ? this.#offsets.rowAt(top + view + OVERSCAN) : -1);
      const settled = this.#measure();
      this.#layout();
      const wanted = this.#follow ? Math.max(0, this.#total - view) : this.#offsets.of(anchor) + into;
      if (Math.abs(this.element.scrollTop - wanted) > 0.5) this.element.scrollTop = wanted;
      if (settled) break;
    }
    this.#options.onScroll();
  }

  /** Brings the sought row into view. Returns false if no row is sought or the sought one is not there yet. */
  #seek() {
    const i = this.#sought === null || !this.element.clientHeight ? -1 : placeOfKey(this.#rows, this.#sought);
    if (i < 0) return false;
    this.#sought = null;
    this.#follow = false;
    for (let pass = 0; pass < 3; pass++) {
      this.#layout();
      const { clientHeight: view, scrollTop } = this.element;
      const margin = Math.min(48, view / 6);
      const [start, end] = [this.#offsets.of(i) - margin, this.#offsets.of(i + 1) + margin];
      if (start < scrollTop) this.element.scrollTop = start;
      else if (end > scrollTop + view) this.element.scrollTop = Math.min(start, end - view);
      else if (pass) break;
      this.paint();
    }
    return true;
  }

  #scrolled() {
    if (this.#wholeFrom !== null) return;
    const below = this.element.scrollHeight - this.element.clientHeight - this.element.scrollTop;
    if (this.#follow ? below > 24 : below < 4) this.#follow = !this.#follow;
    this.paint();
  }

  #layout() {
    if (this.#total === this.#offsets.total) return;
    this.#total = this.#offsets.total;
    this.#sizer.style.height = `${this.#total}px`;
  }

  /**
   * Brings the rows from `first` to `last` into the page, and takes all others out of it.
   * @param {number} first
   * @param {number} last
   */
  #mount(first, last) {
    this.#unmountAllBut(new Set(this.#rows.slice(first, last + 1).map(({ key }) => key)));
    let next = this.#inner.firstChild; // only rows that stay are left: they need not be moved, which would cost the focus
    for (let i = first; i <= last; i++) {
      const row = this.#rows[i];
      const before = this.#mounted.get(row.key)?.element;
      const element = this.#drawn(row);
      if (next === before && before !== undefined) next = element;
      element.ariaRowIndex = String(i + 1);
      this.#mark(element, row.key);
      if (element === next) next = next.nextSibling;
      else this.#inner.insertBefore(element, next);
    }
    this.#inner.style.transform = `translateY(${first >= 0 ? this.#offsets.of(first) : 0}px)`;
    this.#inner.dataset.first = String(first);
    this.element.ariaRowCount = String(this.#rows.length);
    this.#pointAtSelected();
  }

  /** Tells assistive technology which row is the selected one, if it is in the page. */
  #pointAtSelected() {
    const held = this.#selected === null ? undefined : this.#mounted.get(this.#selected);
    setAttribute(this.element, "aria-activedescendant", held?.element.id);
  }

  /**
   * Marks an element according to whether its row is the selected one or comes after it.
   * @param {RowElement} element
   * @param {Key} key
   */
  #mark(element, key) {
    const selected = this.#selected;
    element.ariaSelected = String(key === selected);
    element.classList.toggle("later", typeof selected === "number" && !(typeof key === "number" && key <= selected));
  }

  /** @param {Set<Key>} kept the rows that stay in the page */
  #unmountAllBut(kept) {
    for (const [key, { element }] of this.#mounted) {
      if (kept.has(key)) continue;
      if (focusedIn(element)) this.element.focus({ preventScroll: true });
      element.remove();
      this.#mounted.delete(key);
    }
  }

  /**
   * The element of a row: drawn if it is not in the page yet, and brought up to date if the stamp has changed.
   * @param {Row} row
   */
  #drawn(row) {
    const mark = this.#options.stamp(row);
    const held = this.#mounted.get(row.key);
    if (!held) {
      const element = this.#options.draw(row);
      this.#mounted.set(row.key, { element, mark });
      return element;
    }
    if (held.mark !== mark && !held.element.update?.(row)) {
      const fresh = this.#options.draw(row);
      this.#exchange(held.element, fresh);
      held.element = fresh;
    }
    held.mark = mark;
    return held.element;
  }

  /**
   * Puts a newly drawn row in the place of the old one. If the old one had the focus, the control that takes it gets it.
   * @param {Element} old
   * @param {Element} fresh
   */
  #exchange(old, fresh) {
    const [focused, target] = [focusedIn(old), fresh.querySelector("[data-takes-focus]")];
    old.replaceWith(fresh);
    if (focused) (target instanceof HTMLElement ? target : this.element).focus({ preventScroll: true });
  }

  /** Measures the rows in the page. Returns whether all had the expected height. */
  #measure() {
    const first = Number(this.#inner.dataset.first);
    const heights = Array.from(this.#inner.children, (element) => element.getBoundingClientRect().height);
    return heights.filter((height, i) => !this.#offsets.measured(first + i, height)).length === 0;
  }
}
