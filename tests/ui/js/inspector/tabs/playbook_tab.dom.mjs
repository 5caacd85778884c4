import { drawPlaybookTab } from "../../../../../ui/session_view/js/inspector/tabs/playbook_tab.js";
import { createBullets } from "../../../../../ui/session_view/js/playbook/bullets.js";
import { entry, event, startAt } from "../../log_entries.mjs";
import { lookAt } from "../../look.mjs";
import { all, equal, show, test, textOf, until } from "../../stage.mjs";

const IDS = ["s-1", "s-2", "s-3"];
const bullet = (id) => ({ id, content: `Text of ${id}.`, helpful: 1, harmful: 0, neutral: 0 });
const given = (more = {}) =>
  entry("playbook_given", { agent: "Init", playbook: "ace", revision: 3, bullets: 3, bullet_ids: IDS, ...more });
const answer = (cited) =>
  event("Generator", "{}", { delta: { generator_output: { final_answer: "1", bullet_ids: cited } } });
const commit = (applied, more = {}) =>
  event("Curator", "{}", { delta: { "app:playbook": { playbook: "ace", revision: 4, by: "curator", applied, ...more } } });

/** A look whose bullets come from a server that has those of `IDS`, or fails. */
function look(entries, more = {}, fail = false) {
  let changes = 0;
  const get = ({ ids }) =>
    fail
      ? Promise.reject(new Error("The playbook could not be read."))
      : Promise.resolve({ bullets: (ids ?? IDS).map(bullet), more: 0 });
  const made = lookAt(entries, { ...more, bullets: createBullets({ get, onChange: () => (changes += 1) }) });
  return { made, came: () => until(() => changes > 0) };
}

async function drawn(entries, more, fail) {
  const { made, came } = look(entries, more, fail);
  drawPlaybookTab(made);
  await came();
  return { view: show(drawPlaybookTab(made)), made };
}

test("what a run was given, what its answer cites, and the texts once they are here", async () => {
  startAt();
  const { view } = await drawn([entry("run_started"), given(), answer(["s-2"])]);
  equal(textOf(view.querySelector(".which")), "Playbook ace, revision 3");
  equal(textOf(view.querySelector(".given h3")), "Given: 3 bullets1 cited");
  equal(all(view, ".bullet").map((each) => textOf(each.querySelector(".bullet-id"))), ["s-2", "s-1", "s-3"]);
  equal(all(view, ".bullet .text").map(textOf), ["Text of s-2.", "Text of s-1.", "Text of s-3."]);
});

test("what it changed: tags, commits with their reasons, and the revision it led to", async () => {
  startAt();
  const applied = [
    { type: "TAG", bullet_id: "s-1", tag: "helpful" },
    { type: "ADD", bullet_id: "s-9", section: "S", content: "New." },
  ];
  const { view, made } = await drawn([
    entry("run_started"),
    given(),
    answer(["s-1"]),
    commit(applied, { reasoning: "Because." }),
  ]);
  equal(textOf(view.querySelector(".which")), "Playbook ace, revision 3 → 4");
  equal(all(view, ".bullet .tag").map(textOf), ["cited", "▲ helpful"]);
  const part = view.querySelector(".part.commit");
  equal([textOf(part.querySelector("h3")), textOf(part.querySelector(".reasoning"))], [
    "Revision 4: +1 −0 ~0, 1 tag",
    "Because.",
  ]);
  part.querySelector("button").click();
  equal(made.asked, [["select", 4]]);
});

test("what is known of the answer: a verdict leads to the answer, and where nothing is known it says so", async () => {
  startAt();
  const feedback = (text) => event("Env", "x", { delta: { feedback: text } });
  const verdict = () => event("user", "👎", { delta: { verdict: { right: false, answer: "2", event: 3 } } });
  const told = await drawn([entry("run_started"), given(), answer([]), verdict(), feedback("A person says it is wrong.")]);
  equal(textOf(told.view.querySelectorAll(".part")[1].querySelector("small")), "a person's verdict");
  const link = all(told.view, "button").find((button) => textOf(button).startsWith("about the answer"));
  link.click();
  equal(told.made.asked, [["select", 3]]);
  startAt();
  const silent = await drawn([entry("run_started"), given(), answer([]), feedback("")]);
  equal(textOf(silent.view.querySelector(".warned")).startsWith("Nothing is known of the answer yet"), true);
});

test("bullets that cannot be read say why, and can be asked for again", async () => {
  startAt();
  const { view } = await drawn([entry("run_started"), given()], {}, true);
  equal(textOf(view.querySelector(".problem")), "The playbook could not be read. Try again");
  view.querySelector(".problem button").click();
});

test("before the first run: what it will start with", async () => {
  const { view } = await drawn([], { starting: { playbook: "ace", revision: 3, bullets: 3 } });
  equal([textOf(view.querySelector("h3")), all(view, ".bullet .text").map(textOf)], [
    "Starts with: 3 bullets",
    ["Text of s-1.", "Text of s-2.", "Text of s-3."],
  ]);
});

test("where there is nothing of a playbook the tab teaches, and leads to where it comes in", () => {
  equal(textOf(show(drawPlaybookTab(lookAt([])))).startsWith("A playbook is what agents learned before."), true);
  startAt();
  const made = lookAt([entry("run_started"), event("user", "hi"), given()], { at: 2 });
  const view = show(drawPlaybookTab(made));
  equal(textOf(view.querySelector("b")), "Nothing of the playbook up to here.");
  view.querySelector("button").click();
  equal(made.asked, [["select", 3]]);
});
