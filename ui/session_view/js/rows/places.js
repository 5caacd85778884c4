// @ts-check
/** Where rows are in the list: found in few steps, however long it is. */

/** @import { Key } from "./types.d.ts" */

/**
 * Index of the row with a key; -1 where there is none. Keys of stored rows are numbers that grow down the list; rows that
 * are being written stand at its end.
 * @param {{ key: Key }[]} rows
 * @param {Key} key
 */
export function indexOfKey(rows, key) {
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
