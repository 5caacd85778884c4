import assert from "node:assert/strict";
import { test } from "node:test";
import { Outbox } from "../../../ui/build/js/outbox.js";

function stage() {
  const sent = [];
  const outbox = new Outbox((acts) => sent.push(acts.map(({ number, kind }) => `${number} ${kind}`)));
  return { sent, outbox, set: (value, field = "instruction") => outbox.add({ kind: "set", agent: "writer", field, value }) };
}

test("each message has all acts that the page has not seen", () => {
  const { sent, outbox, set } = stage();
  set("one");
  outbox.add({ kind: "undo" });
  outbox.settle(1, []);
  outbox.add({ kind: "redo" });
  assert.deepEqual(sent, [["1 set"], ["1 set", "2 undo"], ["2 undo", "3 redo"]]);
});

test("numbers go on after those that the page has seen", () => {
  const { sent, outbox } = stage();
  outbox.settle(7, []);
  outbox.add({ kind: "undo" });
  assert.deepEqual(sent, [["8 undo"]]);
});

test("what is on its way or was refused stays in its field, until it is changed again", () => {
  const { outbox, set } = stage();
  set("one");
  set("two");
  assert.deepEqual(outbox.typed("writer", "instruction"), { value: "two", text: "" });
  outbox.settle(2, [{ number: 2, text: "It was changed elsewhere." }]);
  assert.deepEqual(outbox.typed("writer", "instruction"), { value: "two", text: "It was changed elsewhere." });
  assert.equal(outbox.typed("critic", "instruction"), undefined);
  set("three");
  outbox.settle(3, []);
  assert.equal(outbox.typed("writer", "instruction"), undefined);
  assert.ok(outbox.isEmpty);
});

test("what was refused follows its agent to a new name", () => {
  const { outbox, set } = stage();
  set("one");
  outbox.settle(1, [{ number: 1, text: "It was changed elsewhere." }]);
  outbox.follow(new Map([["writer", "作家"], ["critic", "writer"]]));
  assert.equal(outbox.typed("作家", "instruction")?.value, "one");
  assert.equal(outbox.typed("writer", "instruction"), undefined);
});
