import assert from "node:assert/strict";
import { test } from "node:test";
import { stepOf } from "../../../../ui/session_view/js/rows/steps.js";

const body = (parts, more = {}) => ({ author: "A", content: { parts }, ...more });
const call = { function_call: { id: "1", name: "t" } };

test("a model's event is a THINK with why it stopped, and acts if it calls", () => {
  assert.deepEqual(stepOf(body([call], { stop_reason: "tool_use" }), 1), {
    word: "THINK",
    turn: 1,
    reason: "tool_use",
    acts: true,
    plain: false,
  });
  assert.deepEqual(stepOf(body([{ text: "x" }], { stop_reason: "end_turn" }), 3), {
    word: "THINK",
    turn: 3,
    reason: "end_turn",
    acts: false,
    plain: false,
  });
});

test("one answer without tools is worth its stop reason only", () => {
  assert.equal(stepOf(body([{ text: "x" }], { stop_reason: "end_turn" }), 1).plain, true);
  assert.equal(stepOf(body([{ text: "x" }], { stop_reason: "end_turn" })).plain, true);
});

test("responses are observed; people, code and errors take no step", () => {
  const answer = { function_response: { id: "1", name: "t" } };
  assert.equal(stepOf(body([answer])).word, "OBSERVE");
  assert.equal(stepOf(body([answer], { author: "user" })), null);
  assert.equal(stepOf(body([{ text: "x" }])), null);
  assert.equal(stepOf(body([], { stop_reason: "error", error_code: "X" })), null);
});
