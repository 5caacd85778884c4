import { createNext, groupsOf } from "../../../../ui/session_view/js/graph/edges.js";
import { Graph } from "../../../../ui/session_view/js/graph/graph.js";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { emptyActivity, foldActivity } from "../../../../ui/session_view/js/log/folds/activity.js";
import { event } from "../log_entries.mjs";
import { all, equal, show, test, textOf } from "../stage.mjs";

const node = (name, kind = "FunctionNode") => ({ name, type: kind, kind, children: [] });
const GRAPH = {
  ...node("graph", "Workflow"),
  children: ["read", "count", "shout", "both", "judge", "improve", "keep"].map((name) => node(name)),
  edges: {
    "": [["read", []]],
    read: [["count", []], ["shout", []]],
    count: [["both", []]],
    shout: [["both", []]],
    both: [["judge", []]],
    judge: [["improve", ["again", "more"]], ["keep", ["__DEFAULT__"]]],
    improve: [["judge", []]],
    keep: [],
  },
};
const names = (groups) => groups.map((group) => group.map(({ name }) => name).join(" "));

test("nodes between the same nodes are a group; a target of another route is none of it", () => {
  equal(names(groupsOf(GRAPH)), ["read", "count shout", "both", "judge", "improve", "keep"]);
  const routed = { ...GRAPH, edges: { ...GRAPH.edges, read: [["count", ["a"]], ["shout", ["b"]]] } };
  equal(names(groupsOf(routed)).slice(1, 3), ["count", "shout"]);
  equal(groupsOf(node("empty", "Workflow")), []);
});

test("where an edge leads is said only if that is not drawn next, or by a route", () => {
  const graph = new Graph(() => {});
  graph.setTree(GRAPH, indexTree(GRAPH));
  show(graph.element);
  equal(all(graph.element, ".via.next").map(textOf), [
    "2 at once",
    "again → improve",
    "more → improve",
    "any other → keep",
    "then → judge",
    "end",
  ]);
  equal(all(graph.element, ".together .name").map(textOf), ["count", "shout"]);
  equal(all(graph.element, ".leaf .about").map(textOf).filter(Boolean), [], "a function says no more than its name");
});

test("many next nodes are counted", () => {
  const many = Array.from({ length: 20 }, (_, i) => [`part_${i}`, []]);
  const [mark] = createNext("read", many, []);
  equal(textOf(mark.element), "then → part_0, part_1, part_2, part_3, part_4, 15 more");
});

test("the route that was taken is lit and counted; the default stands for any that has no edge", () => {
  const marks = createNext("judge", GRAPH.edges.judge, []);
  const activity = emptyActivity();
  const looks = (route) => {
    foldActivity(activity, event("judge", null, { actions: { route } }));
    for (const mark of marks) mark.update(activity);
    return marks.map(({ element }) => `${element.dataset.look ?? ""} ${textOf(element.querySelector(".tally"))}`.trim());
  };
  equal(looks("again"), ["chosen 1×", "", ""]);
  equal(looks("unsure"), ["1×", "", "chosen 1×"]);
  equal(looks(["more"]), ["1×", "chosen 1×", "1×"]);
  equal(looks(undefined), ["1×", "chosen 1×", "1×"]);
});
