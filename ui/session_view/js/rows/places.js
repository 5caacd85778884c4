// @ts-check
/** Where rows are in the list: found in few steps, however long it is. */

/** @import { Key } from "./types.d.ts" */

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

/**
 * Index of the row at a height; the first or the last one beyond the ends.
 * @param {number[]} offsets where each row begins, in px
 * @param {number} count of rows
 * @param {number} y
 */
export function rowAtHeight(offsets, count, y) {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (offsets[middle] <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
