import assert from "node:assert/strict";
import { test } from "node:test";
import { createCodes } from "../../../../ui/session_view/js/code/codes.js";

const PLACE = { pipeline: "p", session: "s", runs: 1 };

function stage() {
  const asked = [];
  let changes = 0;
  const codes = createCodes({
    get: (place) => new Promise((done, fail) => asked.push({ place, done, fail })),
    onChange: () => (changes += 1),
  });
  return { codes, asked, settled: () => new Promise((done) => setTimeout(done)), changes: () => changes };
}

test("code is asked for once, and again after another run, with the one before in sight", async () => {
  const { codes, asked, settled, changes } = stage();
  assert.deepEqual(codes.of(PLACE), { code: null, error: "" });
  codes.of(PLACE);
  assert.equal(asked.length, 1);
  asked[0].done("one");
  await settled();
  assert.deepEqual([codes.of(PLACE).code, changes()], ["one", 1]);
  assert.deepEqual([codes.of({ ...PLACE, runs: 2 }).code, asked.length], ["one", 2]);
  asked[1].done("two");
  await settled();
  assert.equal(codes.of({ ...PLACE, runs: 2 }).code, "two");
});

test("an answer for a session that was left is dropped, and its code is not shown for another", async () => {
  const { codes, asked, settled, changes } = stage();
  codes.of(PLACE);
  asked[0].done("one");
  await settled();
  assert.equal(codes.of({ ...PLACE, session: "t" }).code, null);
  codes.of({ ...PLACE, session: "u" });
  asked[1].done("late");
  await settled();
  assert.deepEqual([codes.of({ ...PLACE, session: "u" }).code, changes()], [null, 1]);
});

test("a failure is told, asks no more, and is tried again when it is wanted", async () => {
  const { codes, asked, settled } = stage();
  codes.of(PLACE);
  asked[0].fail(new Error("gone"));
  await settled();
  assert.deepEqual([codes.of(PLACE).error, asked.length], ["gone", 1]);
  codes.retry();
  assert.deepEqual([codes.of(PLACE).error, asked.length], ["", 2]);
});
