import assert from "node:assert/strict";
import { test } from "node:test";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { append, emptyLog } from "../../../../ui/session_view/js/log/log.js";
import { Choices } from "../../../../ui/session_view/js/state/choices.js";
import { entry, event, startAt } from "../log_entries.mjs";

const leaf = (name) => ({ name, type: "LlmAgent", kind: "LlmAgent", children: [] });
const INDEX = indexTree({ name: "Root", type: "LoopAgent", kind: "LoopAgent", children: [leaf("A"), leaf("B")] });

test("what is shown is the same until something else is chosen", () => {
  const choices = new Choices();
  const all = choices.shown(INDEX);
  assert.equal(all.matches, null);
  assert.equal(choices.shown(INDEX), all);
  choices.filterBy({ agent: "Root" });
  const { matches } = choices.shown(INDEX);
  assert.deepEqual(["Root", "A", "B", "C"].map((author) => matches({ type: "partial", partial: { author } })), [
    true,
    true,
    true,
    false,
  ]);
  choices.fold("A:1");
  assert.deepEqual([...choices.shown(INDEX).folded], ["A:1"]);
  const folded = choices.shown(INDEX);
  choices.resetShown();
  assert.notEqual(choices.shown(INDEX), folded);
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

test("another session keeps the filters and forgets the rest", () => {
  const choices = new Choices();
  choices.filterBy({ agent: "A" });
  choices.selected = 4;
  choices.toggle(4);
  choices.fold("A:1");
  choices.leaveSession();
  assert.deepEqual([choices.filters, choices.selected, choices.isOpen(4), choices.isFolded("A:1")], [
    { agent: "A" },
    null,
    false,
    false,
  ]);
});

test("a link folds the blocks that it names as they come, and none that begin later", () => {
  const blocks = new Map();
  const add = (branch) => blocks.set(branch, { branch, number: blocks.size });
  const choices = new Choices();
  choices.fold("B:2");
  choices.linkFolds("0.2-9");
  add("A:1");
  assert.equal(choices.foldLinked(blocks, false), false);
  choices.fold("A:1");
  ["B:2", "C:3"].forEach(add);
  assert.equal(choices.foldLinked(blocks, true), true);
  add("D:4");
  assert.equal(choices.foldLinked(blocks, true), false, "it was followed");
  assert.deepEqual(["A:1", "B:2", "C:3", "D:4"].filter((branch) => choices.isFolded(branch)), ["C:3"]);
  assert.equal(choices.foldText(blocks), "2");
  choices.leaveSession();
  assert.equal(choices.foldText(blocks), null);
});

test("state is compared with the event before, the start or a pinned entry; nothing where a link names none", () => {
  startAt();
  const log = emptyLog();
  append(log, [entry("run_started"), event("user", "go"), event("A", "x"), entry("transfer")]);
  const choices = new Choices();
  const found = [null, "start", "2", "2.1", "9"].map((since) => (choices.since = since, choices.sinceSeq(log)));
  assert.deepEqual(found, [null, 1, 3, 4, null]);
  choices.leaveSession();
  assert.equal(choices.since, null);
});

test("on paper all is in full and nothing folded away; afterwards it is as it was chosen", () => {
  const choices = new Choices();
  choices.fold("A:1");
  choices.showWhole(true);
  assert.deepEqual([choices.isOpen(3), choices.isFolded("A:1"), [...choices.shown(INDEX).folded]], [true, false, []]);
  choices.showWhole(false);
  assert.deepEqual([choices.isOpen(3), choices.isFolded("A:1"), [...choices.shown(INDEX).folded]], [false, true, ["A:1"]]);
});
