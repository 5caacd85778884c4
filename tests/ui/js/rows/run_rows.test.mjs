import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { emptyBook, pushRow } from "../../../../ui/session_view/js/rows/book.js";
import { addLoading, finishRun, startRun } from "../../../../ui/session_view/js/rows/run_rows.js";
import { openScope } from "../../../../ui/session_view/js/rows/scopes.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

test("a row is made as things stand in the book", () => {
  const book = Object.assign(emptyBook(), { ordinal: 4, runs: 2 });
  const one = event("A", "x");
  pushRow(book, one, "note", "P.A", { key: 0.5 });
  assert.deepEqual(book.rows, [
    { key: 0.5, seq: 1, type: "note", entry: one, branch: "P.A", scopes: [], ordinal: 4, runs: 2 },
  ]);
});

test("runs are numbered, and know their limit and whether all answers are simulated", () => {
  const book = emptyBook();
  startRun(book, entry("run_started", { simulated: true, max_llm_calls: 5 }));
  assert.deepEqual([book.rows[0].number, book.limit, book.origin.mixed], [1, 5, false]);
  startRun(book, entry("run_started", { model: "gemini-2.5-flash" }));
  assert.deepEqual([book.rows[1].number, book.limit, book.origin.mixed], [2, null, true]);
});

test("a pause keeps what is open for the run to go on in; any other end closes it", () => {
  const book = emptyBook();
  const loop = { kind: "loop", agent: "L", branch: "", at: { iteration: 1 } };
  openScope(book, loop);
  finishRun(book, entry("run_finished", { status: "paused", timestamp: 10 }));
  assert.deepEqual([book.scopes, book.held, book.rows[0].live.waiting], [[], [loop], 0]);
  startRun(book, entry("run_started", { resumed: true, timestamp: 14 }));
  assert.deepEqual([book.scopes, book.rows[0].live.waited, book.rows.length], [[loop], 4, 1]);
  finishRun(book, entry("run_finished", { status: "completed" }));
  assert.deepEqual([book.scopes, book.held, book.rows[1].live], [[], [], undefined]);
});

test("an end says whether the event above told the same error", () => {
  const book = Object.assign(emptyBook(), { error: "X" });
  finishRun(book, entry("run_finished", { status: "failed", error_code: "X" }));
  finishRun(book, entry("run_finished", { status: "failed", error_code: "Y" }));
  assert.deepEqual(book.rows.map(({ told }) => told), [true, false]);
});

test("a model that was loading when its run ended was not loaded", () => {
  const book = emptyBook();
  addLoading(book, entry("model_loading", { model: "m", progress: 0.3 }), "");
  finishRun(book, entry("run_finished", { status: "stopped" }));
  assert.deepEqual([book.rows[0].live.over, book.rows[0].live.progress, book.loading.size], [true, 0.3, 0]);
});
