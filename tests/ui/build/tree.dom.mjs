import { Bar } from "../../../ui/build/js/tree/bar.js";
import { Tree } from "../../../ui/build/js/tree/tree.js";
import "../../../ui/build/js/tree/drag.js";
import { all, equal, ok, press, root, show, test, textOf } from "../js/stage.mjs";
import { agent, AGENTS, team } from "./teams.mjs";

function stage(data = team()) {
  const done = [];
  let selected = data.agent;
  const draw = (more = data) => tree.draw(data = more, selected);
  const tree = new Tree({
    select: (name) => (selected = name, draw()),
    edit: () => done.push("edit"),
    act: (act) => done.push(act),
  });
  show(tree.element).className = "team-editor";
  draw();
  const at = (key, more) => press(root().activeElement, key, more).defaultPrevented;
  return {
    tree,
    done,
    draw,
    at,
    row: (name) => tree.element.querySelector(`[data-agent=${name}]`),
    focused: () => root().activeElement.dataset.agent,
  };
}

test("arrows go along the agents, into and out of those that hold others", () => {
  const { tree, at, focused } = stage();
  tree.focus();
  const after = ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight", "End", "Home"]
    .map((key) => (at(key), focused()));
  equal(after, ["critic", "joiner", "critic", "loop", "loop", "loop", "writer", "joiner", "team"]);
  equal(all(tree.element, "[tabindex='0']").length, 1, "one tab stop");
  tree.close();
});

test("a folded agent hides those below it, and the cursor goes up to it", () => {
  const { tree, row, at, focused } = stage();
  tree.focus();
  at("ArrowLeft");
  at("ArrowLeft");
  equal(all(tree.element, ".name").map(textOf), ["team", "loop", "joiner"]);
  equal([row("loop").ariaExpanded, focused()], ["false", "loop"]);
  row("team").querySelector(".fold").click();
  equal(all(tree.element, ".name").map(textOf), ["team"]);
  equal(row("team").ariaSelected, "true");
  tree.close();
});

test("Alt and arrows move an agent; where there is no place nothing is asked for, and the page is not left", () => {
  const { tree, done, at } = stage();
  tree.focus();
  equal(["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"].map((key) => at(key, { altKey: true })), [
    true,
    true,
    true,
    true,
  ]);
  equal(done, [
    { kind: "move", agent: "writer", parent: "loop", position: 1 },
    { kind: "move", agent: "writer", parent: "team", position: 1 },
  ]);
  tree.close();
});

test("Delete removes, Enter leads to the form, Ctrl and Z undo; letters go to a name", () => {
  const { tree, done, at, focused } = stage();
  tree.focus();
  at("Delete");
  at("Enter");
  at("z", { ctrlKey: true });
  at("Z", { ctrlKey: true, shiftKey: true });
  equal(done, [{ kind: "remove", agent: "writer" }, "edit", { kind: "undo" }, { kind: "redo" }]);
  at("j");
  equal(focused(), "joiner");
  equal(at("c", { ctrlKey: true }), false);
  tree.close();
});

test("a team that can only be read is only read", () => {
  const { tree, done, row, at } = stage(team({ locked: true }));
  tree.focus();
  at("Delete");
  at("ArrowDown", { altKey: true });
  equal(done, []);
  equal(row("writer").draggable, false);
  tree.close();
});

test("findings and problems are marked, and said", () => {
  const findings = [{ agent: "critic", field: "instruction", level: "warning", text: "It is odd." }];
  const { tree, row } = stage(team({ findings, agents: [...AGENTS, agent("late", "team", { problem: "line 3: no" })] }));
  equal([row("critic").ariaLabel, textOf(row("critic").querySelector(".mark"))], ["critic, agent, has a warning", "!"]);
  equal([row("late").ariaLabel, textOf(row("late").querySelector(".mark"))], ["late, agent, has an error", "✗"]);
  ok(row("critic").title.includes("It is odd."));
  tree.close();
});

function drag(kind, element, share) {
  const { top, height } = element.getBoundingClientRect();
  const event = new DragEvent(kind, {
    bubbles: true,
    composed: true,
    cancelable: true,
    clientY: top + height * share,
    dataTransfer: new DataTransfer(),
  });
  element.dispatchEvent(event);
  return event;
}

test("an agent is dragged beside another one, or below it", () => {
  const { tree, done, row } = stage();
  drag("dragstart", row("joiner"), 0.5);
  ok(drag("dragover", row("writer"), 0.1).defaultPrevented);
  equal(row("writer").dataset.drop, "before");
  drag("drop", row("writer"), 0.1);
  drag("dragstart", row("joiner"), 0.5);
  drag("drop", row("loop"), 0.5);
  equal(done, [
    { kind: "move", agent: "joiner", parent: "loop", position: 0 },
    { kind: "move", agent: "joiner", parent: "loop", position: 2 },
  ]);
  equal(all(tree.element, "[data-drop]").length, 0);
  tree.close();
});

test("the first agent is not dragged, and nothing is dropped below itself", () => {
  const { tree, done, row } = stage();
  ok(drag("dragstart", row("team"), 0.5).defaultPrevented);
  drag("dragstart", row("loop"), 0.5);
  equal(drag("dragover", row("writer"), 0.5).defaultPrevented, false);
  drag("drop", row("writer"), 0.5);
  equal(done, []);
  tree.close();
});

test("the bar adds where it is chosen, wraps, moves and removes", () => {
  const { tree } = stage();
  const done = [];
  const bar = new Bar((act) => done.push(act));
  show(bar.element).className = "team-editor";
  bar.draw(tree.order, team().kinds, "writer");
  const press = (label) => all(bar.element, "button").find((button) => textOf(button) === label).click();
  press("Add");
  const [where] = all(bar.element, "select");
  equal([...where.options].map((option) => option.text), ["after writer", "below writer"]);
  press("↻ loop");
  press("Wrap");
  press("→ in order");
  press("↓");
  press("✕");
  equal(done, [
    { kind: "add", agent_class: "LoopAgent", parent: "loop", position: 1 },
    { kind: "wrap", agent: "writer", agent_class: "SequentialAgent" },
    { kind: "move", agent: "writer", parent: "loop", position: 1 },
    { kind: "remove", agent: "writer" },
  ]);
  bar.draw(tree.order, team().kinds, "team");
  equal(all(bar.element, ".buttons button:disabled").map(textOf), ["↑", "↓", "✕"]);
  tree.close();
});

test("Escape closes what the bar asks, and goes back to its button", () => {
  const { tree } = stage();
  const bar = new Bar(() => {});
  show(bar.element).className = "team-editor";
  bar.draw(tree.order, team().kinds, "writer");
  const [add] = all(bar.element, "button");
  add.click();
  press(root().activeElement, "Escape");
  equal([add.ariaExpanded, root().activeElement === add, all(bar.element, "select").length], ["false", true, 0]);
  tree.close();
});
