import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { spansOf, windowOf } from "../../../../../ui/session_view/js/log/folds/spans.js";
import { append, emptyLog } from "../../../../../ui/session_view/js/log/log.js";
import { entry, event, startAt } from "../../log_entries.mjs";

beforeEach(() => startAt());

function logOf(...entries) {
  const log = emptyLog();
  append(log, entries);
  return log;
}

test("spans stand below the agent that they belong to, also across branches", () => {
  const log = logOf(
    entry("run_started"),
    entry("agent_started", { agent: "Par" }),
    entry("agent_started", { agent: "A", branch: "Par.A" }),
    entry("agent_started", { agent: "B", branch: "Par.B" }),
    entry("model_started", { agent: "A", branch: "Par.A", call: 1, model: "m" }),
    entry("model_started", { agent: "B", branch: "Par.B", call: 2, model: "m" }),
    entry("model_finished", { agent: "B", branch: "Par.B", call: 2, usage: { input: 3, output: 4 } }),
    entry("tool_started", { agent: "A", branch: "Par.A", tool: "t", call_id: "c" }),
    entry("tool_finished", { agent: "A", branch: "Par.A", tool: "t", call_id: "c", error: "broken" }),
  );
  const { spans, end } = spansOf(log.runs[0]);
  assert.deepEqual(spans.map((s) => `${s.depth} ${s.kind} ${s.agent}`), [
    "0 agent Par",
    "1 agent A",
    "2 model A",
    "2 tool A",
    "1 agent B",
    "2 model B",
  ]);
  const tool = spans[3];
  assert.deepEqual([tool.outcome, tool.open, tool.end - tool.start], ["error", false, 1]);
  assert.deepEqual(spans[5].call.usage, { input: 3, output: 4 });
  assert.ok(spans[0].open && spans[0].end === end && end === 1009);
});

test("an agent that runs again is a span again; other runs are left out", () => {
  const again = () => [entry("agent_started", { agent: "A" }), entry("agent_finished", { agent: "A", outcome: "ok" })];
  const log = logOf(
    entry("run_started"),
    ...again(),
    ...again(),
    entry("run_finished", { status: "completed" }),
    entry("run_started", { invocation_id: "other" }),
    entry("agent_started", { agent: "B", invocation_id: "other" }),
  );
  assert.deepEqual(spansOf(log.runs[0]).spans.map((s) => s.endSeq), [3, 5]);
  assert.deepEqual(spansOf(log.runs[1]).spans.map((s) => s.name), ["B"]);
});

test("a model call knows its tries that failed, and that it was stopped", () => {
  const log = logOf(
    entry("run_started"),
    entry("model_started", { agent: "A", call: 1, model: "m" }),
    entry("model_retry", { agent: "A", call: 1, attempt: 1, delay: 2, code: "503" }),
    entry("model_retry", { agent: "A", call: 1, attempt: 1, replayed: true }),
    entry("model_retry", { agent: "A", call: 7, attempt: 1 }),
    entry("model_finished", { agent: "A", call: 1, error: "cancelled" }),
  );
  const [span] = spansOf(log.runs[0]).spans;
  assert.deepEqual(span.retries.map(({ at, code }) => [at, code]), [[1003, "503"]]);
  assert.equal(span.outcome, "stopped");
});

test("an end without a beginning is passed over", () => {
  const log = logOf(entry("run_started"), entry("model_finished", { agent: "A", call: 9 }));
  assert.deepEqual(spansOf(log.runs[0]).spans, []);
});

test("spans grow with the log: one under way ends at the last time seen, until it has its end", () => {
  const log = logOf(entry("run_started"), entry("agent_started", { agent: "A" }), event("A", "x"));
  const ends = () => spansOf(log.runs[0]).spans.map(({ open, end }) => [open, end]);
  assert.deepEqual(ends(), [[true, 1003]]);
  append(log, [entry("model_started", { agent: "A", call: 1, model: "m" })]);
  assert.deepEqual(ends(), [[true, 1004], [true, 1004]]);
  append(log, [entry("agent_finished", { agent: "A", outcome: "ok" }), entry("run_finished", { status: "completed" })]);
  append(log, [entry("agent_started", { agent: "late" })]);
  assert.deepEqual(ends(), [[false, 1005], [true, 1006]], "after its end nothing belongs to a run");
});

test("a window around an entry, and how much it leaves out", () => {
  const spans = Array.from({ length: 100 }, (_, i) => ({ seq: i * 2 }));
  assert.deepEqual(windowOf(spans, null, 200), { shown: spans, before: 0, after: 0 });
  const { shown, before, after } = windowOf(spans, 101, 10);
  assert.deepEqual([shown[0].seq, shown.length, before, after], [90, 10, 45, 45]);
  assert.equal(windowOf(spans, null, 10).after, 0);
  assert.equal(windowOf(spans, -5, 10).before, 0);
});

test("paused time is left out: an agent that goes on is the same span, and what comes after moves up", () => {
  const log = logOf(
    entry("run_started", { timestamp: 100 }),
    entry("agent_started", { agent: "A", timestamp: 101 }),
    entry("model_started", { agent: "A", call: 1, model: "m", turn: 2, timestamp: 101 }),
    entry("model_finished", { agent: "A", call: 1, stop_reason: "tool_use", timestamp: 103 }),
    entry("agent_finished", { agent: "A", outcome: "paused", timestamp: 103 }),
    entry("run_finished", { status: "paused", timestamp: 104 }),
    entry("run_started", { resumed: true, timestamp: 9004 }),
    entry("agent_started", { agent: "A", resumed: true, timestamp: 9005 }),
    entry("tool_started", { agent: "A", tool: "t", call_id: "c", timestamp: 9005 }),
    entry("tool_finished", { agent: "A", tool: "t", call_id: "c", timestamp: 9006 }),
    entry("agent_finished", { agent: "A", outcome: "ok", timestamp: 9007 }),
    entry("run_finished", { status: "completed", timestamp: 9007 }),
  );
  const { spans, end, pauses } = spansOf(log.runs[0]);
  assert.deepEqual(spans.map((s) => `${s.depth} ${s.kind} ${s.start}-${s.end} ${s.outcome}`), [
    "0 agent 101-107 ok",
    "1 model 101-103 ok",
    "1 tool 105-106 ok",
  ]);
  assert.deepEqual([spans[1].turn, spans[1].reason, end], [2, "tool_use", 107]);
  assert.deepEqual(pauses.map(({ at, waited }) => [at, waited]), [[104, 8900]]);
});

test("a run that is still paused ends where it paused", () => {
  const log = logOf(
    entry("run_started", { timestamp: 100 }),
    entry("agent_started", { agent: "A", timestamp: 101 }),
    entry("agent_finished", { agent: "A", outcome: "paused", timestamp: 103 }),
    entry("run_finished", { status: "paused", timestamp: 103 }),
  );
  const { spans, end, pauses } = spansOf(log.runs[0]);
  assert.deepEqual([spans.map((s) => s.end), end, pauses[0].waited], [[103], 103, null]);
});

test("an agent at work as a tool stands below the agent that called it", () => {
  const branch = "helper:aaa111";
  const log = logOf(
    entry("run_started"),
    entry("agent_started", { agent: "W" }),
    entry("tool_started", { agent: "W", tool: "helper", call_id: "c" }),
    entry("agent_started", { agent: "helper", branch }),
    entry("model_started", { agent: "helper", branch, call: 2, model: "m" }),
  );
  assert.deepEqual(spansOf(log.runs[0]).spans.map((s) => `${s.depth} ${s.kind} ${s.agent}`), [
    "0 agent W",
    "1 tool W",
    "1 agent helper",
    "2 model helper",
  ]);
});
