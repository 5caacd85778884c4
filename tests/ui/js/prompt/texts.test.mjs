import assert from "node:assert/strict";
import { test } from "node:test";
import { createTexts } from "../../../../ui/session_view/js/prompt/texts.js";

function stage(answers) {
  const asked = [];
  let changes = 0;
  const texts = createTexts({
    get: (names) => (asked.push(names), Promise.resolve().then(() => answers(names))),
    onChange: () => (changes += 1),
  });
  return { texts, asked, settled: () => new Promise((done) => setTimeout(done)), changes: () => changes };
}

test("a text is asked for once, with the others, and kept; one that is not there is known not to be", async () => {
  const { texts, asked, settled, changes } = stage(() => ({ a: "A" }));
  assert.equal(texts.of(["a", "b"]).ready, false);
  texts.of(["a"]);
  await settled();
  assert.deepEqual([texts.of(["a", "b"]).ready, texts.of(["a"]).found.get("a"), texts.of(["b"]).found.get("b")], [
    true,
    "A",
    null,
  ]);
  assert.deepEqual([asked, changes()], [[["a", "b"]], 1]);
  assert.equal(texts.of([]).ready, true);
});

test("a failure is told once, asks no more, and is tried again when it is wanted", async () => {
  let fails = true;
  const { texts, asked, settled } = stage(() => {
    if (fails) throw new Error("gone");
    return { a: "A" };
  });
  texts.of(["a"]);
  await settled();
  assert.deepEqual([texts.of(["a"]).error, texts.of(["a"]).ready, asked.length], ["gone", false, 1]);
  fails = false;
  texts.retry();
  texts.of(["a"]);
  await settled();
  assert.deepEqual([texts.of(["a"]).error, texts.of(["a"]).ready], ["", true]);
});
