import assert from "node:assert/strict";
import { test } from "node:test";

import { jsonText, summaryOf } from "../../../../ui/session_view/js/words/json_text.js";

test("nulls in objects are left out and counted; in lists, and alone, they stay", () => {
  const value = { a: null, b: { c: null, d: 1 }, e: [null, { f: null }] };
  const { text, nulls } = jsonText(value, false);
  assert.deepEqual([JSON.parse(text), nulls], [{ b: { d: 1 }, e: [null, {}] }, 3]);
  const all = jsonText(value, true);
  assert.deepEqual([JSON.parse(all.text), all.nulls], [value, 3]);
  assert.deepEqual([jsonText(null, false).text, jsonText("x", false).text, jsonText(undefined, false).text], [
    "null",
    '"x"',
    "",
  ]);
});

test("a list or an object in a line", () => {
  const told = [["operations", [1, 2, 3]], ["bullet_ids", [1]], ["status", [1]], ["draft", [1, 2]], ["2", {}], ["x", {
    a: 1,
  }]];
  assert.deepEqual(told.map(([name, value]) => summaryOf(name, value)), [
    "3 operations",
    "1 bullet id",
    "[…] 1 item",
    "[…] 2 items",
    "{…} 0 keys",
    "{…} 1 key",
  ]);
});
