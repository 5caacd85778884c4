import assert from "node:assert/strict";
import { test } from "node:test";
import { PAUSE, TypedText } from "../../../ui/session_list/js/typed_text.js";

const titles = ["Baker", "Lighthouse", "lamp", "Zebra", "bread"];

function typed(text, { at = 0, every = 10 } = {}) {
  const typed = new TypedText();
  let now = 0;
  for (const letter of text) {
    const found = typed.find(letter, { titles, at, now: now += every });
    if (found >= 0) at = found;
  }
  return titles[at];
}

test("a letter leads to the next title that begins with it, and round", () => {
  assert.equal(typed("l"), "Lighthouse");
  assert.equal(typed("b"), "bread");
  assert.equal(typed("b", { at: 4 }), "Baker");
});

test("several letters are one beginning, one letter again and again goes on", () => {
  assert.equal(typed("la"), "lamp");
  assert.equal(typed("bre"), "bread");
  assert.equal(typed("LL"), "lamp");
});

test("after a pause another text begins", () => {
  assert.equal(typed("lz", { every: PAUSE }), "Zebra");
});

test("what no title begins with leads nowhere", () => {
  assert.equal(new TypedText().find("x", { titles, at: 2, now: 0 }), -1);
  assert.equal(new TypedText().find("x", { titles: [], at: -1, now: 0 }), -1);
});
