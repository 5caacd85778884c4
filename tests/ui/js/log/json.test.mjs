import assert from "node:assert/strict";
import { test } from "node:test";
import { isObject } from "../../../../ui/session_view/js/log/json.js";

test("an object is told from all else that JSON has", () => {
  for (const object of [{}, { a: null }]) assert.equal(isObject(object), true);
  for (const other of [null, undefined, [], [{}], "{}", "", 0, true]) assert.equal(isObject(other), false);
});
