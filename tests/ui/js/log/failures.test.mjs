import assert from "node:assert/strict";
import { test } from "node:test";
import { CALLS_LIMIT, hasError, isFailure } from "../../../../ui/session_view/js/log/failures.js";

test("an error is a code or a message, and no failure if it is the limit of calls", () => {
  const entries = [{}, { error_code: null, error_message: "" }, { error_code: "X" }, { error_message: "broken" }];
  assert.deepEqual(entries.map(hasError), [false, false, true, true]);
  assert.deepEqual(entries.map(isFailure), [false, false, true, true]);
  const limit = { error_code: CALLS_LIMIT, error_message: "enough" };
  assert.deepEqual([hasError(limit), isFailure(limit)], [true, false]);
});
