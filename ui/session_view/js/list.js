/**
 * A list that keeps only the rows in view in the page. Heights vary and are measured as rows come into view;
 * what a person reads stays in place while heights above it become known. Knows nothing of what a row shows.
 */

import { h } from "./dom.js";

const OVERSCAN = 320;

/**
 * @param draw (row) => element; called again when `stamp(row)` differs from the last time
 * @param stamp (row) => string
 * @param guess (row) => height in px before a row was measured
 * @param onScroll called after the window moved
 */
export function createList({ label, draw, stamp, guess, onScroll }) {
  const inner = h("div.window", { role: "presentation" });
  const sizer = h("div.sizer", { role: "presentation" }, inner);
  const scroller = h("div.list", { role: "listbox", tabindex: "0", "aria-label": label }, sizer);
  const heights = new Map();
  const mounted = new Map();
  let rows = [];
  let offsets = [0];
  let dirty = 0;
  let follow = true;
  let selected = null;
  let total = -1;

  const heightOf = (row) => heights.get(row.key) ?? guess(row);

  function layout() {
    for (let i = dirty; i < rows.length; i++) offsets[i + 1] = offsets[i] + heightOf(rows[i]);
    offsets.length = rows.length + 1;
    dirty = rows.length;
    if (total !== offsets[rows.length]) {
      total = offsets[rows.length];
      sizer.style.height = `${total}px`;
    }
  }

  /** Index of the row at height `y`. */
  function rowAt(y) {
    let low = 0;
    let high = rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (offsets[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function paint() {
    if (!scroller.clientHeight) return;
    layout();
    for (let pass = 0; pass < 5; pass++) {
      const view = scroller.clientHeight;
      if (total <= view) follow = true;
      const top = follow ? Math.max(0, total - view) : Math.min(scroller.scrollTop, Math.max(0, total - view));
      const anchor = rowAt(top);
      const into = top - offsets[anchor];
      mount(rowAt(top - OVERSCAN), rows.length ? rowAt(top + view + OVERSCAN) : -1);
      const settled = measure();
      layout();
      const wanted = follow ? Math.max(0, total - view) : offsets[anchor] + into;
      if (Math.abs(scroller.scrollTop - wanted) > 0.5) scroller.scrollTop = wanted;
      if (settled) break;
    }
    onScroll?.();
  }

  function mount(first, last) {
    const keep = new Set();
    for (let i = first; i <= last; i++) keep.add(rows[i].key);
    for (const [key, { element }] of mounted) {
      if (keep.has(key)) continue;
      if (hasFocus(element)) scroller.focus({ preventScroll: true });
      element.remove();
      mounted.delete(key);
    }
    let next = inner.firstChild; // only rows that stay are left: they need not be moved, which would cost them the focus
    for (let i = first; i <= last; i++) {
      const row = rows[i];
      const mark = stamp(row);
      let held = mounted.get(row.key);
      if (held && held.mark !== mark) {
        const fresh = held.element.update?.(row) ? held.element : draw(row);
        if (fresh !== held.element) {
          if (next === held.element) next = fresh;
          exchange(held.element, fresh);
        }
        held.element = fresh;
        held.mark = mark;
      } else if (!held) mounted.set(row.key, (held = { element: draw(row), mark }));
      held.element.ariaPosInSet = String(i + 1);
      held.element.ariaSetSize = String(rows.length);
      held.element.ariaSelected = String(row.key === selected);
      if (held.element === next) next = next.nextSibling;
      else inner.insertBefore(held.element, next);
    }
    inner.style.transform = `translateY(${first >= 0 ? offsets[first] : 0}px)`;
    inner.dataset.first = String(first);
  }

  const hasFocus = (element) => element.contains(scroller.getRootNode().activeElement);

  /** Puts a row in another's place; the focus goes along, to what says that it takes it. */
  function exchange(old, fresh) {
    const had = hasFocus(old);
    old.replaceWith(fresh);
    if (had) (fresh.querySelector("[data-takes-focus]") ?? scroller).focus({ preventScroll: true });
  }

  /** Takes the heights of the rows in the page; true when all were as expected. */
  function measure() {
    let settled = true;
    let i = Number(inner.dataset.first);
    for (const element of inner.children) {
      const row = rows[i];
      const height = element.getBoundingClientRect().height;
      if (Math.abs(heightOf(row) - height) > 0.5) {
        settled = false;
        dirty = Math.min(dirty, i);
      }
      heights.set(row.key, height);
      i += 1;
    }
    return settled;
  }

  function indexOf(key) {
    // Keys of stored rows grow down the list; rows that are being written stand at its end.
    if (typeof key !== "number") return rows.findIndex((row) => row.key === key);
    let low = 0;
    let high = rows.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = rows[middle].key;
      if (at === key) return middle;
      if (typeof at === "number" && at < key) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  scroller.addEventListener("wheel", (event) => event.deltaY < 0 && (follow = false), { passive: true });
  scroller.addEventListener("touchmove", () => (follow = false), { passive: true });
  scroller.addEventListener("scroll", () => {
    const below = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    if (follow ? below > 24 : below < 4) follow = !follow;
    paint();
  });
  const observer = new ResizeObserver(() => paint());
  observer.observe(scroller);

  return {
    element: scroller,
    paint,
    indexOf,
    get rows() {
      return rows;
    },
    get following() {
      return follow;
    },
    /** The first row that a reader sees something of. */
    get firstInView() {
      return rows[rowAt(scroller.scrollTop)];
    },
    /** Rows between the reader and the end, in px. */
    get below() {
      return Math.max(0, total - scroller.scrollTop - scroller.clientHeight);
    },
    /** The new rows; those before `same` are the ones that were there. */
    setRows(next, same = 0) {
      rows = next;
      dirty = Math.min(dirty, same);
      paint();
    },
    select(key) {
      selected = key;
      for (const [at, { element }] of mounted) element.ariaSelected = String(at === key);
      const held = mounted.get(key);
      if (held) scroller.setAttribute("aria-activedescendant", held.element.id);
      else scroller.removeAttribute("aria-activedescendant");
    },
    reveal(key) {
      const i = indexOf(key);
      if (i < 0) return false;
      follow = false;
      for (let pass = 0; pass < 3; pass++) {
        layout();
        const view = scroller.clientHeight;
        const margin = Math.min(48, view / 6);
        const { scrollTop } = scroller;
        if (offsets[i] - margin < scrollTop) scroller.scrollTop = offsets[i] - margin;
        else if (offsets[i + 1] + margin > scrollTop + view) scroller.scrollTop = Math.min(offsets[i] - margin, offsets[i + 1] + margin - view);
        paint();
      }
      this.select(selected);
      return true;
    },
    /** Brings a row into view and the focus into it. */
    focus(key) {
      if (this.reveal(key)) mounted.get(key)?.element.querySelector("[data-takes-focus]")?.focus({ preventScroll: true });
    },
    toEnd() {
      follow = true;
      paint();
    },
    clear() {
      heights.clear();
      follow = true;
      this.setRows([], 0);
    },
    close: () => observer.disconnect(),
  };
}
