import assert from "node:assert/strict";
import { test } from "node:test";
import { placeUpTo } from "../../../../ui/session_view/js/log/places.js";

test("the last item up to a number", () => {
  const items = [2, 5, 5, 9];
  assert.deepEqual([1, 2, 4, 5, 8, 9, 99].map((most) => placeUpTo(items, most, (n) => n)), [-1, 0, 0, 2, 2, 3, 3]);
  assert.equal(placeUpTo([], 5, (n) => n), -1);
});
