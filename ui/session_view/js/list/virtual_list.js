// @ts-check
/**
 * A list that keeps only the rows in view in the page. Heights vary and are measured as rows come into view; what a user
 * reads stays in place while heights above it become known.
 */

import { h } from "../dom/elements.js";
import { indexOfKey, rowAtHeight } from "../rows/places.js";

/** @import { Key, Row } from "../rows/types.d.ts" */

/**
 * `update` of an element brings it up to date with its row; where there is none or it answers false, it is drawn again.
 * @typedef {HTMLElement & { update?: (row: Row) => boolean }} RowElement
 * @typedef {{ element: RowElement; mark: string }} Mounted
 */

const OVERSCAN = 320;
const MOST_PASSES = 5;

export class VirtualList {
  #inner = h("div.window", { role: "presentation" });
  #sizer = h("div.sizer", { role: "presentation" }, this.#inner);
  /** @type {Map<Key, number>} */
  #heights = new Map();
  /** @type {Map<Key, Mounted>} */
  #mounted = new Map();
  /** @type {Row[]} */
  #rows = [];
  /** Where each row begins, and the last one ends, as far as `#dirty` says. */
  #offsets = [0];
  /** The first row whose place is not known. */
  #dirty = 0;
  #follow = true;
  /** @type {number | null} where the reader was before all rows were put into the page; null where only those in view are */
  #wholeFrom = null;
  /** @type {Key | null} */
  #selected = null;
  #total = -1;
  #options;
  #observer = new ResizeObserver(() => this.paint());

  /**
   * @param {object} options
   * @param {string} options.label
   * @param {(row: Row) => RowElement} options.draw called again when `stamp` of a row differs from the last time
   * @param {(row: Row) => string} options.stamp
   * @param {(row: Row) => number} options.guess height in px before a row was measured
   * @param {() => void} options.onScroll called after the window moved
   */
  constructor(options) {
    this.#options = options;
    this.element = h("div.list", { role: "grid", tabindex: "0", "aria-label": options.label }, this.#sizer);
    this.element.addEventListener("wheel", (event) => event.deltaY < 0 && (this.#follow = false), { passive: true });
    this.element.addEventListener("touchmove", () => (this.#follow = false), { passive: true });
    this.element.addEventListener("scroll", () => this.#scrolled());
    this.#observer.observe(this.element);
  }

  get rows() {
    return this.#rows;
  }

  /** Whether the end stays in view as rows come. */
  get following() {
    return this.#follow;
  }

  /** @returns {Row | undefined} the first row that a reader sees something of */
  get firstInView() {
    return this.#rows[this.#rowAt(this.element.scrollTop)];
  }

  /** Rows between the reader and the end, in px. */
  get below() {
    return Math.max(0, this.#total - this.element.scrollTop - this.element.clientHeight);
  }

  /**
   * The new rows; those before `same` are the ones that were there.
   * @param {Row[]} rows
   * @param {number} same
   */
  setRows(rows, same = 0) {
    this.#rows = rows;
    this.#dirty = Math.min(this.#dirty, same);
    this.paint();
  }

  /** @param {Key | null} key */
  select(key) {
    this.#selected = key;
    for (const [at, { element }] of this.#mounted) this.#mark(element, at);
    const held = key === null ? undefined : this.#mounted.get(key);
    if (held) this.element.setAttribute("aria-activedescendant", held.element.id);
    else this.element.removeAttribute("aria-activedescendant");
  }

  /** @param {Key} key the row to bring into view; false where there is none */
  reveal(key) {
    const i = this.indexOf(key);
    if (i < 0) return false;
    this.#follow = false;
    for (let pass = 0; pass < 3; pass++) {
      this.#layout();
      const { clientHeight: view, scrollTop } = this.element;
      const margin = Math.min(48, view / 6);
      const [start, end] = [this.#offsets[i] - margin, this.#offsets[i + 1] + margin];
      if (start < scrollTop) this.element.scrollTop = start;
      else if (end > scrollTop + view) this.element.scrollTop = Math.min(start, end - view);
      else if (pass) break;
      this.paint();
    }
    this.select(this.#selected);
    return true;
  }

  /** @param {Key} key the row to bring into view, and the focus into it */
  focus(key) {
    if (!this.reveal(key)) return;
    const target = this.#mounted.get(key)?.element.querySelector("[data-takes-focus]");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  /** @param {boolean} whole whether all rows stand in the page, as paper needs them */
  setWhole(whole) {
    const from = this.#wholeFrom ?? this.element.scrollTop; // printing may be told twice
    this.#wholeFrom = whole ? from : null;
    if (!whole && !this.#follow) this.element.scrollTop = from;
    this.paint();
  }

  toEnd() {
    this.#follow = true;
    this.paint();
  }

  clear() {
    this.#heights.clear();
    this.#follow = true;
    this.#selected = null;
    this.setRows([], 0);
  }

  close() {
    this.#observer.disconnect();
  }

  /** @param {Key} key */
  indexOf(key) {
    return indexOfKey(this.#rows, key);
  }

  /** Draws what is in view, until all heights are as they were taken to be. */
  paint() {
    if (this.#wholeFrom !== null) return this.#mount(this.#rows.length ? 0 : -1, this.#rows.length - 1);
    if (!this.element.clientHeight) return;
    this.#layout();
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      const view = this.element.clientHeight;
      if (this.#total <= view) this.#follow = true;
      const end = Math.max(0, this.#total - view);
      const top = this.#follow ? end : Math.min(this.element.scrollTop, end);
      const anchor = this.#rowAt(top);
      const into = top - this.#offsets[anchor];
      this.#mount(this.#rowAt(top - OVERSCAN), this.#rows.length ? this.#rowAt(top + view + OVERSCAN) : -1);
      const settled = this.#measure();
      this.#layout();
      const wanted = this.#follow ? Math.max(0, this.#total - view) : this.#offsets[anchor] + into;
      if (Math.abs(this.element.scrollTop - wanted) > 0.5) this.element.scrollTop = wanted;
      if (settled) break;
    }
    this.#options.onScroll();
  }

  #scrolled() {
    if (this.#wholeFrom !== null) return;
    const below = this.element.scrollHeight - this.element.clientHeight - this.element.scrollTop;
    if (this.#follow ? below > 24 : below < 4) this.#follow = !this.#follow;
    this.paint();
  }

  /** @param {Row} row */
  #heightOf(row) {
    return this.#heights.get(row.key) ?? this.#options.guess(row);
  }

  #layout() {
    const rows = this.#rows;
    for (let i = this.#dirty; i < rows.length; i++) this.#offsets[i + 1] = this.#offsets[i] + this.#heightOf(rows[i]);
    this.#offsets.length = rows.length + 1;
    this.#dirty = rows.length;
    if (this.#total === this.#offsets[rows.length]) return;
    this.#total = this.#offsets[rows.length];
    this.#sizer.style.height = `${this.#total}px`;
  }

  /** @param {number} y */
  #rowAt(y) {
    return rowAtHeight(this.#offsets, this.#rows.length, y);
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
    this.#inner.style.transform = `translateY(${first >= 0 ? this.#offsets[first] : 0}px)`;
    this.#inner.dataset.first = String(first);
    this.element.ariaRowCount = String(this.#rows.length);
  }

  /**
   * Whether a row is the selected one, or comes later.
   * @param {RowElement} element
   * @param {Key} key
   */
  #mark(element, key) {
    const selected = this.#selected;
    element.ariaSelected = String(key === selected);
    element.classList.toggle("later", typeof selected === "number" && !(typeof key === "number" && key <= selected));
  }

  /** @param {Set<Key>} kept */
  #unmountAllBut(kept) {
    for (const [key, { element }] of this.#mounted) {
      if (kept.has(key)) continue;
      if (this.#hasFocus(element)) this.element.focus({ preventScroll: true });
      element.remove();
      this.#mounted.delete(key);
    }
  }

  /** @param {Row} row whose element is drawn, or brought up to date where its stamp says so */
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

  /** @param {Element} element */
  #hasFocus(element) {
    const root = this.element.getRootNode();
    const active = root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
    return element.contains(active);
  }

  /**
   * Puts a row in another's place; the focus goes along, to what says that it takes it.
   * @param {Element} old
   * @param {Element} fresh
   */
  #exchange(old, fresh) {
    const [had, target] = [this.#hasFocus(old), fresh.querySelector("[data-takes-focus]")];
    old.replaceWith(fresh);
    if (had) (target instanceof HTMLElement ? target : this.element).focus({ preventScroll: true });
  }

  /** Takes the heights of the rows in the page; true when all were as expected. */
  #measure() {
    let settled = true;
    let i = Number(this.#inner.dataset.first);
    for (const element of this.#inner.children) {
      const row = this.#rows[i];
      const { height } = element.getBoundingClientRect();
      if (Math.abs(this.#heightOf(row) - height) > 0.5) {
        settled = false;
        this.#dirty = Math.min(this.#dirty, i);
      }
      this.#heights.set(row.key, height);
      i += 1;
    }
    return settled;
  }
}
