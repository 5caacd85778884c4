import { Rows } from "../../../ui/session_list/js/rows.js";
import { keyOf } from "../../../ui/session_list/js/session_key.js";
import { all, equal, ok, press, root, show, test, textOf } from "../js/stage.mjs";
import { row } from "./rows.mjs";

function stage(ids, { selectable = false } = {}) {
  const done = [];
  const selected = new Set();
  let list = ids.map((id) => row(id)), open = "";
  const shown = (each) => ({
    current: each.id === open,
    selected: selected.has(keyOf(each)),
    opening: false,
    href: "#",
    now: 1e6,
    facts: [],
    lines: {},
  });
  const draw = (more = list, now = open) => (open = now, rows.draw(list = more, shown));
  const select = (key, on) => (done.push([on ? "select" : "leave", key]), selected[on ? "add" : "delete"](key), draw());
  const rows = new Rows({ open: (key) => done.push(["open", key]), select: selectable ? select : undefined });
  show(rows.element).className = selectable ? "session-list full" : "session-list compact";
  draw();
  const at = (key, more) => press(root().activeElement, key, more).defaultPrevented;
  return { rows, list: rows.element, done, draw, at, close: () => rows.close() };
}

const named = (...ids) => ids.map((id) => row(id));
const titles = (list) => all(list, ".title").map(textOf);
const focused = () => textOf(root().activeElement).replace("title ", "");
const stops = (list) => all(list, "[tabindex='0']").map((part) => part.tagName);

test("keys move along the rows and open nothing until Space; Enter follows the link", () => {
  const { rows, done, at, close } = stage(["s1", "s2", "s3"]);
  rows.focus();
  equal(focused(), "s1");
  const after = ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Home", "End", "PageUp"].map((
    key,
  ) => (at(key), focused()));
  equal(after, ["s2", "s3", "s3", "s2", "s1", "s3", "s1"]);
  equal([at("Enter"), done], [false, []]);
  at(" ");
  equal(done, [["open", "p\ns1"]]);
  close();
});

test("typing goes to the title that begins so", () => {
  const { rows, done, draw, at, close } = stage(["s1", "s2"]);
  draw([row("s1"), row("s2", { title: "Kites" })]);
  rows.focus();
  equal([at("k"), focused(), done], [true, "Kites", []]);
  close();
});

test("with boxes, j and k move, x and Space select, and other letters are the page's", () => {
  const { rows, list, done, at, close } = stage(["s1", "s2", "s3"], { selectable: true });
  equal(stops(list), ["INPUT", "A"]);
  rows.focus();
  equal(["j", "j", "j", "k"].map((key) => (at(key), focused())), ["s2", "s3", "s3", "s2"]);
  at("x");
  at(" ");
  equal(done, [["select", "p\ns2"], ["leave", "p\ns2"]]);
  for (const [key, more] of [["Enter"], ["Tab"], ["s"], ["j", { ctrlKey: true }], ["x", { isComposing: true }]]) {
    equal(at(key, more), false, key);
  }
  close();
});

test("the list is one tab stop, at the session that the page shows until it has the focus", () => {
  const { rows, list, draw, at, close } = stage([]);
  draw(named("s1", "s2", "s3"), "s2");
  equal(stops(list), ["A"]);
  rows.focus();
  equal(focused(), "s2");
  at("ArrowDown");
  draw();
  equal([focused(), stops(list).length], ["s3", 1]);
  close();
});

test("the cursor stays with its session while others come, go and move", () => {
  const { rows, list, draw, at, close } = stage(["s1", "s2", "s3"]);
  rows.focus();
  at("ArrowDown");
  const element = list.children[1];
  draw(named("s2", "s0", "s3", "s1"));
  equal([titles(list), focused()], [["title s2", "title s0", "title s3", "title s1"], "s2"]);
  ok(list.children[0] === element);
  draw(named("s0", "s3"));
  equal(stops(list).length, 1, "its session is gone");
  draw([]);
  equal(all(list, ".row").length, 0);
  rows.focus();
  close();
});

test("a click opens, wherever in the row", () => {
  const { list, done, close } = stage(["s1", "s2"]);
  list.children[1].querySelector(".line").click();
  list.click();
  equal(done, [["open", "p\ns2"]]);
  close();
});

test("with boxes, a click on the title opens, one on the box selects, and one beside them does nothing", () => {
  const { list, done, close } = stage(["s1", "s2"], { selectable: true });
  all(list, "a")[1].click();
  all(list, "input")[0].click();
  list.children[1].querySelector(".line").click();
  equal(done, [["open", "p\ns2"], ["select", "p\ns1"]]);
  close();
});

test("a click for a new tab is left to the browser", () => {
  const { list, done, close } = stage(["s1"]);
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: true });
  addEventListener("click", (event) => event.preventDefault(), { once: true }); // no tab is opened by a test
  all(list, "a")[0].dispatchEvent(event);
  equal(done, []);
  close();
});

test("keys anywhere else are not taken, nor once it is closed", () => {
  const { rows, done, at, close } = stage(["s1"]);
  equal(press(document.body, "x").defaultPrevented, false);
  rows.focus();
  close();
  at(" ");
  equal(done, []);
});
