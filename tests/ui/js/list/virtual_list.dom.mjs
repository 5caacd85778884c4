import { VirtualList } from "../../../../ui/session_view/js/list/virtual_list.js";
import { all, equal, frame, ok, root, show, test, textOf, until } from "../stage.mjs";

const HEIGHT = 50;

function stage(count, more = {}) {
  const drawn = [];
  const options = {
    label: "Rows",
    guess: () => 20,
    stamp: (row) => row.mark ?? "",
    onScroll: () => {},
    draw: (row) => {
      drawn.push(row.key);
      const element = document.createElement("div");
      element.id = `row-${row.key}`;
      element.style.height = `${row.height ?? HEIGHT}px`;
      const button = document.createElement("button");
      button.dataset.takesFocus = "";
      button.textContent = row.words ?? String(row.key);
      element.append(button);
      return element;
    },
    ...more,
  };
  const list = new VirtualList(options);
  list.element.style.cssText = "height: 300px; overflow: auto; overflow-anchor: none";
  show(list.element);
  list.setRows(rowsTo(count));
  return { list, drawn };
}

const rowsTo = (count, more = {}) => Array.from({ length: count }, (_, i) => ({ key: i + 1, ...more }));
const keys = (list) => all(list.element, "button").map(textOf);
const top = (list, key) => {
  const row = list.element.querySelector(`#row-${key}`);
  return Math.round(row.getBoundingClientRect().top - list.element.getBoundingClientRect().top);
};

test("only rows near the view are in the page, and the end stays in view as rows come", async () => {
  const { list } = stage(1000);
  await frame();
  ok(keys(list).length < 40, "few rows");
  equal([keys(list).at(-1), list.following, list.below], ["1000", true, 0]);
  list.setRows(rowsTo(1001), 1000);
  equal([keys(list).at(-1), top(list, 1001)], ["1001", 250]);
});

test("a row is drawn once, and again when its stamp is another", () => {
  const { list, drawn } = stage(3);
  list.paint();
  equal(drawn.sort(), [1, 2, 3]);
  list.setRows(list.rows.map((row) => (row.key === 2 ? { ...row, mark: "x", words: "changed" } : row)), 1);
  equal([drawn.length, keys(list)], [4, ["1", "changed", "3"]]);
});

test("a row that can bring itself up to date is not drawn anew", () => {
  const updates = [];
  const draw = () => Object.assign(document.createElement("p"), { update: (row) => (updates.push(row.mark), true) });
  const { list } = stage(1, { draw });
  const before = list.element.querySelector("p");
  list.setRows([{ key: 1, mark: "a" }]);
  equal([updates, list.element.querySelector("p") === before], [["a"], true]);
});

test("who reads further up stays where they are, while rows come and heights become known", async () => {
  const { list } = stage(200);
  list.reveal(100);
  await frame();
  const reading = list.element.scrollTop + 17; // in the middle of a row
  list.element.scrollTop = reading;
  await frame();
  equal(list.element.scrollTop, reading);
  const before = top(list, 100);
  equal(list.following, false);
  list.setRows(rowsTo(260), 200);
  await frame();
  equal(top(list, 100), before);
  ok(list.below > 1000);
  list.toEnd();
  equal([keys(list).at(-1), list.following], ["260", true]);
});

const isInView = (list, key) => top(list, key) >= 0 && top(list, key) <= 250;

test("a row is revealed with some room around it", async () => {
  const { list } = stage(500);
  list.reveal(3);
  await frame();
  ok(isInView(list, 3));
  equal([list.firstInView.key <= 3, list.indexOf(3), list.seeks], [true, 2, false]);
});

test("a row that is not there yet is revealed when it comes, unless something else is wanted meanwhile", () => {
  const { list } = stage(100);
  list.reveal(120);
  equal([list.seeks, list.following], [true, true], "the end stays in view until then");
  list.setRows(rowsTo(500), 100);
  ok(isInView(list, 120));
  for (const instead of [() => list.toEnd(), () => list.select(7), () => list.reveal(300), () => list.clear()]) {
    list.reveal(600);
    instead();
    equal(list.seeks, false);
  }
  list.select(600);
  list.reveal(600);
  list.select(600);
  equal(list.seeks, true, "the same is wanted still");
});

test("a row of a list that is not shown is revealed when the list is shown", async () => {
  const { list } = stage(500);
  list.element.hidden = true;
  list.reveal(3);
  equal(list.seeks, true);
  list.element.hidden = false;
  await until(() => !list.seeks);
  ok(isInView(list, 3));
});

test("a list in which all rows have room follows the end, but not away from a selected row that was revealed", async () => {
  const { list } = stage(4);
  list.select(2);
  list.reveal(2);
  list.setRows(rowsTo(100), 4);
  await frame();
  equal([top(list, 1), list.following], [0, false]);
  list.clear();
  list.setRows(rowsTo(4));
  list.reveal(2);
  list.setRows(rowsTo(100), 4);
  await frame();
  equal([top(list, 100), list.following], [250, true]);
});

test("scrolling away from the end stops following it, scrolling back follows again", async () => {
  const { list } = stage(300);
  await frame();
  list.element.scrollTop -= 400;
  await until(() => !list.following);
  list.element.scrollTop = list.element.scrollHeight;
  await until(() => list.following);
});

test("the selected row says so, also to those who listen", () => {
  const { list } = stage(5);
  list.select(2);
  equal(all(list.element, "[aria-selected=true]").map((row) => row.id), ["row-2"]);
  equal(list.element.getAttribute("aria-activedescendant"), "row-2");
  equal([all(list.element, "[aria-rowindex]").map((row) => row.ariaRowIndex)[4], list.element.ariaRowCount], ["5", "5"]);
  list.select(null);
  equal([all(list.element, "[aria-selected=true]").length, list.element.hasAttribute("aria-activedescendant")], [0, false]);
});

test("the list points at the selected row as long as it is in the page", async () => {
  const { list } = stage(300);
  const pointed = () => list.element.getAttribute("aria-activedescendant");
  list.select(1);
  equal(pointed(), null);
  list.reveal(1);
  equal(pointed(), "row-1");
  list.toEnd();
  await frame();
  equal(pointed(), null);
});

test("the focus stays with a row that is drawn anew, and goes to the list when its row leaves the page", async () => {
  const { list } = stage(300);
  list.focus(290);
  equal(textOf(root().activeElement), "290");
  list.setRows(list.rows.map((row) => (row.key === 290 ? { ...row, mark: "x", words: "fresh" } : row)), 0);
  equal(textOf(root().activeElement), "fresh");
  list.reveal(1);
  await frame();
  ok(root().activeElement === list.element);
});

test("a list that is cleared is empty and follows; one that is closed no longer watches its size", async () => {
  let scrolls = 0;
  const { list } = stage(50, { onScroll: () => (scrolls += 1) });
  list.reveal(1);
  list.clear();
  equal([list.rows.length, keys(list), list.following], [0, [], true]);
  await frame();
  list.close();
  const before = scrolls;
  list.element.style.height = "100px";
  await frame();
  equal(scrolls, before);
});

test("rows after the selected one are marked as later, those that come and those being written, too", async () => {
  const { list } = stage(4);
  const later = () => all(list.element, ".later button").map(textOf);
  await frame();
  equal(later(), []);
  list.select(2);
  equal(later(), ["3", "4"]);
  list.setRows([...rowsTo(5), { key: "p:a" }], 4);
  equal(later(), ["3", "4", "5", "p:a"]);
  list.clear();
  list.setRows(rowsTo(5));
  await frame();
  equal(later(), [], "another session's rows are not later than what was selected before");
  list.select(null);
  equal(later(), []);
});

test("on paper all rows stand in the page; afterwards those in view, where the reader was", async () => {
  const { list } = stage(1000);
  await frame();
  list.reveal(300);
  const [seen, count] = [top(list, 300), keys(list).length];
  list.setWhole(true);
  equal([keys(list).length, keys(list)[0], keys(list).at(-1)], [1000, "1", "1000"]);
  list.element.scrollTop = 0;
  await frame();
  list.setWhole(true);
  list.setWhole(false);
  await until(() => keys(list).length < 2 * count);
  equal([top(list, 300), list.following], [seen, false]);
});
