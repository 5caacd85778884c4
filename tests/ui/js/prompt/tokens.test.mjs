import assert from "node:assert/strict";
import { test } from "node:test";
import { countTokens } from "../../../../ui/session_view/js/prompt/tokens.js";

test("words, numbers, signs, line breaks and characters of other scripts, as Python counts them", () => {
  const texts = ["", "a lighthouse", "1234567", "a::b)", "x\n\n\ny", "灯台の灯", "Größe", "a_b", "😀😀", "ไทย", "  \t "];
  assert.deepEqual(texts.map(countTokens), [0, 3, 3, 4, 3, 4, 2, 3, 1, 3, 0]);
});

test("one character a hundred thousand times is counted at once", () => {
  for (const one of ["a", "1", ".", "\n", "灯", "_", " ", "é"]) assert.ok(countTokens(one.repeat(100_000)) >= 0);
});
