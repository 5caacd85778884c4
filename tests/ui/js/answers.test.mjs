import assert from "node:assert/strict";
import { test } from "node:test";
import { PATIENCE_MS, createAnswers } from "../../../ui/session_view/js/answers.js";

function stage() {
  const seen = { sent: [], changes: 0, timers: [] };
  const later = (act, after) => seen.timers.push({ act, after, on: true });
  const forget = (n) => (seen.timers[n - 1].on = false);
  const answers = createAnswers({ send: (answer) => seen.sent.push(answer), onChange: () => (seen.changes += 1), later, forget });
  return { answers, seen };
}

test("an answer is sent once, however often it is given, until the log shows it", () => {
  const { answers, seen } = stage();
  assert.equal(answers.stateOf("a"), "idle");
  assert.ok(answers.give("a", { confirmed: true }));
  assert.ok(!answers.give("a", { confirmed: false }));
  assert.deepEqual(seen.sent, [{ call_id: "a", response: { confirmed: true } }]);
  assert.equal(answers.stateOf("a"), "sending");
  answers.settle((id) => id === "a");
  assert.equal(answers.stateOf("a"), "sending", "it still waits");
  answers.settle(() => false);
  assert.equal(answers.stateOf("a"), "idle");
  assert.equal(seen.timers[0].on, false);
});

test("when nothing comes of it, it can be given again", () => {
  const { answers, seen } = stage();
  answers.give("a", {});
  assert.equal(seen.timers[0].after, PATIENCE_MS);
  seen.timers[0].act();
  assert.equal(answers.stateOf("a"), "silent");
  assert.equal(seen.changes, 2);
  assert.ok(answers.give("a", {}));
  assert.equal(answers.stateOf("a"), "sending");
  assert.equal(seen.sent.length, 2);
});

test("what was typed is kept until the call is settled or another session is opened", () => {
  const { answers, seen } = stage();
  answers.draftOf("a").reason = "too much";
  assert.equal(answers.draftOf("a").reason, "too much");
  assert.equal(answers.draftOf("b").reason, "");
  answers.give("b", {});
  answers.clear();
  assert.equal(answers.draftOf("a").reason, "");
  assert.equal(answers.stateOf("b"), "idle");
  assert.equal(seen.timers[0].on, false);
});
