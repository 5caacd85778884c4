import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { emptyBook } from "../../../../ui/session_view/js/rows/book.js";
import { emptyFilter, extendShown, rowsToDraw } from "../../../../ui/session_view/js/rows/filter.js";
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
const only = (rows, names, folded = []) => extendShown(emptyFilter(names && new Set(names), folded), rows);
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

test("narrowed to an agent, only boundaries with something under them stay", () => {
  assert.deepEqual(shape(only(bookOf(...story()).rows, ["Refiner"])), [
    "run",
    "iteration",
    "event Refiner 3",
    "iteration",
    "event Refiner 5",
    "run",
    "event Refiner 11",
  ]);
});

test("the request to an agent is the agent's, and a block's first row comes with what is in it", () => {
  const { rows } = bookOf(...story());
  assert.deepEqual(shape(only(rows, ["helper"])), [
    "run",
    "block",
    "event user 7",
    "block",
    "event user 8",
    "event helper 10",
  ]);
  assert.deepEqual(shape(only(rows, ["inner"])), ["run", "block", "event inner 9"]);
  assert.deepEqual(shape(only(rows, ["B"])), ["run", "transfer"]);
  assert.deepEqual(shape(only(rows, ["R"])), ["run", "route"]);
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
  const shown = emptyFilter(new Set(["Refiner", "helper"]), [B2]);
  for (const one of entries) {
    extendRows(book, [one]);
    extendShown(shown, book.rows);
  }
  assert.deepEqual(shape(shown.rows), shape(only(book.rows, ["Refiner", "helper"], [B2])));
  assert.equal(shown.events, shown.rows.filter((row) => row.type === "event").length);
});

test("drawn rows: those being written stand at the end, and what was drawn before stays", () => {
  const book = bookOf(entry("run_started"), event("user", "tea"));
  const shown = emptyFilter(null, []);
  const partial = { id: "p", author: "A", branch: "", text: "The", thought: "" };
  const first = rowsToDraw(shown, book, [partial, { ...partial, id: "q", text: "" }]);
  assert.deepEqual([first.rows.map((row) => row.type), first.same, first.matches], [["run", "event", "partial"], 0, null]);
  extendRows(book, [event("A", "The end")]);
  const next = rowsToDraw(shown, book, []);
  assert.deepEqual([next.rows.length, next.same], [3, 2]);
  assert.equal(rowsToDraw(emptyFilter(new Set(["B"]), []), book, [partial]).rows.length, 0);
});

test("what an agent was given and the thumbs on its answers are shown with the agent", () => {
  const rows = bookOf(
    entry("run_started"),
    entry("playbook_given", { agent: "Init", playbook: "ace", revision: 1, bullets: 2 }),
    event("Generator", "{}", { delta: { generator_output: { final_answer: "1" } } }),
  ).rows;
  assert.deepEqual(shape(only(rows, ["Generator"])), ["run", "event Generator 1", "thumbs"]);
  assert.deepEqual(shape(only(rows, ["Init"])), ["run", "given"]);
});
