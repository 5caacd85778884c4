import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { CALLS_LIMIT } from "../../../../../ui/session_view/js/log/failures.js";
import { emptyActivity, foldActivity } from "../../../../../ui/session_view/js/log/folds/activity.js";
import { entry, event, startAt } from "../../log_entries.mjs";

beforeEach(() => startAt());

function activityOf(...entries) {
  const activity = emptyActivity();
  for (const one of entries) foldActivity(activity, one);
  return activity;
}

test("a router's choice, what failed before it, and how often each was chosen", () => {
  const decided = (key, failed = []) =>
    entry("route_decided", { agent: "R", router: "R", level: "agent", candidates: ["a", "b"], key, failed });
  const first = activityOf(entry("run_started"), decided("a"), decided("b", ["a"]));
  assert.deepEqual(first.routes.get("agent/R"), { key: "b", failed: ["a"], counts: { a: 1, b: 1 } });
  const next = activityOf(entry("run_started"), decided("b"), entry("run_started"));
  assert.deepEqual(
    next.routes.get("agent/R"),
    { key: null, failed: [], counts: { b: 1 } },
    "a new run keeps the counts alone",
  );
  assert.deepEqual(activityOf(decided(null)).routes.get("agent/R").counts, {});
});

test("a choice of models stands under its agent, apart from a choice of agents", () => {
  const activity = activityOf(entry("route_decided", { agent: "A", level: "model", key: "m1", failed: [] }));
  assert.deepEqual([...activity.routes.keys()], ["model/A"]);
});

test("handovers are counted over the session; the latest of the run is known", () => {
  const hand = (agent, to) => entry("transfer", { agent, to });
  const activity = activityOf(entry("run_started"), hand("A", "B"), hand("B", "A"), hand("A", "B"));
  assert.deepEqual([...activity.transfers], [["A>B", 2], ["B>A", 1]]);
  assert.equal(activity.handed, "A>B");
  assert.equal(activityOf(hand("A", "B"), entry("run_started")).handed, null);
});

test("the request to an agent at work as a tool is nobody's event; the call of it counts", () => {
  const activity = activityOf(
    event("W", null, { parts: [{ function_call: { id: "1", name: "helper" } }] }),
    event("user", "?", { branch: "helper:aaa111" }),
    event("helper", "x", { branch: "helper:aaa111" }),
  );
  assert.deepEqual([...activity.seen], [["W", 1], ["helper", 1]]);
  assert.equal(activity.toolCounts.get("W/helper"), 1);
});

test("an agent that pauses waits, keeps its place in its loop, and is not at work twice when it goes on", () => {
  const paused = [
    entry("run_started"),
    entry("agent_started", { agent: "A" }),
    entry("loop_iteration", { agent: "L", iteration: 2 }),
    entry("agent_finished", { agent: "A", outcome: "paused" }),
    entry("run_finished", { status: "paused" }),
  ];
  const waiting = activityOf(...paused);
  assert.deepEqual([[...waiting.waiting], waiting.running.size, waiting.loops.get("L").open], [["A"], 0, true]);
  const again = activityOf(
    ...paused,
    entry("run_started", { resumed: true }),
    entry("agent_started", { agent: "A", resumed: true }),
  );
  assert.deepEqual([again.waiting.size, again.running.get("A"), again.loops.get("L").iteration], [0, 1, 2]);
  assert.equal(activityOf(...paused, entry("run_started")).waiting.size, 0);
});

test("the limit of model calls is no failure of the agents that it ended; what failed before it is", () => {
  const failed = (agent) => entry("agent_finished", { agent, outcome: "error" });
  const limit = event("B", null, { error_code: CALLS_LIMIT, error_message: "enough" });
  assert.deepEqual([...activityOf(failed("A"), event("B", "x"), failed("B"), failed("Root"), limit).failed], ["A"]);
  assert.deepEqual([...activityOf(failed("B"), event("B", null, { error_code: "X" })).failed], ["B"]);
});

test("a call that is tried again says so until it ends, or its run does", () => {
  const failed = entry("model_retry", { agent: "A", call: 3, model: "m", attempt: 1, delay: 2, code: "503" });
  const { retrying } = activityOf(entry("run_started"), failed);
  assert.deepEqual([...retrying.values()], [{
    agent: "A",
    model: "m",
    attempt: 1,
    delay: 2,
    code: "503",
    at: failed.body.timestamp,
  }]);
  assert.equal(
    activityOf(failed, entry("model_finished", { agent: "A", call: 2 })).retrying.size,
    1,
    "another call of that agent",
  );
  for (const end of [entry("model_finished", { agent: "A", call: 3 }), entry("run_finished", { status: "stopped" })]) {
    assert.equal(activityOf(failed, end).retrying.size, 0);
  }
  assert.equal(activityOf(entry("model_retry", { agent: "A", call: 3, replayed: true })).retrying.size, 0);
});

test("a model that is loaded is known while it is", () => {
  const loading = entry("model_loading", { agent: "A", model: "local/m", progress: 0.4 });
  assert.deepEqual([...activityOf(loading).loading], [["local/m", 0.4]]);
  for (
    const end of [
      entry("model_loaded", { agent: "A", model: "local/m", seconds: 1 }),
      entry("run_finished", { status: "failed" }),
    ]
  ) assert.equal(activityOf(loading, end).loading.size, 0);
});
