import { keyOf } from "../../../../ui/session_list/js/session_key.js";
import { nameOf, Rows } from "../../../../ui/sessions/list/js/rows.js";
import { all, equal, press, root, show, test, textOf } from "../../js/stage.mjs";
import { row } from "./rows.mjs";

function stage(count = 3) {
  const done = [];
  const selected = new Set();
  const rows = new Rows({
    open: (key) => done.push(["open", key]),
    select: (key, on) => (done.push(["select", key, on]), on ? selected.add(key) : selected.delete(key), draw()),
  });
  let list = Array.from({ length: count }, (_, number) => row(`s${number}`));
  const look = (each) => ({ selected: selected.has(keyOf(each)), opening: false, href: "#", pipeline: "P", now: 0 });
  const draw = (more = list) => rows.draw(list = more, look);
  draw();
  show(rows.element);
  const link = (number) => all(rows.element, "a")[number];
  const stops = () => all(rows.element, "[tabindex='0']").map((part) => part.tagName);
  return { rows, done, draw, link, stops, focused: () => textOf(root().activeElement) };
}

test("one row is a tab stop, and keys move along the rows", () => {
  const { rows, link, stops, focused } = stage();
  equal(stops(), ["INPUT", "A"]);
  rows.focus();
  for (const [key, at] of [["ArrowDown", 1], ["j", 2], ["j", 2], ["k", 1], ["Home", 0], ["ArrowUp", 0], ["End", 2]]) {
    equal(press(root().activeElement, key).defaultPrevented, true, key);
    equal(focused(), `title s${at}`, key);
  }
  equal([stops().length, link(2).tabIndex], [2, 0]);
  rows.close();
});

test("x and Space select; Enter and other keys are the browser's", () => {
  const { rows, done } = stage();
  rows.focus();
  press(root().activeElement, "x");
  press(root().activeElement, " ");
  equal(done, [["select", "p\ns0", true], ["select", "p\ns0", false]]);
  for (const [key, more] of [["Enter"], ["Tab"], ["s"], ["j", { ctrlKey: true }], ["x", { isComposing: true }]]) {
    equal(press(root().activeElement, key, more).defaultPrevented, false, key);
  }
  rows.close();
});

test("a click opens, a click on the box selects, a click for a new tab is left alone", () => {
  const { rows, done, link } = stage();
  link(1).click();
  all(rows.element, "input")[2].click();
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: true });
  link(0).dispatchEvent(event);
  equal([done, event.defaultPrevented], [[["open", "p\ns1"], ["select", "p\ns2", true]], false]);
  rows.close();
});

test("rows that stay are the same elements, and the cursor stays at its session", () => {
  const { rows, draw, link, focused } = stage();
  const kept = link(1);
  kept.focus();
  draw([row("new"), row("s1"), row("s0")]);
  equal([link(1) === kept, focused()], [true, "title s1"]);
  press(root().activeElement, "ArrowDown");
  equal(focused(), "title s0");
  draw([]);
  equal(all(rows.element, ".row").length, 0);
  rows.focus();
  rows.close();
});

test("keys anywhere else are not taken", () => {
  const { rows, done } = stage();
  equal(press(document.body, "x").defaultPrevented, false);
  rows.focus();
  rows.close();
  press(root().activeElement, "x");
  equal(done, []);
});

test("a session is named by pipeline and id", () => {
  equal([keyOf(row("s1")), nameOf(row("s1"))], ["p\ns1", ["p", "s1"]]);
});
