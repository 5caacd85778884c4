import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { emptyBook } from "../../../../ui/session_view/js/rows/book.js";
import { extendRows } from "../../../../ui/session_view/js/rows/rows.js";
import { eventOfSpan, nextStop } from "../../../../ui/session_view/js/rows/stops.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

function rowsOf(...entries) {
  const book = emptyBook();
  extendRows(book, entries);
  return book.rows;
}

function someRows() {
  return rowsOf(
    entry("run_started"),
    event("user", "hi"),
    entry("loop_iteration", { agent: "L", iteration: 1 }),
    event("A", "one"),
    event("B", "two"),
    entry("run_finished", { status: "completed" }),
  );
}

test("a step leads to the next row that is worth a stop, and stays at the ends", () => {
  const rows = someRows();
  const walk = (by) => {
    const seen = [];
    for (let row = nextStop(rows, -1, by); row; row = nextStop(rows, rows.indexOf(row), by)) seen.push(row.type);
    return seen;
  };
  assert.deepEqual(walk(1), ["event", "event", "event", "end"]);
  assert.deepEqual(walk(-1), ["end", "event", "event", "event"]);
  assert.equal(nextStop([], -1, 1), undefined);
});

test("rows that are being written are no stops", () => {
  const rows = [...someRows(), { key: "p:1", type: "partial", partial: {} }];
  assert.equal(nextStop(rows, -1, -1).type, "end");
});

test("a span leads to the last event of its agent in it, else to the first one after its beginning", () => {
  const rows = someRows();
  assert.equal(eventOfSpan(rows, { seq: 2, endSeq: 5, agent: "A" }).seq, 4);
  assert.equal(eventOfSpan(rows, { seq: 3, endSeq: null, agent: "B" }).seq, 5);
  assert.equal(eventOfSpan(rows, { seq: 3, endSeq: 4, agent: "Other" }).seq, 4);
  assert.equal(eventOfSpan(rows, { seq: 6, endSeq: null, agent: "A" }), undefined);
});
