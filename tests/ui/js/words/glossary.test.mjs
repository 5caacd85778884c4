import assert from "node:assert/strict";
import { test } from "node:test";
import { meaningOf, SECTIONS } from "../../../../ui/session_view/js/words/glossary.js";

test("each term has a meaning of its own, in sentences", () => {
  const terms = SECTIONS.flatMap(({ terms }) => terms);
  assert.ok(terms.length > 40);
  assert.equal(new Set(terms.map(([term]) => term)).size, terms.length);
  for (const [term, meaning] of terms) assert.match(meaning, /^[^`*]{15,320}\.$/, term);
});

test("what the view says in plain words is in it under its name in the field", () => {
  const bare = [
    "THINK",
    "ACT",
    "OBSERVE",
    "end_turn",
    "tool_use",
    "max_tokens",
    "safety",
    "error",
    "escalate",
    "state delta",
  ];
  for (const term of [...bare, "transfer", "arm", "folded", "branch", "seq"]) assert.ok(meaningOf(term), term);
  assert.deepEqual([meaningOf("no such word"), meaningOf("constructor")], [null, null]);
});
