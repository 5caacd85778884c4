import { RowView } from "../../../ui/session_list/js/row_view.js";
import { equal, ok, show, test, textOf } from "../js/stage.mjs";
import { row } from "./rows.mjs";

const NOW = new Date(2026, 5, 15, 12, 0, 0).getTime() / 1000;
const LOOK = { open: false, opening: false, pipeline: "", now: NOW };

function drawn(fields = {}, look = {}) {
  const view = new RowView();
  const list = show(view.element);
  list.className = "session-list";
  view.update(row("s1", { updated: NOW - 300, ...fields }), { ...LOOK, ...look });
  return view.element;
}

const lines = (element) => [...element.children].filter((line) => !line.hidden).map(textOf);

test("title, then outcome and age, with the whole title and time in tooltips", () => {
  const element = drawn({ title: "a lighthouse keeper" });
  equal(lines(element), ["a lighthouse keeper", "✓ completed · 5 min ago"]);
  equal([...element.children].slice(0, 2).map((line) => line.title), [
    "a lighthouse keeper",
    "Last change: 15 Jun 2026, 11:55:00",
  ]);
  equal([element.getAttribute("role"), element.ariaSelected, element.ariaBusy], ["option", "false", null]);
});

test("time, model and pipeline are said where they tell rows apart", () => {
  const element = drawn({ model: "gemini-2.5-flash" }, { precision: "minute", pipeline: "Help desk" });
  equal(lines(element).slice(2), ["11:55 · gemini-2.5-flash", "Help desk"]);
});

test("a fork says what it changed, below its outcome", () => {
  const element = drawn({ fork: 'fork: state tone = "dry"', model: "gemini" });
  equal(lines(element), ["title s1", "✓ completed · 5 min ago", 'fork: state tone = "dry"', "gemini"]);
});

test("title, fork and pipeline read from their own side", () => {
  const element = drawn({ title: "حارس المنارة", fork: "نسخة" }, { pipeline: "الكتابة" });
  const sides = (name) => getComputedStyle(element.querySelector(name)).direction;
  equal([".title", ".fork", ".pipeline"].map(sides), ["rtl", "rtl", "rtl"]);
  equal(getComputedStyle(drawn({ title: "a keeper" }).firstChild).direction, "ltr");
});

test("an open row and one that opens say so", () => {
  equal(drawn({}, { open: true }).ariaSelected, "true");
  const element = drawn({}, { open: true, opening: true });
  equal([lines(element)[1], element.ariaBusy], ["opening …", "true"]);
});

test("a long title takes two lines", () => {
  const short = drawn({ title: "x" }).firstChild.getBoundingClientRect().height;
  const long = drawn({ title: "word ".repeat(500) }).firstChild.getBoundingClientRect().height;
  ok(Math.abs(long - 2 * short) < 1, `${short} and ${long}`);
});

test("markup is text", () => {
  const bad = '<img src=x onerror="window.broken = 1"><b>bold</b>';
  const element = drawn({ title: bad, outcome: bad, model: bad, fork: bad }, { pipeline: bad });
  equal([element.querySelectorAll("img, b").length, window.broken], [0, undefined]);
  ok(textOf(element).split("<img").length === 6);
});

test("a row that is updated stays the same element", () => {
  const view = new RowView();
  show(view.element);
  view.update(row("s1", { updated: NOW }), LOOK);
  const title = view.element.firstChild.firstChild;
  view.update(row("s1", { updated: NOW, outcome: "✗ failed" }), { ...LOOK, now: NOW + 120 });
  ok(view.element.firstChild.firstChild === title);
  equal(lines(view.element)[1], "✗ failed · 2 min ago");
});
