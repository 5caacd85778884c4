import { Rows } from "../../../ui/session_list/js/rows.js";
import { all, equal, ok, press, root, show, test } from "../js/stage.mjs";
import { row } from "./rows.mjs";

function stage(ids) {
  const opened = [];
  const rows = new Rows((key) => opened.push(key.split("\n")[1]));
  show(rows.element).className = "session-list";
  const draw = (ids, open = "") =>
    rows.draw(ids.map((id) => row(id)), ({ id }) => ({ open: id === open, opening: false, pipeline: "", now: 1e6 }));
  draw(ids);
  return { rows, list: rows.element, opened, draw };
}

const titles = (list) => all(list, ".title").map(({ textContent }) => textContent.replace("title ", ""));
const cursor = (list) => {
  const id = list.getAttribute("aria-activedescendant");
  const [row] = all(list, ".cursor");
  ok((row?.id ?? null) === id, "the marked row is the active one");
  return row?.querySelector(".title").textContent.replace("title ", "");
};

test("keys move a cursor and open nothing until Enter or Space", () => {
  const { rows, list, opened } = stage(["s1", "s2", "s3"]);
  list.focus();
  equal(cursor(list), "s1");
  const after = ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Home", "End"].map((
    key,
  ) => (press(list, key), cursor(list)));
  equal(after, ["s2", "s3", "s3", "s2", "s1", "s3"]);
  equal(opened, []);
  press(list, "Enter");
  press(list, "Home");
  press(list, " ");
  equal(opened, ["s3", "s1"]);
  rows.close();
});

test("typing goes to the title that begins so", () => {
  const { rows, list, opened } = stage(["s1", "s2"]);
  rows.draw([row("s1"), row("s2", { title: "Kites" })], () => ({ open: false, opening: false, pipeline: "", now: 1e6 }));
  list.focus();
  press(list, "k");
  equal([cursor(list), opened], ["Kites", []]);
  rows.close();
});

test("the list is one tab stop, and the focus begins at the open session", () => {
  const { rows, list, draw } = stage([]);
  draw(["s1", "s2", "s3"], "s2");
  equal([list.tabIndex, all(list, "[tabindex], button, a").length, list.getAttribute("role")], [0, 0, "listbox"]);
  equal(cursor(list), undefined);
  rows.focus();
  ok(root().activeElement === list);
  equal(cursor(list), "s2");
  rows.close();
});

test("the cursor stays with its session while others come, go and move", () => {
  const { rows, list, draw } = stage(["s1", "s2", "s3"]);
  list.focus();
  press(list, "ArrowDown");
  const element = list.children[1];
  draw(["s2", "s0", "s3", "s1"]);
  equal([titles(list), cursor(list)], [["s2", "s0", "s3", "s1"], "s2"]);
  ok(list.children[0] === element);
  draw(["s0", "s3"]);
  equal(cursor(list), "s0", "its session is gone");
  draw([]);
  equal([cursor(list), list.hasAttribute("aria-activedescendant")], [undefined, false]);
  press(list, "Enter");
  press(list, "ArrowDown");
  rows.close();
});

test("a click opens, wherever in the row", () => {
  const { rows, list, opened } = stage(["s1", "s2"]);
  list.children[1].querySelector(".line").click();
  list.click();
  equal([opened, cursor(list)], [["s2"], "s2"]);
  rows.close();
});

test("keys do nothing once it is closed", () => {
  const { rows, list, opened } = stage(["s1"]);
  list.focus();
  rows.close();
  press(list, "Enter");
  equal(opened, []);
});
