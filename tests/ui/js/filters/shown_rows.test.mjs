import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { emptyShown, extendShown, rowsToDraw } from "../../../../ui/session_view/js/filters/shown_rows.js";
import { emptyBook } from "../../../../ui/session_view/js/rows/book.js";
import { extendRows } from "../../../../ui/session_view/js/rows/rows.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

function bookOf(...entries) {
  const book = emptyBook();
  extendRows(book, entries);
  return book;
}

const shape = (rows) =>
  rows.map((row) => `${row.type}${row.type === "event" ? ` ${row.entry.body.author} ${row.ordinal}` : ""}`);
/** Wants the events of some authors, and nothing else. */
const by = (...names) => (row) => names.includes((row.partial ?? row.entry.body).author);
const only = (rows, matches, folded = []) => extendShown(emptyShown(matches, folded), rows);
const B1 = "helper:aaa111";
const B2 = "helper:bbb222";

function story() {
  return [
    entry("run_started"),
    event("user", "tea"),
    entry("loop_iteration", { agent: "L", iteration: 1 }),
    event("Critic", "more"),
    event("Refiner", "done"),
    entry("loop_iteration", { agent: "L", iteration: 2 }),
    event("Critic", "good"),
    entry("loop_iteration", { agent: "L", iteration: 3 }),
    event("Refiner", "x"),
    entry("run_finished", { status: "completed" }),
    entry("run_started"),
    event("user", "again"),
    entry("tool_started", { agent: "Refiner", tool: "helper" }),
    event("user", "first?", { branch: B1 }),
    event("user", "second?", { branch: B2 }),
    event("inner", "b", { branch: B2 }),
    event("helper", "a", { branch: B1 }),
    entry("route_decided", { agent: "R" }),
    entry("transfer", { agent: "A", to: "B" }),
    event("Refiner", "end"),
  ];
}

test("narrowed to some rows, only boundaries with something under them stay", () => {
  assert.deepEqual(shape(only(bookOf(...story()).rows, by("Refiner"))), [
    "run",
    "iteration",
    "event Refiner 3",
    "iteration",
    "event Refiner 5",
    "run",
    "event Refiner 11",
  ]);
});

test("what is folded away leaves its first row", () => {
  const { rows } = bookOf(...story());
  const shown = only(rows, null, [B1]);
  assert.equal(shown.length, rows.length - 2);
  assert.ok(shown.some((row) => row.type === "block" && row.live.branch === B1));
  assert.ok(!shown.some((row) => row.branch === B1));
});

test("the same rows whether they come at once or one by one", () => {
  const entries = story();
  const book = emptyBook();
  const shown = emptyShown(by("Refiner", "helper"), [B2]);
  for (const one of entries) {
    extendRows(book, [one]);
    extendShown(shown, book.rows);
  }
  assert.deepEqual(shape(shown.rows), shape(only(book.rows, by("Refiner", "helper"), [B2])));
  assert.equal(shown.events, shown.rows.filter((row) => row.type === "event").length);
});

test("drawn rows: those being written stand at the end, and what was drawn before stays", () => {
  const book = bookOf(entry("run_started"), event("user", "tea"));
  const shown = emptyShown(null, []);
  const partial = { id: "p", author: "A", branch: "", text: "The", thought: "" };
  const first = rowsToDraw(shown, book, [partial, { ...partial, id: "q", text: "" }]);
  assert.deepEqual([first.rows.map((row) => row.type), first.same, first.matches], [["run", "event", "partial"], 0, null]);
  extendRows(book, [event("A", "The end")]);
  const next = rowsToDraw(shown, book, []);
  assert.deepEqual([next.rows.length, next.same], [3, 2]);
  assert.equal(rowsToDraw(emptyShown(by("B"), []), book, [partial]).rows.length, 0);
});
