import assert from "node:assert/strict";
import { test } from "node:test";
import { begunKey, isKey, keysIn, nearest, withKey } from "../../../ui/build/js/form/state_keys.js";

const keys = (text) => Object.fromEntries(keysIn(text));

test("keys are what the runtime fills in", () => {
  assert.deepEqual(keys("Judge {draft}, {{ topic }} and {user:name?}."), { draft: false, topic: false, "user:name": true });
  assert.deepEqual(keys('{"a": 1} ${cost} \\{raw} {two words} {artifact.notes.txt} {} {1st}'), {});
  assert.deepEqual(keys("{key?} {key}"), { key: false });
  assert.deepEqual(keys("{下書き} {ключ_2}"), { 下書き: false, ключ_2: false });
  assert.deepEqual(["a", "app:a", "temp:a", "other:a", "a:b:c", "a b", ""].map(isKey), [
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("a key is begun after a brace, up to the caret", () => {
  assert.deepEqual(begunKey("Judge {dr", 9), { start: 7, letters: "dr" });
  assert.deepEqual(begunKey("Judge {", 7), { start: 7, letters: "" });
  assert.deepEqual(["Judge {draft}", "Judge {dr aft", "no", "${co", "\\{ra"].map((text) => begunKey(text, text.length)), [
    null,
    null,
    null,
    null,
    null,
  ]);
});

test("a chosen key takes the place of its first letters and is closed once", () => {
  assert.deepEqual(withKey("Judge {dr.", 9, "draft"), { text: "Judge {draft}.", caret: 13 });
  assert.deepEqual(withKey("Judge {dr}.", 9, "draft"), { text: "Judge {draft}.", caret: 13 });
  assert.deepEqual(withKey("Judge .", 6, "draft"), { text: "Judge {draft}.", caret: 13 });
});

test("a key that nobody writes is near one that differs in few letters", () => {
  assert.equal(nearest("darft", ["topic", "draft"]), "draft");
  assert.equal(nearest("Draft", ["draft"]), "draft");
  assert.equal(nearest("a", ["b"]), "b");
  assert.equal(nearest("a".repeat(100_000), ["a".repeat(99_999)]), "", "nothing that takes its square is begun");
  assert.equal(nearest("criticism", ["draft", "topic"]), "");
});
