import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Answers, PATIENCE_MS } from "../../../../ui/session_view/js/cards/answers.js";

function stage() {
  const seen = { sent: [], changes: 0 };
  const answers = new Answers({
    send: (id, response) => seen.sent.push([id, response]),
    onChange: () => (seen.changes += 1),
  });
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  return { answers, seen };
}

test("an answer is sent once, however often it is given, until the log shows it", () => {
  const { answers, seen } = stage();
  assert.equal(answers.stateOf("a"), "idle");
  assert.ok(answers.give("a", { confirmed: true }));
  assert.ok(!answers.give("a", { confirmed: false }));
  assert.deepEqual(seen.sent, [["a", { confirmed: true }]]);
  assert.equal(answers.stateOf("a"), "sending");
  answers.settle((id) => id === "a");
  assert.equal(answers.stateOf("a"), "sending", "it still waits");
  answers.settle(() => false);
  assert.equal(answers.stateOf("a"), "idle");
  mock.timers.tick(PATIENCE_MS);
  assert.equal(seen.changes, 1, "nobody waits for it any more");
});

test("when nothing comes of it, it can be given again", () => {
  const { answers, seen } = stage();
  answers.give("a", {});
  mock.timers.tick(PATIENCE_MS - 1);
  assert.equal(answers.stateOf("a"), "sending");
  mock.timers.tick(1);
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
  mock.timers.tick(PATIENCE_MS);
  assert.equal(seen.changes, 1);
});
