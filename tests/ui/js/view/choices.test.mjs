import assert from "node:assert/strict";
import { test } from "node:test";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { Choices } from "../../../../ui/session_view/js/view/choices.js";

const leaf = (name) => ({ name, type: "LlmAgent", kind: "LlmAgent", children: [] });
const INDEX = indexTree({ name: "Root", type: "LoopAgent", kind: "LoopAgent", children: [leaf("A"), leaf("B")] });

test("the filter is the same until something else is chosen", () => {
  const choices = new Choices();
  const all = choices.filter(INDEX);
  assert.equal(all.names, null);
  assert.equal(choices.filter(INDEX), all);
  choices.pick("Root");
  assert.deepEqual([...choices.filter(INDEX).names], ["Root", "A", "B"]);
  choices.fold("A:1");
  assert.deepEqual(choices.filter(INDEX).folded, ["A:1"]);
  const folded = choices.filter(INDEX);
  choices.resetFilter();
  assert.notEqual(choices.filter(INDEX), folded);
});

test("what is folded or shown in full is so until it is chosen again", () => {
  const choices = new Choices();
  choices.fold("A:1");
  choices.toggle(3);
  assert.deepEqual([choices.isFolded("A:1"), choices.isOpen(3), choices.isOpen(4)], [true, true, false]);
  choices.fold("A:1");
  choices.toggle(3);
  assert.deepEqual([choices.isFolded("A:1"), choices.isOpen(3)], [false, false]);
});

test("another session keeps the agent and forgets the rest", () => {
  const choices = new Choices();
  choices.pick("A");
  choices.selected = 4;
  choices.toggle(4);
  choices.fold("A:1");
  choices.leaveSession();
  assert.deepEqual([choices.picked, choices.selected, choices.isOpen(4), choices.isFolded("A:1")], [
    "A",
    null,
    false,
    false,
  ]);
});
