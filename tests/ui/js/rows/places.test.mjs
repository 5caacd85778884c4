import assert from "node:assert/strict";
import { test } from "node:test";
import { indexOfKey, placeOfKey, rowAtHeight } from "../../../../ui/session_view/js/rows/places.js";

const ROWS = [3, 4.5, 9, 12, "p:a", "p:b"].map((key) => ({ key }));

test("rows are found by their keys, stored ones and those being written", () => {
  assert.deepEqual(ROWS.map(({ key }) => indexOfKey(ROWS, key)), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual([1, 5, 99, "p:c"].map((key) => indexOfKey(ROWS, key)), [-1, -1, -1, -1]);
  assert.equal(indexOfKey([], 3), -1);
});

test("for a key without a row stands the row before its place, once a later one shows that it has none", () => {
  assert.deepEqual([3, 5, 1, 11.5, "p:b"].map((key) => placeOfKey(ROWS, key)), [0, 1, 0, 2, 5]);
  assert.deepEqual([12.5, 99, "p:c"].map((key) => placeOfKey(ROWS, key)), [-1, -1, -1], "it may still come");
  assert.equal(placeOfKey([], 3), -1);
});

test("the row at a height is the last one that begins above it", () => {
  const offsets = [0, 40, 100, 130];
  assert.deepEqual([-10, 0, 39, 40, 99, 100, 129, 500].map((y) => rowAtHeight(offsets, 3, y)), [0, 0, 0, 1, 1, 2, 2, 2]);
  assert.equal(rowAtHeight([0], 0, 10), 0);
});
