import { parseJson } from "../../../../../ui/browser/js/json.js";
import { drawJsonTab } from "../../../../../ui/session_view/js/inspector/tabs/json_tab.js";
import { entry, event, startAt } from "../../log_entries.mjs";
import { lookAt } from "../../look.mjs";
import { all, equal, ok, show, test, textOf, until } from "../../stage.mjs";

const drawn = (text) => (startAt(), show(drawJsonTab(lookAt([event("A", text)], { at: 1 }))));

test("an entry as it is stored, with keys, texts and numbers told apart", () => {
  const view = drawn('say "x" < 1');
  const pre = view.querySelector("pre");
  equal([JSON.parse(pre.textContent).body.content.parts[0].text, all(pre, "*").some(({ tagName }) => tagName !== "SPAN")], [
    'say "x" < 1',
    false,
  ]);
  ok(all(pre, ".key").map(textOf).includes('"seq"'));
  ok(all(pre, ".string").map(textOf).includes('"A"'));
  ok(all(pre, ".literal").map(textOf).includes("1"));
});

test("a very long entry is not coloured, and encoded data is cut", () => {
  equal(all(drawn("x ".repeat(20000)), "pre span").length, 0);
  ok(drawn("QUJD".repeat(200)).querySelector("pre").textContent.includes("(800 characters)"));
});

test("a click copies the whole entry, and says whether it could", async () => {
  const copied = [];
  const clipboard = { writeText: (text) => (copied.push(text), Promise.resolve()) };
  Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
  const button = drawn("QUJD".repeat(200)).querySelector("button");
  button.click();
  await until(() => textOf(button) === "Copied");
  ok(JSON.parse(copied[0]).body.content.parts[0].text.length === 800);
  clipboard.writeText = () => Promise.reject(new Error("not allowed"));
  document.execCommand = () => false;
  button.click();
  await until(() => textOf(button) === "Could not copy");
  equal(document.querySelector("textarea"), null);
});

test("numbers keep every digit, shown and copied", async () => {
  const copied = [];
  const clipboard = { writeText: (text) => (copied.push(text), Promise.resolve()) };
  Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
  startAt();
  const args = parseJson('{"account":1234567890123456789,"amount":5.0}');
  const asked = event("A", null, { parts: [{ function_call: { name: "pay", args } }] });
  const view = show(drawJsonTab(lookAt([asked], { at: 1 })));
  view.querySelector("button").click();
  await until(() => copied.length);
  for (const text of [view.querySelector("pre").textContent, copied[0]]) {
    ok(/"account": 1234567890123456789,\s+"amount": 5\.0\s/.test(text), text);
  }
});

test("without a selection the tab teaches how to select", () => {
  equal(textOf(show(drawJsonTab(lookAt([])))).startsWith("Select an event."), true);
});

test("an event has its number in the session, in the heading and in the JSON; a trace record has none", () => {
  startAt(40);
  const log = [entry("run_started"), event("user", "hi"), event("A", "x")];
  const of = (at) => show(drawJsonTab(lookAt(log, { at })));
  equal(textOf(of(43).querySelector(".where")), "Event 2");
  equal([
    JSON.parse(of(43).querySelector("pre").textContent).number,
    JSON.parse(of(43).querySelector("pre").textContent).seq,
  ], [
    2,
    43,
  ]);
  equal(textOf(of(41).querySelector(".where")), "Entry 41, run started");
  equal("number" in JSON.parse(of(41).querySelector("pre").textContent), false);
});
