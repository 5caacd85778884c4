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
    { kind: "history", messages: [{ op: "+", part: after[2] }] },
    { kind: "tools", before: "tools", after: "" },
  ]);
  assert.deepEqual(changedSources(before, before), []);
});

/** What became of messages, as text: what stayed is counted. */
function told(before, after) {
  const parts = (messages) => messages.map((message) => part("history", 1, { name: message[0], text: message.slice(1) }));
  const [change] = changedSources(parts(before), parts(after));
  return change?.messages.map(({ op, part, parts, before }) => `${op}${parts?.length ?? `${before ?? ""} ${part.text}`}`);
}

test("of the history each message is told: what stayed is together, what came, went or was changed stands by itself", () => {
  assert.equal(told(["Aone", "Btwo"], ["Aone", "Btwo"]), undefined);
  assert.deepEqual(told(["Aone"], ["Aone", "Btwo", "Cthree"]), ["=1", "+ two", "+ three"]);
  assert.deepEqual(told(["Aone", "Btwo", "Aold", "Cend"], ["Btwo", "Anew", "Cend"]), ["- one", "=1", "~old new", "=1"]);
  assert.deepEqual(told(["Aone"], ["Bone"]), ["- one", "+ one"], "another author is another message");
  assert.deepEqual(told([], ["茶"]), ["+ "]);
  assert.deepEqual(told(["A"], []), ["- "]);
});

test("a long history that grew by a message is compared at once", () => {
  const before = Array.from({ length: 10_000 }, (_, i) => `A${i}`);
  assert.deepEqual(told(before, [...before, "Bnew"]), ["=10000", "+ new"]);
});
