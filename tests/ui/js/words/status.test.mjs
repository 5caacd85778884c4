import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { CALLS_LIMIT } from "../../../../ui/session_view/js/log/failures.js";
import { append, emptyLog } from "../../../../ui/session_view/js/log/log.js";
import { spentWords, statusWord, whereWords } from "../../../../ui/session_view/js/words/status.js";
import { entry, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

function logOf(...entries) {
  const log = emptyLog();
  append(log, entries);
  return log;
}

const PRICES = [["simulated*", 0, 0, null]];

test("how a session stands: the limit of model calls is a plain stop, other failures are failures", () => {
  assert.deepEqual(statusWord("idle"), { word: "ready", look: "idle" });
  assert.deepEqual(statusWord("queued"), { word: "waiting for its turn", look: "queued" });
  assert.deepEqual(statusWord("paused"), { word: "waiting for you", look: "paused" });
  assert.deepEqual(statusWord("failed", CALLS_LIMIT), { word: "stopped at its limit", look: "stopped" });
  assert.deepEqual(statusWord("failed", "X"), { word: "failed", look: "failed" });
});

test("where a run stands: the innermost open loop, and who is at work", () => {
  const { activity } = logOf(
    entry("run_started"),
    entry("loop_iteration", { agent: "Outer", iteration: 1, max_iterations: 3 }),
    entry("loop_iteration", { agent: "Inner", iteration: 2 }),
    entry("model_started", { agent: "A", call: 1 }),
    entry("tool_started", { agent: "B", tool: "t", call_id: "1" }),
  );
  assert.equal(whereWords(activity, 0), "iteration 2 · A, B");
});

test("many agents are counted; one whose call is tried again is named with the try; loads are told", () => {
  const { activity } = logOf(
    entry("run_started"),
    ...["A", "B", "C", "D", "E"].map((agent, call) => entry("model_started", { agent, call })),
    entry("model_retry", { agent: "E", call: 4, model: "m", attempt: 1, delay: 3, code: "503", timestamp: 100 }),
    entry("model_loading", { agent: "A", model: "local/m", progress: 0.5 }),
  );
  assert.equal(
    whereWords(activity, 101),
    "E: m failed (503), try 2 in 2 s · 4 agents · Loading the model local/m (50 %) …",
  );
  assert.equal(whereWords(logOf(entry("run_started")).activity, 0), "");
});

test("what was used: tokens and cost, then the time, in whole seconds while it runs", () => {
  const used = [
    entry("run_started", { timestamp: 100 }),
    entry("model_finished", { agent: "A", call: 1, model: "simulated", usage: { input: 10, output: 2 } }),
  ];
  assert.equal(spentWords(logOf(...used), true, PRICES, 107.9), "12 tokens · $0 · 7 s");
  const over = logOf(...used, entry("run_finished", { status: "completed", duration: 1.25 }));
  assert.equal(spentWords(over, false, PRICES, 500), "12 tokens · $0 · 1.3 s");
  assert.equal(spentWords(emptyLog(), false, [], 0), "");
});
