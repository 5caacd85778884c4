import assert from "node:assert/strict";
import { test } from "node:test";
import { indexOfKey, rowAtHeight } from "../../../../ui/session_view/js/rows/places.js";

const ROWS = [3, 4.5, 9, 12, "p:a", "p:b"].map((key) => ({ key }));

test("rows are found by their keys, stored ones and those being written", () => {
  assert.deepEqual(ROWS.map(({ key }) => indexOfKey(ROWS, key)), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual([1, 5, 99, "p:c"].map((key) => indexOfKey(ROWS, key)), [-1, -1, -1, -1]);
  assert.equal(indexOfKey([], 3), -1);
});

test("the row at a height is the last one that begins above it", () => {
  const offsets = [0, 40, 100, 130];
  assert.deepEqual([-10, 0, 39, 40, 99, 100, 129, 500].map((y) => rowAtHeight(offsets, 3, y)), [0, 0, 0, 1, 1, 2, 2, 2]);
  assert.equal(rowAtHeight([0], 0, 10), 0);
});
