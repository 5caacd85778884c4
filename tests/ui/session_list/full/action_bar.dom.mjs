import { ActionBar, MOST_COMPARED } from "../../../../ui/session_list/js/full/action_bar.js";
import { h } from "../../../../ui/browser/js/elements.js";
import { all, equal, root, show, test, textOf } from "../../js/stage.mjs";
import { row } from "../found_rows.mjs";

function stage(rows) {
  const done = [];
  const bar = new ActionBar({ act: (act) => done.push(act), clear: () => done.push("clear") });
  const update = (rows) => bar.update(rows, ["good", "old"]);
  show(h("div.session-list.full", {}, bar.element));
  update(rows);
  const button = (name) => all(bar.element, "button").find((each) => textOf(each) === name);
  const enabled = () => all(bar.element, "button:enabled").filter((each) => each.checkVisibility()).map(textOf);
  const submit = (text) => {
    bar.element.querySelector("form input").value = text;
    bar.element.querySelector("form").requestSubmit();
  };
  return { bar, done, update, button, enabled, submit };
}

const S1 = ["p", "s1"], S2 = ["p", "s2"];

test("what can be done depends on how many are selected", () => {
  const { bar, update, enabled } = stage([]);
  equal(bar.element.hidden, true);
  update([row("s1")]);
  equal([bar.element.hidden, enabled()], [false, ["Rename", "Tag", "Delete", "Clear"]]);
  update([row("s1"), row("s2")]);
  equal(enabled(), ["Compare", "Tag", "Delete", "Clear"]);
  update(Array.from({ length: MOST_COMPARED + 1 }, (_, number) => row(`s${number}`)));
  equal(enabled(), ["Tag", "Delete", "Clear"]);
});

test("what one of them does not permit is not offered", () => {
  const { update, button, enabled } = stage([row("s1")]);
  button("Rename").click();
  update([row("s1", { may: [] })]);
  equal(enabled(), ["Clear"]);
  update([row("s1"), row("s2", { may: ["tag"] })]);
  equal(enabled(), ["Compare", "Tag", "Clear"]);
});

test("compare, delete and clear act at once", () => {
  const { done, button } = stage([row("s1"), row("s2")]);
  for (const name of ["Compare", "Delete", "Clear"]) button(name).click();
  equal(done, [{ kind: "compare", sessions: [S1, S2] }, { kind: "delete", sessions: [S1, S2] }, "clear"]);
});

test("rename asks for a title, and an empty one changes nothing", () => {
  const { bar, done, button, submit } = stage([row("s1")]);
  button("Rename").click();
  equal([root().activeElement.value, button("Rename").ariaExpanded], ["title s1", "true"]);
  submit("  ");
  equal(done, []);
  button("Rename").click();
  submit(" Better ");
  equal(done, [{ kind: "rename", sessions: [S1], title: "Better" }]);
  equal(bar.element.querySelector("form").hidden, true);
});

test("tags are added, several at once, and removed", () => {
  const { bar, done, button, submit, update } = stage([row("s1", { tags: ["old"] }), row("s2", { tags: ["old", "bad"] })]);
  button("Tag").click();
  equal(all(bar.element, "option").map(({ value }) => value), ["good", "old"]);
  submit("good, 良い、best");
  button("bad ✕").click();
  equal(done, [
    { kind: "tag", sessions: [S1, S2], add: ["good", " 良い", "best"], remove: [] },
    { kind: "tag", sessions: [S1, S2], add: [], remove: ["bad"] },
  ]);
  update([row("s1", { tags: ["good"] }), row("s2")]);
  equal(all(bar.element, ".tag").map(textOf), ["good ✕"]);
  equal(bar.element.querySelector("form").hidden, false, "more can be added");
});

test("what is typed stays when the rows are drawn again, and goes with another selection", () => {
  const { bar, button, update } = stage([row("s1")]);
  button("Tag").click();
  const field = bar.element.querySelector("form input");
  field.value = "half a t";
  update([row("s1", { status: "running" })]);
  equal([field.value, field.matches(":focus")], ["half a t", true]);
  update([row("s2")]);
  equal(bar.element.querySelector("form").hidden, true);
});
