import assert from "node:assert/strict";
import { test } from "node:test";
import { diffTexts, diffWords, focusDiff, isRewrite } from "../../../../ui/session_view/js/words/diff.js";

const without = (runs, op) => runs.filter((run) => run.op !== op).map((run) => run.text).join("");

/** A small generator of its own, so that a failure can be repeated. */
function numbers(seed) {
  return (below) => ((seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 8) % below;
}

test("leaving out what came gives the old text, leaving out what went the new one", () => {
  const next = numbers(7);
  const words = ["a", "sea", " ", "  ", "\n", ",", "é", "🙂", "lamp", "1"];
  for (let i = 0; i < 400; i++) {
    const text = () => Array.from({ length: next(30) }, () => words[next(words.length)]).join("");
    const [before, after] = [text(), text()];
    const runs = diffWords(before, after);
    assert.equal(without(runs, "+"), before);
    assert.equal(without(runs, "-"), after);
    assert.ok(runs.every((run, n) => run.text && run.op !== runs[n - 1]?.op));
  }
});

test("equal texts are one kept run, empty ones none", () => {
  assert.deepEqual(diffWords("the lamp", "the lamp"), [{ op: "=", text: "the lamp" }]);
  assert.deepEqual(diffWords("", ""), []);
});

test("one changed word is one change", () => {
  assert.deepEqual(diffWords("The lamp was dark tonight.", "The lamp was bright tonight."), [
    { op: "=", text: "The lamp was " },
    { op: "-", text: "dark" },
    { op: "+", text: "bright" },
    { op: "=", text: " tonight." },
  ]);
});

test("a stray word between two changes belongs to them", () => {
  const runs = diffWords("gulls kept the distance away", "waves broke the railing down");
  assert.deepEqual(runs.map((run) => run.op), ["-", "+"]);
});

test("long texts with nothing in common end at once, and read as a rewrite", () => {
  const long = (word) => Array.from({ length: 20000 }, (_, i) => word + i).join(" ");
  const runs = diffWords(long("a"), long("b"));
  assert.equal(without(runs, "+"), long("a"));
  assert.ok(isRewrite(runs));
  assert.ok(!isRewrite(diffWords("one two three four", "one two three five")));
});

test("kept stretches shrink to their ends", () => {
  const kept = "word ".repeat(200);
  const runs = focusDiff(diffWords(`${kept}old ${kept}`, `${kept}new ${kept}`));
  assert.equal(runs.length, 4);
  assert.ok(runs[0].text.length < 120 && runs[3].text.length < 120 && runs[0].cut);
});

test("lists of texts are compared text by text", () => {
  const runs = diffTexts(["a", "b", "c"], ["a", "x", "c", "c"]);
  assert.deepEqual(runs.map(({ op, text }) => op + text), ["=a", "-b", "+x", "+c", "=c"]);
  assert.deepEqual(diffTexts([], []), []);
});
