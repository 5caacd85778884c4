import "../../../ui/build/js/form/controls.js";
import { Form } from "../../../ui/build/js/form/form.js";
import "../../../ui/build/js/form/instruction.js";
import "../../../ui/build/js/form/tools.js";
import { Outbox } from "../../../ui/build/js/outbox.js";
import { all, equal, ok, press, root, show, test, textOf, type } from "../js/stage.mjs";
import { agent, AGENTS, team } from "./teams.mjs";

function stage(data = team(), selected = "writer") {
  const done = [];
  const outbox = new Outbox((acts) => done.push(acts.at(-1)));
  const form = new Form(outbox);
  show(form.element).className = "team-editor";
  form.draw(data, selected);
  const field = (name) => form.element.querySelector(`#field-${name}`);
  const draw = (more, name = selected) => form.draw(more, name);
  return { form, outbox, done, field, draw, box: (name) => form.element.querySelector(`[data-field=${name}]`) };
}

const leave = (input) => input.dispatchEvent(new Event("change", { bubbles: true }));
const withFields = (fields) => AGENTS.map((one) => one.name === "writer" ? { ...one, fields } : one);

test("what is typed is told when the field is left, and not before", () => {
  const { done, field } = stage();
  type(field("output_key"), "text");
  equal(done, []);
  leave(field("output_key"));
  type(field("output_key"), " ");
  leave(field("output_key"));
  const told = done.map(({ field, value }) => [field, value]);
  equal(told, [["output_key", "text"], ["output_key", null]]);
});

test("an answer of the page does not take what is being typed", () => {
  const { field, draw } = stage();
  field("instruction").focus();
  type(field("instruction"), "Write mo");
  draw(team({ agents: withFields({ instruction: "Write.", output_key: "other" }) }));
  equal([field("instruction").value, field("output_key").value], ["Write mo", "other"]);
  field("output_key").focus();
  draw(team({ agents: withFields({ instruction: "Changed." }) }));
  equal(field("output_key").value, "");
});

test("what is on its way stays; what was refused stays with the reason", () => {
  const { outbox, field, draw, box } = stage();
  type(field("output_key"), "text");
  leave(field("output_key"));
  draw(team());
  equal(field("output_key").value, "text");
  outbox.settle(1, [{ number: 1, text: "It was changed elsewhere." }]);
  draw(team({ done: 1 }));
  equal([field("output_key").value, textOf(box("output_key").querySelector(".note"))], [
    "text",
    "Not saved: It was changed elsewhere.",
  ]);
  equal(box("output_key").dataset.level, "error");
});

test("switches, choices and tools are told at once; their usual value is not written", () => {
  const { form, done, field } = stage();
  field("disallow_transfer_to_peers").click();
  field("disallow_transfer_to_peers").click();
  for (const value of ["none", "default"]) {
    field("include_contents").value = value;
    leave(field("include_contents"));
  }
  form.element.querySelector(".tools input").click();
  equal(done.map(({ field, value }) => [field, value]), [
    ["disallow_transfer_to_peers", true],
    ["disallow_transfer_to_peers", null],
    ["include_contents", "none"],
    ["include_contents", null],
    ["tools", [{ name: "exit_loop" }]],
  ]);
});

test("a tool with arguments of its own is shown, and can be taken out", () => {
  const use = { name: "AgentTool", args: { agent: "helper.yaml" } };
  const agents = AGENTS.map((one) => one.name === "writer" ? { ...one, tools: [use, { name: "exit_loop" }] } : one);
  const { form, done } = stage(team({ agents }));
  const [first, second] = all(form.element, ".tools label");
  equal([textOf(first), textOf(second)], ['AgentTool {"agent":"helper.yaml"}', "exit_loop"]);
  equal(all(form.element, ".tools input").map(({ checked }) => checked), [true, true]);
  first.querySelector("input").click();
  equal(done[0].value, [{ name: "exit_loop" }]);
});

test("an agent is added as a tool by a button, and is removed by its box", () => {
  const use = { name: "AgentTool", args: { agent: { config_path: "helper.yaml" } } };
  const agents = AGENTS.map((one) => one.name === "writer" ? { ...one, tools: [use] } : one);
  const { form, done, draw } = stage(team({ agents: [...agents, agent("helper", "writer", { called: true })] }));
  const [add] = all(form.element, "button").filter((one) => textOf(one).includes("agent as a tool"));
  add.click();
  const [first] = all(form.element, ".tools label");
  equal(textOf(first), "helper (an agent)");
  first.querySelector("input").click();
  equal(done.map(({ number: _, ...act }) => act), [
    { kind: "add", agent_class: "LlmAgent", parent: "writer", as_tool: true },
    { kind: "remove", agent: "helper" },
  ]);
  draw(team({ locked: true }));
  ok(add.hidden);
});

test("what is written as a tool and is none is shown as it is written", () => {
  const agents = AGENTS.map((one) => one.name === "writer" ? { ...one, tools: [null, "exit_loop"] } : one);
  equal(all(stage(team({ agents })).form.element, ".tools label").slice(0, 2).map(textOf), ["null", '"exit_loop"']);
});

test("the keys of an instruction have their writers; one that nobody writes is marked, with the nearest", () => {
  const { form, done, field } = stage(team(), "critic");
  const lines = () => all(form.element, "[data-field=instruction] .keys li").map(textOf);
  equal(lines(), ["{draft} written by writer"]);
  type(field("instruction"), "Judge {darft}, {user:mood} and {extra?}.");
  equal(lines(), [
    "⚠ {darft} nobody writes it Write {draft}",
    "{user:mood} from the state that sessions share",
    "{extra} may be empty",
  ]);
  form.element.querySelector(".keys button").click();
  equal(done[0].value, "Judge {draft}, {user:mood} and {extra?}.");
});

test("where the team has code, a key may be the code's", () => {
  const { form, field } = stage(team({ coded: true }), "critic");
  type(field("instruction"), "Use {found}.");
  equal(all(form.element, ".keys li").map(textOf), ["{found} no agent writes it; the team's code may"]);
  equal(all(form.element, ".unwritten").length, 0);
});

test("while a key is typed those that there are are offered", () => {
  const { form, field } = stage(team({ keys: [["draft", ["writer"]], ["topic", ["asker"]]] }), "critic");
  const text = field("instruction"), offers = form.element.querySelector("#field-instruction-offers");
  text.focus();
  type(text, "Judge {");
  equal(all(offers, "li").map(textOf), ["draft writer", "topic asker"]);
  press(text, "ArrowDown");
  equal(root().getElementById(text.getAttribute("aria-activedescendant")).ariaSelected, "true");
  ok(press(text, "Enter").defaultPrevented);
  equal([text.value, offers.hidden], ["Judge {topic}", true]);
  type(text, "Judge {d");
  press(text, "Escape");
  equal([text.value, offers.hidden], ["Judge {d", true]);
  ok(!press(text, "Enter").defaultPrevented);
  type(text, "Judge {zzz");
  ok(offers.hidden);
});

test("a key can be begun by a button", () => {
  const { form, field } = stage(team(), "critic");
  field("instruction").setSelectionRange(0, 0);
  form.element.querySelector(".insert").click();
  equal(field("instruction").value, "{Judge {draft}.");
  all(form.element, ".offers li")[0].click();
  equal(field("instruction").value, "{draft}Judge {draft}.");
});

test("a field to be led to is unfolded", () => {
  const { form, field } = stage();
  form.focus("output_retries");
  equal([form.element.querySelector("details").open, root().activeElement === field("output_retries")], [true, true]);
});

test("a new name keeps the form and its focus", () => {
  const { done, field, draw } = stage();
  type(field("name"), "author");
  leave(field("name"));
  equal(done.map(({ field, value }) => [field, value]), [["name", "author"]]);
  field("output_key").focus();
  draw(team({ agents: AGENTS.map((one) => one.name === "writer" ? { ...one, name: "author" } : one) }), "author");
  equal(root().activeElement === field("output_key"), true);
});

test("a file that cannot be read, a class of the team's own, and fields without a control are said", () => {
  const mine = agent("mine", "team", { kind: "", fields: { speed: 3 }, problem: "line 2: no" });
  const { form, field } = stage(team({ agents: [...AGENTS, mine] }), "mine");
  equal(textOf(form.element.querySelector(".problem")), "line 2: no");
  equal(textOf(form.element.querySelector(".form > .note")), "Also in the file: speed.");
  ok(field("name").readOnly);
});
