import pageKeys from "../../../../ui/session_view/js/page_keys.js";
import { all, equal, ok, press, root, show, test, textOf, until } from "../stage.mjs";

const isLarge = () => document.documentElement.hasAttribute("data-stage");

test("s turns the stage on and off, not while typing; Esc leaves it", () => {
  const field = document.createElement("input");
  show(field);
  press(document.body, "s");
  equal(isLarge(), true);
  press(document.body, "Escape");
  equal([isLarge(), press(document.body, "Escape").defaultPrevented], [false, false]);
  field.focus();
  press(field, "s");
  equal(isLarge(), false);
});

test("Esc leaves the chat input and nothing else with it", () => {
  const input = document.createElement("textarea");
  input.dataset.testid = "stChatInputTextArea";
  document.body.append(input);
  press(document.body, "s");
  input.focus();
  press(input, "Escape");
  equal([document.activeElement === input, isLarge()], [false, true]);
  press(document.body, "Escape");
  equal(isLarge(), false);
  input.remove();
});

test("the stage stays in the address, whatever the script writes there", async () => {
  press(document.body, "s");
  const before = location.search;
  history.pushState(null, "", "?sample=3");
  await until(() => location.search === "?sample=3&stage=1");
  history.replaceState(null, "", "?sample=4");
  await until(() => location.search === "?sample=4&stage=1");
  press(document.body, "Escape");
  equal([location.search, isLarge()], ["?sample=4", false]);
  history.pushState(null, "", "?sample=5");
  equal(location.search, "?sample=5");
  history.go(-2);
  await until(() => location.search === before && isLarge());
  press(document.body, "Escape");
  equal([location.search, isLarge()], ["", false]);
});

test("three buttons do the same, and are drawn once", async () => {
  pageKeys({ parentElement: root() });
  pageKeys({ parentElement: root() });
  const [stage, keys, words, ...more] = all(root(), "button");
  equal([textOf(stage), textOf(keys), textOf(words), more.length], ["Stage s", "Keys ?", "Glossary g", 0]);
  words.click();
  ok(document.querySelector("dialog.glossary[open]"));
  document.querySelector("dialog.glossary button").click();
  stage.click();
  equal(isLarge(), true);
  stage.click();
  keys.click();
  press(document.body, "s");
  equal(isLarge(), false);
  document.querySelector("dialog[open] button").click(); // the closed glossary may still be in the page
  await until(() => !document.querySelector("dialog"));
});
