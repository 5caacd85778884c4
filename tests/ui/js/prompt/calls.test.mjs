import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { append, emptyLog, entryAt } from "../../../../ui/session_view/js/log/log.js";
import { callAt, callsBefore, textsOf } from "../../../../ui/session_view/js/prompt/calls.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

function logOf() {
  const log = emptyLog();
  append(log, [
    entry("run_started"), // 1
    event("user", "go"), // 2
    entry("model_started", { agent: "A", call: 1, instruction: "i1", contents: { text: "c1", count: 1 } }), // 3
    entry("model_started", { agent: "B", call: 2, branch: "x", config: "s2", schema: "j", declarations: "d" }), // 4
    entry("model_finished", { agent: "A", call: 1 }), // 5
    event("A", "one", { stop_reason: "tool_use" }), // 6
    event("A", "observes"), // 7
    entry("model_finished", { agent: "B", call: 2, branch: "x", answer: "a2" }), // 8
    entry("model_started", { agent: "A", call: 3 }), // 9
    event("A", "two", { stop_reason: "end_turn" }), // 10
    entry("run_finished", { status: "completed" }), // 11
    entry("run_started", { invocation_id: "later" }), // 12
  ]);
  return log;
}

const seqs = (record) => record && [record.started.seq, record.finished?.seq ?? null, record.answer?.seq ?? null];

test("an entry belongs to the last call of its agent; the record knows its end and its answer, in parallel branches too", () => {
  const log = logOf();
  const found = [3, 5, 6, 7, 8, 9, 10].map((seq) => seqs(callAt(log, entryAt(log, seq))));
  assert.deepEqual(found, [[3, 5, 6], [3, 5, 6], [3, 5, 6], [3, 5, 6], [4, 8, null], [9, null, 10], [9, null, 10]]);
});

test("a user's message, and what is outside of a run, belong to none; the end shows the last call", () => {
  const log = logOf();
  assert.deepEqual([2, 11, 12].map((seq) => callAt(log, entryAt(log, seq))), [null, null, null]);
  assert.deepEqual([seqs(callAt(log, null)), callAt(emptyLog(), null)], [[9, null, 10], null]);
});

test("earlier calls are those of the same agent, the latest first", () => {
  const log = logOf();
  append(log, [entry("model_started", { agent: "A", call: 4 })]);
  const earlier = (most) => callsBefore(log, callAt(log, null), most).map(seqs);
  assert.deepEqual([earlier(5), earlier(1), earlier(0)], [[[9, null, 10], [3, 5, 6]], [[9, null, 10]], []]);
  assert.deepEqual(callsBefore(log, callAt(log, entryAt(log, 3)), 5), []);
});

test("the texts that a record names", () => {
  const log = logOf();
  assert.deepEqual([3, 4, 9].map((seq) => textsOf(callAt(log, entryAt(log, seq)))), [
    ["i1", "c1"],
    ["s2", "d", "j", "a2"],
    [],
  ]);
});
