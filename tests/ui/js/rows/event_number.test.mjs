import assert from "node:assert/strict";
import { test } from "node:test";
import { numberAt, seqAt } from "../../../../ui/session_view/js/rows/event_number.js";
import { append, emptyLog } from "../../../../ui/session_view/js/log/log.js";
import { entry, event, startAt } from "../log_entries.mjs";

function logOf(...entries) {
  const log = emptyLog();
  append(log, entries);
  return log;
}

test("an event has the number of the list, a trace record one behind it; each leads back", () => {
  startAt(40);
  const log = logOf(entry("session_created"), entry("run_started"), event("user", "hi"), entry("transfer"), event("A", "x"));
  const numbers = [41, 42, 43, 44, 45].map((seq) => numberAt(log, seq));
  assert.deepEqual(numbers, ["0.1", "0.2", "1", "1.1", "2"]);
  assert.deepEqual(numbers.map((number) => seqAt(log, number)), [41, 42, 43, 44, 45]);
});

test("an entry keeps its number while the log grows", () => {
  startAt();
  const log = logOf(event("user", "hi"), entry("transfer"));
  const before = [1, 2].map((seq) => numberAt(log, seq));
  append(log, [entry("transfer"), event("A", "x")]);
  assert.deepEqual([1, 2].map((seq) => numberAt(log, seq)), before);
});

test("what is not here has no number, and no other number leads to an entry", () => {
  startAt();
  const log = logOf(event("user", "hi"), entry("transfer"), event("A", "x"));
  assert.equal(numberAt(log, 9), null);
  for (const number of ["0", "0.1", "3", "1.2", "1.9", "2.1", "01", "1.0"]) assert.equal(seqAt(log, number), null, number);
  assert.equal(seqAt(emptyLog(), "1"), null);
});
