import teamEditor from "../../../ui/build/js/component.js";
import "../../../ui/build/js/team_editor.js";
import { all, equal, press, root, test, textOf, type, until } from "../js/stage.mjs";
import { agent, AGENTS, team } from "./teams.mjs";

function stage(data = team()) {
  const parentElement = root(), sent = [];
  let close = () => {};
  const give = (more) =>
    close = teamEditor({ parentElement, data: more, setTriggerValue: (name, acts) => sent.push([name, acts]) });
  const end = async () => (close(), await until(() => all(parentElement, ".team-editor").length === 0));
  const find = (what) => parentElement.querySelector(what);
  give(data);
  return { sent, give, end, find, selected: () => textOf(find("[aria-selected=true] .name")) };
}

test("an agent that is selected is shown at once, and the page is told after a pause", async () => {
  const { sent, selected, find, end } = stage();
  find("[data-agent=critic]").click();
  equal([selected(), find("#field-name").value, sent], ["critic", "critic", []]);
  await until(() => sent.length);
  equal(sent, [["acts", [{ kind: "select", agent: "critic", number: 1 }]]]);
  await end();
});

test("an answer of the page leaves the selection, unless it leads to another place", async () => {
  const { give, selected, find, end } = stage();
  find("[data-agent=critic]").click();
  give(team());
  equal(selected(), "critic");
  give(team({ agent: "joiner", field: "output_key", visit: 1 }));
  equal([selected(), root().activeElement.id], ["joiner", "field-output_key"]);
  give(team({ agents: AGENTS.slice(0, 4), agent: "team", visit: 1 }));
  equal(selected(), "team");
  await end();
});

test("an agent far down that the page leads to is in sight in the tree", async () => {
  const many = Array.from({ length: 60 }, (_, at) => agent(`agent_${at}`, "team"));
  const { find, end } = stage(team({ agents: [AGENTS[0], ...many], agent: "agent_50" }));
  const row = find("[data-agent=agent_50]").getBoundingClientRect(), tree = find("[role=tree]").getBoundingClientRect();
  equal([row.top >= tree.top, row.bottom <= tree.bottom, row.height > 0], [true, true, true]);
  await end();
});

test("an agent that was renamed elsewhere stays selected, with what was typed and refused", async () => {
  const { give, find, selected, end } = stage();
  type(find("#field-output_key"), "text");
  find("#field-output_key").dispatchEvent(new Event("change"));
  give(team({ done: 1, refused: [{ number: 1, text: "It was changed elsewhere." }] }));
  const agents = AGENTS.map((one) => one.name === "writer" ? { ...one, name: "author" } : one);
  give(team({ agents, agent: "team", done: 1, refused: [{ number: 1, text: "It was changed elsewhere." }] }));
  equal([selected(), find("#field-output_key").value], ["author", "text"]);
  await end();
});

test("a change is on its way until the page has seen it", async () => {
  const { sent, give, find, end } = stage();
  type(find("#field-output_key"), "text");
  find("#field-output_key").dispatchEvent(new Event("change"));
  press(find("[data-agent=writer]"), "Delete");
  equal(textOf(find(".status")), "Saving …");
  equal(sent.at(-1)[1].map(({ number, kind }) => [number, kind]), [[1, "set"], [2, "remove"]]);
  give(team({ done: 2 }));
  equal(textOf(find(".status")), "Saved");
  await end();
});

test("after an agent was added as a tool, its name has the focus; after it was removed, the first tool", async () => {
  const { give, find, end } = stage();
  const add = all(find(".form"), "button").find((one) => textOf(one).includes("as a tool"));
  add.focus();
  add.click();
  const use = { name: "AgentTool", args: { agent: { config_path: "agent.yaml" } } };
  const agents = AGENTS.map((one) => one.name === "writer" ? { ...one, tools: [use] } : one);
  const called = team({ agents: [...agents, agent("agent", "writer", { called: true })], visit: 1, done: 1 });
  give({ ...called, agent: "agent" });
  equal([root().activeElement.id, root().activeElement.value], ["field-name", "agent"]);
  give({ ...called, visit: 2 });
  find(".tools input").focus();
  give(team({ visit: 3 }));
  equal(root().activeElement === find(".tools input"), true);
  await end();
});

test("after a new agent was added by keyboard, the tree has the focus at it", async () => {
  const { sent, give, find, end } = stage();
  const button = (label) => all(find(".bar"), "button").find((one) => textOf(one) === label);
  button("Add").click();
  button("● agent").click();
  equal(root().activeElement === find("[data-agent=writer]"), true);
  equal(sent[0][1][0], { kind: "add", agent_class: "LlmAgent", parent: "loop", position: 1, number: 1 });
  give(
    team({ agents: [...AGENTS.slice(0, 3), agent("agent", "loop"), ...AGENTS.slice(3)], agent: "agent", visit: 1, done: 1 }),
  );
  equal(root().activeElement.dataset.agent, "agent");
  await end();
});

test("an agent that is not there any more gives its place to the first", async () => {
  const { give, selected, end } = stage();
  give(team({ agents: AGENTS.slice(0, 2), agent: "writer" }));
  equal(selected(), "team");
  await end();
});

test("sixty agents stay quick to type in: a letter draws the keys alone", async () => {
  const many = Array.from(
    { length: 60 },
    (_, at) => ({ ...AGENTS[2], name: `agent_${at}`, file: `agent_${at}.yaml`, parent: "loop" }),
  );
  const { find, end } = stage(team({ agents: [...AGENTS, ...many] }));
  const before = all(find(".tree"), "[role=treeitem]");
  let changes = 0;
  const watch = new MutationObserver((records) => changes += records.length);
  watch.observe(find(".team-editor"), { subtree: true, childList: true, attributes: true, characterData: true });
  type(find("#field-instruction"), "Write more");
  await until(() => true);
  watch.disconnect();
  equal([before.length, changes], [65, 0]);
  await end();
});
