import assert from "node:assert/strict";
import { test } from "node:test";
import { indexTree, isWorkflow, markOf, namesUnder, sameTree } from "../../../../ui/session_view/js/log/agent_tree.js";

const llm = (name) => ({ name, type: "LlmAgent", kind: "LlmAgent", children: [], tools: [] });
const tree = {
  name: "Root",
  type: "SequentialAgent",
  kind: "SequentialAgent",
  tools: [],
  children: [llm("A"), {
    name: "Loop",
    type: "LoopAgent",
    kind: "LoopAgent",
    tools: [],
    children: [llm("B"), { ...llm("Check"), type: "Checker", kind: "BaseAgent" }],
  }],
};

test("agents that speak get colour and shape in tree order; what orders them gets its kind's sign", () => {
  const index = indexTree(tree);
  assert.deepEqual(["A", "B", "Check"].map((name) => markOf(index, name).colour), [0, 1, 2]);
  assert.equal(new Set(["A", "B", "Check"].map((name) => markOf(index, name).shape)).size, 3);
  assert.deepEqual(markOf(index, "Loop"), { colour: "flow", shape: "LoopAgent" });
  assert.deepEqual(["A", "Check"].map((name) => markOf(index, name).hollow), [false, true]);
  assert.equal(markOf(index, "user").colour, "user");
});

test("an author that the tree does not know keeps the mark it gets first", () => {
  const index = indexTree(tree);
  const first = markOf(index, "Stranger");
  markOf(index, "Other");
  assert.deepEqual(markOf(index, "Stranger"), first);
  assert.notDeepEqual(markOf(index, "Other"), first);
  assert.equal(first.colour, 3);
});

test("colour and shape together tell ninety agents apart", () => {
  const index = indexTree({ ...tree, children: Array.from({ length: 90 }, (_, i) => llm(`a${i}`)) });
  const marks = Array.from({ length: 90 }, (_, i) => JSON.stringify(markOf(index, `a${i}`)));
  assert.equal(new Set(marks).size, 90);
});

test("an agent stands for all below it", () => {
  const index = indexTree(tree);
  assert.deepEqual([...namesUnder(index, "Loop")], ["Loop", "B", "Check"]);
  assert.deepEqual([...namesUnder(index, "Gone")], ["Gone"]);
  assert.deepEqual(indexTree(null).order, []);
});

test("agents that are used as tools are known, and stand under whoever uses them", () => {
  const index = indexTree({
    ...llm("Writer"),
    agent_tools: { research: { ...llm("Helper"), agent_tools: { shorten: llm("Short") } } },
  });
  assert.deepEqual(index.order, ["Writer", "Helper", "Short"]);
  assert.deepEqual([...namesUnder(index, "Writer")], ["Writer", "Helper", "Short"]);
  assert.deepEqual(["Writer", "Helper", "Short"].map((name) => markOf(index, name).colour), [0, 1, 2]);
});

test("a router orders others, as a workflow does", () => {
  assert.ok(isWorkflow({ type: "MyRouter", kind: "RoutedAgent" }));
  assert.deepEqual(markOf(indexTree({ name: "R", kind: "RoutedAgent", children: [] }), "R"), {
    colour: "flow",
    shape: "RoutedAgent",
  });
});

test("trees are compared by what is in them", () => {
  assert.ok(sameTree(tree, structuredClone(tree)) && sameTree(null, undefined));
  assert.ok(!sameTree(tree, null) && !sameTree(tree, { ...tree, name: "Other" }));
});
