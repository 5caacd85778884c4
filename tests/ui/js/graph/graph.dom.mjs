import { Graph } from "../../../../ui/session_view/js/graph/graph.js";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { emptyActivity } from "../../../../ui/session_view/js/log/folds/activity.js";
import { all, equal, ok, show, test, textOf } from "../stage.mjs";

const leaf = (name, more = {}) => ({ name, type: "LlmAgent", kind: "LlmAgent", children: [], ...more });
const TREE = {
  name: "Root",
  type: "SequentialAgent",
  kind: "SequentialAgent",
  children: [
    leaf("InitialWriter", {
      description: "Writes first.",
      tools: ["search", "helper"],
      agent_tools: { helper: leaf("Helper") },
    }),
    {
      name: "Loop",
      type: "LoopAgent",
      kind: "LoopAgent",
      max_iterations: 3,
      children: [leaf("Critic"), { name: "Check", type: "Check", kind: "BaseAgent", children: [] }],
    },
    { name: "Router", type: "RoutedAgent", kind: "RoutedAgent", routes: { fast: "A" }, children: [leaf("A")] },
  ],
};

function drawn(more = {}, picked = []) {
  const graph = new Graph((...clicked) => picked.push(clicked));
  graph.setTree(TREE, indexTree(TREE));
  show(graph.element);
  graph.update({ live: true, filters: {}, author: null, ...more, activity: { ...emptyActivity(), ...more.activity } });
  const node = (name) => all(graph.element, "button.node").find((button) => textOf(button.querySelector(".name")) === name);
  return { graph, node };
}

test("the tree stands as nested flows, agents used as tools below their user, each once", () => {
  const { graph } = drawn();
  equal(all(graph.element, ".name").map(textOf), [
    "Root",
    "InitialWriter",
    "Helper",
    "Loop",
    "Critic",
    "Check",
    "Router",
    "A",
  ]);
  equal(all(graph.element, "ul.flow > li > ul.LoopAgent > li").length, 2);
  equal(all(graph.element, ".tool").map(textOf), ["search"], "the other tool is an agent");
  equal(all(graph.element, ".reach").map(textOf), ["as the tool helper", "fast"]);
});

test("a node says what kind of agent it is, and a name may break between its words", () => {
  const { node } = drawn();
  equal(["Root", "InitialWriter", "Critic", "Check"].map((name) => textOf(node(name).querySelector(".about"))), [
    "sequence",
    "Writes first.",
    "model",
    "code",
  ]);
  equal(all(node("InitialWriter"), "wbr").length, 1);
  ok(node("InitialWriter").title.includes("Click to see only its events"));
});

test("who is at work is lit and says what with; a past moment has no pulse", () => {
  const activity = {
    running: new Map([["Critic", 1], ["Loop", 1]]),
    models: new Map([["Critic", 1]]),
    seen: new Map([["Critic", 4]]),
    loops: new Map([["Loop", { iteration: 2, max: 3, open: true }]]),
  };
  const { node } = drawn({ activity });
  equal([...node("Critic").classList].filter((name) => ["active", "pulse", "seen"].includes(name)), [
    "active",
    "pulse",
    "seen",
  ]);
  equal([textOf(node("Critic").querySelector(".state")), textOf(node("Critic").querySelector(".tally"))], ["thinking", "4"]);
  equal(textOf(node("Loop").querySelector(".about")), "iteration 2 / 3");
  equal(all(node("Loop"), ".dots i").map((dot) => dot.className), ["done", "now", ""]);
  const past = drawn({ activity, live: false });
  equal([past.node("Critic").classList.contains("pulse"), textOf(past.node("Critic").querySelector(".state"))], [
    false,
    "here",
  ]);
});

test("a tool at work, a try, a wait and a failure are told on the agent", () => {
  const { graph, node } = drawn({
    activity: {
      running: new Map([["InitialWriter", 1], ["A", 1]]),
      tools: new Map([["InitialWriter/search", 1]]),
      toolCounts: new Map([["InitialWriter/search", 2], ["InitialWriter/helper", 3]]),
      retrying: new Map([["A/1", { agent: "A", attempt: 1 }]]),
      waiting: new Set(["Critic"]),
      failed: new Set(["Check"]),
      routes: new Map([["agent/Router", { key: "fast", failed: [], counts: { fast: 2 } }]]),
    },
  });
  const state = (name) => textOf(node(name).querySelector(".state"));
  equal(["InitialWriter", "A", "Critic", "Check"].map(state), ["search", "try 2", "waits for you", "failed"]);
  equal(graph.element.querySelector(".tool").className, "tool active seen");
  equal(all(graph.element, ".via").map(textOf), ["as the tool helper3×", "fast✓ chosen2×"]);
});

test("a click picks an agent, which is then pressed; the author of the selected event is marked", () => {
  const picked = [];
  const { node } = drawn({ filters: { agent: "Critic" }, author: "A" }, picked);
  node("Loop").click();
  equal(picked, [["agent", "Loop"]]);
  equal([node("Critic"), node("Loop")].map((button) => button.getAttribute("aria-pressed")), ["true", "false"]);
  ok(node("A").classList.contains("author"));
});

test("without a tree there is nothing", () => {
  const graph = new Graph(() => {});
  graph.setTree(TREE, indexTree(TREE));
  graph.setTree(null, indexTree(null));
  equal(graph.element.children.length, 0);
});
