import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { append, emptyLog } from "../../../../ui/session_view/js/log/log.js";
import { contextWindow } from "../../../../ui/session_view/js/prompt/windows.js";
import { entry, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

const WINDOWS = [["gemini-2.5-flash", 1000], ["gemini-2.5-pro", 2000]];

/** The window of a call of a model, with these entries before its end. */
function windowOf(model, { more = [], answered, over = true } = {}) {
  const log = emptyLog();
  const started = entry("model_started", { agent: "A", call: 1, model });
  append(log, [started, ...more.map((body) => entry("model_loaded", body))]);
  const finished = over ? entry("model_finished", { agent: "A", call: 1, model, answered_by: answered }) : null;
  if (finished) append(log, [finished]);
  return { log, record: { started, finished }, window: contextWindow(log, { started, finished }, WINDOWS) };
}

test("a model's window is what its provider tells, of its versions too, and not that of others of its family", () => {
  const known = ["", "-001", "-latest", "-preview-09-2025"].map((version) => windowOf(`gemini-2.5-flash${version}`).window);
  assert.deepEqual(known, [1000, 1000, 1000, 1000]);
  assert.equal(windowOf("models/gemini-2.5-pro").window, 2000);
  for (
    const other of ["simulated", "gemini-2.5-flash-image", "gemini-2.5-flash-preview-tts", "llama/gemini-2.5-flash", ""]
  ) {
    assert.equal(windowOf(other).window, null, other);
  }
  assert.equal(windowOf(`gemini-2.5-flash${"-1".repeat(100_000)}x`).window, null);
});

test("of a router the model that answered counts", () => {
  assert.equal(windowOf("router", { answered: "gemini-2.5-pro-001" }).window, 2000);
});

test("a model file's window is what it was last loaded with, until the call's end; nonsense is passed over", () => {
  const model = "local/tiny";
  assert.equal(windowOf(model).window, null);
  const more = [{ model, n_ctx: 512 }, { model, n_ctx: 4096 }, { model, n_ctx: "many" }, { model: "other", n_ctx: 1 }];
  const { log, record, window } = windowOf(model, { more });
  assert.equal(window, 4096);
  append(log, [entry("model_loaded", { model, n_ctx: 64 })]);
  assert.equal(contextWindow(log, record, []), 4096);
  assert.equal(windowOf(model, { more, over: false }).window, 4096);
});
