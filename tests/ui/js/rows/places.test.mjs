import assert from "node:assert/strict";
import { test } from "node:test";
import { indexOfKey, placeOfKey, RowOffsets } from "../../../../ui/session_view/js/rows/places.js";

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

/** Offsets of rows whose heights are guessed to be ten times their keys. */
function offsetsOf(rows) {
  const offsets = new RowOffsets((row) => 10 * row.key);
  offsets.setRows(rows, 0);
  return offsets;
}

test("the row at a height is the last one that begins above it", () => {
  const offsets = offsetsOf([{ key: 4 }, { key: 6 }, { key: 3 }]);
  assert.deepEqual([0, 1, 2, 3].map((index) => offsets.of(index)), [0, 40, 100, 130]);
  assert.deepEqual([-10, 0, 39, 40, 99, 100, 129, 500].map((y) => offsets.rowAt(y)), [0, 0, 0, 1, 1, 2, 2, 2]);
  assert.deepEqual([offsetsOf([]).rowAt(10), offsetsOf([]).total], [0, 0]);
});

test("a height is guessed until it is measured, and forgotten on demand; later rows move with it", () => {
  const rows = [{ key: 4 }, { key: 6 }, { key: 7 }];
  const offsets = offsetsOf(rows);
  assert.equal(offsets.total, 170);
  assert.deepEqual([offsets.measured(0, 40.4), offsets.measured(1, 80)], [true, false]);
  assert.deepEqual([offsets.of(1), offsets.of(2), offsets.total], [40, 120, 190]);
  offsets.setRows([rows[0], rows[1]], 2);
  assert.equal(offsets.total, 120);
  offsets.setRows([rows[1], rows[0]], 0);
  assert.equal(offsets.of(1), 80, "it goes with the row");
  offsets.forgetHeights();
  assert.deepEqual([offsets.of(1), offsets.total], [60, 100]);
});
