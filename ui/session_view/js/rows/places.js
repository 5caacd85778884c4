// @ts-check
/** Where rows are in the list: found in few steps, however long it is. */

/** @import { Key, Row } from "./types.d.ts" */

/**
 * Index of the row with a key; -1 if there is none. Keys of stored rows are numbers that grow down the list; rows that
 * are being written stand at its end.
 * @param {{ key: Key }[]} rows
 * @param {Key} key
 */
export function indexOfKey(rows, key) {
  if (typeof key !== "number") return rows.findIndex((row) => row.key === key);
  const last = lastUpTo(rows, key);
  return rows[last]?.key === key ? last : -1;
}

/**
 * Index of the row to show for a key: the one with that key, or else the one before. -1 as long as the row may still come,
 * which is until a later one is there.
 * @param {{ key: Key }[]} rows
 * @param {Key} key
 */
export function placeOfKey(rows, key) {
  const found = indexOfKey(rows, key);
  if (found >= 0 || typeof key !== "number") return found;
  const last = lastUpTo(rows, key);
  return typeof rows[last + 1]?.key === "number" ? Math.max(0, last) : -1;
}

/**
 * Index of the last stored row whose key is at most `key`; -1 if there is none.
 * @param {{ key: Key }[]} rows
 * @param {number} key
 */
function lastUpTo(rows, key) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = rows[middle].key;
    if (typeof at === "number" && at <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Where each row begins and ends, in px from the top of the list. Heights are guessed until they are measured. */
export class RowOffsets {
  /** @type {Map<Key, number>} */
  #heights = new Map();
  /** @type {Row[]} */
  #rows = [];
  /** Where each row begins, and as the last value where the last row ends. Valid up to the row at `#known`. */
  #offsets = [0];
  /** Index of the first row whose end has to be computed again. */
  #known = 0;
  #guess;

  /** @param {(row: Row) => number} guess the height of a row that was not measured */
  constructor(guess) {
    this.#guess = guess;
  }

  /**
   * @param {Row[]} rows
   * @param {number} same how many rows at the beginning are the same as before
   */
  setRows(rows, same) {
    this.#rows = rows;
    this.#known = Math.min(this.#known, same);
  }

  forgetHeights() {
    this.#heights.clear();
    this.#known = 0;
  }

  /** The height of all rows. */
  get total() {
    return this.of(this.#rows.length);
  }

  /**
   * Where a row begins, which is where the one before ends.
   * @param {number} index from 0 to the number of rows
   */
  of(index) {
    for (; this.#known < this.#rows.length; this.#known++) {
      this.#offsets[this.#known + 1] = this.#offsets[this.#known] + this.#heightOf(this.#rows[this.#known]);
    }
    return this.#offsets[index];
  }

  /**
   * Index of the row at a height; the first or the last one beyond the ends.
   * @param {number} y
   */
  rowAt(y) {
    let low = 0;
    let high = this.#rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.of(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /**
   * Takes in the height of a row. Returns whether it is the expected one, to half a pixel.
   * @param {number} index
   * @param {number} height
   */
  measured(index, height) {
    const row = this.#rows[index];
    const expected = Math.abs(this.#heightOf(row) - height) <= 0.5;
    this.#heights.set(row.key, height);
    if (!expected) this.#known = Math.min(this.#known, index);
    return expected;
  }

  /** @param {Row} row */
  #heightOf(row) {
    return this.#heights.get(row.key) ?? this.#guess(row);
  }
}
