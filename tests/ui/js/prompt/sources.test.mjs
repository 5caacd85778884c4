import assert from "node:assert/strict";
import { test } from "node:test";
import { changedSources, sharesOf, shareWords } from "../../../../ui/session_view/js/prompt/sources.js";

const part = (kind, tokens, more = {}) => ({ kind, tokens, name: "", text: kind, seq: null, ...more });

test("shares are summed by source, in the order of a prompt", () => {
  const shares = sharesOf([part("history", 5), part("instruction", 10), part("state", 3), part("instruction", 2)]);
  assert.deepEqual(shares.map(({ kind, tokens, parts }) => [kind, tokens, parts]), [
    ["instruction", 12, 2],
    ["state", 3, 1],
    ["history", 5, 1],
  ]);
  assert.deepEqual(sharesOf([]), []);
});

test("a share in words: what is there is never 0 %", () => {
  assert.deepEqual([[1, 3], [1, 1000], [0, 10], [0, 0], [5, 5]].map(([n, all]) => shareWords(n, all)), [
    "33 %",
    "under 1 %",
    "0 %",
    "0 %",
    "100 %",
  ]);
});

test("only sources that differ are told, new and gone ones too", () => {
  const before = [part("instruction", 1), part("state", 1, { name: "k", text: "old" }), part("tools", 1)];
  const after = [
    part("instruction", 1),
    part("state", 1, { name: "k", text: "new" }),
    part("history", 1, { name: "B", text: "hi" }),
  ];
  assert.deepEqual(changedSources(before, after), [
    { kind: "state", before: "k: old", after: "k: new" },
    { kind: "history", before: "", after: "B: hi" },
    { kind: "tools", before: "tools", after: "" },
  ]);
  assert.deepEqual(changedSources(before, before), []);
});
