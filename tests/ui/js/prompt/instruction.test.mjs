import assert from "node:assert/strict";
import { test } from "node:test";
import { instructionParts } from "../../../../ui/session_view/js/prompt/instruction.js";

const NOTHING = { filled: [], state: new Map(), given: null };
const state = (values) =>
  new Map(Object.entries(values).map(([key, value], i) => [key, { value, seq: i + 1, author: "A" }]));
const shown = (parts) => parts.map(({ kind, name, text, seq }) => [kind, name, text, seq]);
const partsOf = (instruction, more = {}) => shown(instructionParts({ ...NOTHING, instruction, ...more }));

test("identity, template and values, in the order of the text", () => {
  const identity = 'You are an agent. Your internal name is "A". The description about you is "It says "hi"".\n\n';
  const text = `${identity}Write about tea and 42.`;
  const at = identity.length;
  const filled = [[at + 12, at + 15, "topic"], [at + 20, at + 22, "temp:n"]];
  assert.deepEqual(partsOf(text, { filled, state: state({ topic: "tea" }) }), [
    ["identity", "", identity, null],
    ["instruction", "", "Write about ", null],
    ["state", "topic", "tea", 1],
    ["instruction", "", " and ", null],
    ["state", "temp:n", "42", null],
    ["instruction", "", ".", null],
  ]);
});

test("places are counted in code points, as Python counts", () => {
  assert.deepEqual(partsOf("😀 say 灯台!", { filled: [[6, 8, "x"]] })[1], ["state", "x", "灯台", null]);
});

test("an identity alone is one, and nothing is nothing", () => {
  assert.deepEqual(partsOf('You are an agent. Your internal name is "A".').map(([kind]) => kind), ["identity"]);
  assert.deepEqual(partsOf(""), []);
});

test("each bullet that was given is a part, in a template or in the value of a key; other lines are not", () => {
  const text = "Use:\n## S\n[s-1] helpful=0 harmful=0 :: One.\n[s-2] helpful=0 harmful=0 :: Two.\n[x] not one\nEnd.";
  const given = { seq: 7, ids: new Set(["s-1", "s-2"]), place: { playbook: "p", revision: 3 } };
  const bullet = instructionParts({ ...NOTHING, instruction: text, given }).find(({ kind }) => kind === "playbook");
  assert.deepEqual(bullet.place, given.place);
  assert.deepEqual(partsOf(text, { given }).map(([kind, name, , seq]) => [kind, name, seq]), [
    ["instruction", "", null],
    ["playbook", "s-1", 7],
    ["playbook", "s-2", 7],
    ["instruction", "", null],
  ]);
  const inState = partsOf(text, { given, filled: [[5, text.length - 4, "app:playbook"]] });
  assert.deepEqual(inState.map(([kind]) => kind), ["instruction", "state", "playbook", "playbook", "state", "instruction"]);
});

test("where the record says nothing, long values are found by their text, the longest first, and said to be", () => {
  const question = "How many lamps has the tower?";
  const values = state({ short: "lamps", question, part: "lamps has the to", n: 3 });
  const parts = instructionParts({ ...NOTHING, instruction: `Answer: ${question} Now.`, state: values });
  assert.deepEqual(parts.map(({ kind, name, guessed = false }) => [kind, name, guessed]), [
    ["instruction", "", false],
    ["state", "question", true],
    ["instruction", "", false],
  ]);
  const exact = instructionParts({ ...NOTHING, instruction: question, filled: [[0, 3, "x"]], state: values });
  assert.ok(exact.every(({ guessed }) => !guessed), "never beside what the record says");
});
