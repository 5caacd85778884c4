import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf, nameOf } from "../../../ui/session_list/js/session_key.js";

test("a session is named by pipeline and id", () => {
  assert.deepEqual([keyOf({ pipeline: "p", id: "s" }), nameOf({ pipeline: "p", id: "s" })], ["p\ns", ["p", "s"]]);
});
