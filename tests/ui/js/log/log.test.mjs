import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { byScope, stateAt } from "../../../../ui/session_view/js/log/folds/state.js";
import {
  activityAt,
  append,
  emptyLog,
  entryAt,
  loseRun,
  ordinalAt,
  runOf,
  runStatus,
  SNAPSHOT_EVERY,
  usageAt,
} from "../../../../ui/session_view/js/log/log.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt(40));

function logOf(...entries) {
  const log = emptyLog();
  append(log, entries);
  return log;
}

const values = (state) => Object.fromEntries([...state].map(([key, held]) => [key, held.value]));

test("entries seen before change nothing", () => {
  const entries = [
    entry("session_created", { state: { a: 1 } }),
    event("user", "hi"),
    event("A", "yes", { delta: { a: 2 } }),
  ];
  const log = emptyLog();
  append(log, entries.slice(0, 2));
  const added = append(log, entries);
  assert.deepEqual(added.map((e) => e.seq), [43]);
  assert.equal(log.events, 2);
  assert.equal(log.activity.seen.get("user"), 1);
  assert.equal(entryAt(log, 43).body.author, "A");
  assert.equal(entryAt(log, 99), null);
});

test("state at an entry is the start state overlaid by shared values and deltas up to it", () => {
  const log = logOf(
    entry("session_created", { state: { topic: "", "user:tone": "cool" } }),
    entry("run_started", { shared: { "user:tone": "warm", "app:n": 1 } }),
    event("user", "tea", { delta: { topic: "tea" } }),
    event("A", "x", { delta: { draft: "one", "temp:x": 1 } }),
    event("A", "y", { delta: { draft: "two" } }),
  );
  assert.deepEqual(values(stateAt(log, 41).state), { topic: "", "user:tone": "cool" });
  assert.deepEqual(values(stateAt(log, 44).state), { topic: "tea", "user:tone": "warm", "app:n": 1, draft: "one" });
  assert.deepEqual(values(stateAt(log, null).state), { topic: "tea", "user:tone": "warm", "app:n": 1, draft: "two" });
});

test("every prefix folds to what a log of that prefix alone says", () => {
  const entries = [
    entry("session_created", { state: { a: 0 } }),
    entry("run_started", { shared: {} }),
    event("user", "q", { delta: { a: 1 } }),
    entry("agent_started", { agent: "A" }),
    event("A", "x", { delta: { b: [1] } }),
    entry("agent_finished", { agent: "A" }),
    entry("run_finished", { status: "completed" }),
  ];
  const whole = logOf(...entries);
  entries.forEach(({ seq }, i) => {
    const part = logOf(...entries.slice(0, i + 1));
    assert.deepEqual(values(stateAt(whole, seq).state), values(part.state));
    assert.deepEqual(activityAt(whole, seq), part.activity);
  });
});

test("a long log folds to the same at every moment, wherever the fold starts from", () => {
  const entries = Array.from(
    { length: 2 * SNAPSHOT_EVERY + 3 },
    (_, i) =>
      i % 3
        ? event(`a${i % 7}`, "x", { delta: { [`k${i % 5}`]: i } })
        : entry("model_finished", { agent: `a${i % 7}`, call: i, model: "m", usage: { input: i, output: 1 } }),
  );
  const whole = logOf(...entries);
  for (const length of [1, SNAPSHOT_EVERY - 1, SNAPSHOT_EVERY, SNAPSHOT_EVERY + 1, 2 * SNAPSHOT_EVERY, entries.length]) {
    const part = logOf(...entries.slice(0, length));
    const { seq } = entries[length - 1];
    assert.deepEqual(activityAt(whole, seq), part.activity);
    assert.deepEqual(usageAt(whole, seq), part.usage);
    assert.deepEqual(values(stateAt(whole, seq).state), values(part.state));
  }
  activityAt(whole, entries.at(-1).seq).seen.clear();
  assert.deepEqual(activityAt(whole, entries.at(-1).seq), whole.activity);
});

test("the changes of an event name old and new, and what was not there", () => {
  const log = logOf(
    entry("session_created", { state: { a: 1 } }),
    event("A", "x", { delta: { a: 2, b: null } }),
    event("A", "x", { delta: { a: 2 } }),
  );
  assert.deepEqual(stateAt(log, 42).changes, [
    { key: "a", before: 1, after: 2, had: true, same: false },
    { key: "b", before: undefined, after: null, had: false, same: false },
  ]);
  assert.equal(stateAt(log, 43).changes[0].same, true);
});

test("a key remembers who wrote it last; a run that only repeats it does not", () => {
  const log = logOf(
    event("A", "x", { delta: { "user:t": "warm" } }),
    entry("run_started", { shared: { "user:t": "warm" } }),
  );
  assert.deepEqual(log.state.get("user:t"), { value: "warm", seq: 41, author: "A", kind: "event" });
  append(log, [entry("run_started", { shared: { "user:t": "cold" } })]);
  assert.equal(log.state.get("user:t").kind, "run_started");
});

test("scopes are split and sorted", () => {
  const log = logOf(event("A", "x", { delta: { z: 1, a: 1, "user:u": 1, "app:p": 1 } }));
  assert.deepEqual(byScope(log.state).map(({ scope, items }) => [scope, items.map((i) => i.name)]), [
    ["session", ["a", "z"]],
    ["user", ["u"]],
    ["app", ["p"]],
  ]);
});

test("agents at work, loops and tools follow the trace", () => {
  const log = logOf(
    entry("run_started"),
    entry("agent_started", { agent: "Loop" }),
    entry("loop_iteration", { agent: "Loop", iteration: 2, max_iterations: 5 }),
    entry("agent_started", { agent: "A" }),
    entry("model_started", { agent: "A", call: 1 }),
    entry("tool_started", { agent: "A", tool: "t", call_id: "c" }),
  );
  const { activity } = log;
  assert.equal(activity.running.get("A"), 1);
  assert.equal(activity.models.get("A"), 1);
  assert.equal(activity.tools.get("A/t"), 1);
  assert.deepEqual(activity.loops.get("Loop"), { iteration: 2, max: 5, open: true });
  append(log, [
    entry("tool_finished", { agent: "A", tool: "t", call_id: "c" }),
    entry("agent_finished", { agent: "A", outcome: "error" }),
  ]);
  assert.equal(activity.running.get("A"), 0);
  assert.equal(activity.tools.get("A/t"), 0);
  assert.ok(activity.failed.has("A"));
  append(log, [entry("run_finished", { status: "stopped" })]);
  assert.equal(activity.running.size, 0);
  assert.equal(activity.loops.get("Loop").open, false);
});

test("run status is the last run's; one that never finished and was followed is interrupted", () => {
  assert.equal(runStatus(emptyLog()), "idle");
  const log = logOf(
    entry("run_started", { invocation_id: "r1", model: "m", simulated: true }),
    event("user", "x", { invocation_id: "r1" }),
  );
  assert.equal(runStatus(log), "running");
  append(log, [
    entry("run_started", { invocation_id: "r2" }),
    entry("model_finished", { invocation_id: "r2", usage: { input: 5, output: 2 } }),
  ]);
  assert.deepEqual(log.runs.map((r) => r.status), ["interrupted", "running"]);
  assert.deepEqual(log.runs[1].tokens, { input: 5, output: 2 });
  append(log, [
    entry("run_finished", { invocation_id: "r2", status: "failed", calls: 3, tokens: { input: 9, output: 9 }, duration: 2 }),
  ]);
  assert.equal(runStatus(log), "failed");
  assert.equal(log.runs[1].calls, 3);
  assert.equal(runOf(log, log.entries[1]).number, 1);
});

test("an entry between events has the number of the event before it", () => {
  const log = logOf(entry("run_started"), event("user", "x"), entry("agent_started", { agent: "A" }), event("A", "y"));
  assert.deepEqual([41, 42, 43, 44, null].map((seq) => ordinalAt(log, seq)), [0, 1, 1, 2, 2]);
});

test("a paused run has that status, and is the same run when it goes on", () => {
  const log = logOf(entry("run_started"), event("user", "x"), entry("run_finished", { status: "paused" }));
  assert.equal(runStatus(log), "paused");
  append(log, [entry("run_started", { resumed: true })]);
  assert.deepEqual([runStatus(log), log.runs.length, runOf(log, log.entries[1]).number], ["running", 1, 1]);
});

test("kinds of a later version are kept and harm nothing", () => {
  const log = logOf(entry("run_started"), entry("of_tomorrow", { agent: "R", chosen: "a" }), event("A", "x"));
  assert.equal(log.entries.length, 3);
  assert.equal(runStatus(log), "running");
});

test("a playbook in state is its last commit, with its writer, until another session makes a newer one", () => {
  const commit = { playbook: "ace", revision: 3, by: "curator", applied: [], rejected: [] };
  const log = emptyLog();
  append(log, [entry("run_started", { shared: {} }), event("A", "x", { delta: { x: 1 } })]);
  assert.equal(log.playbook, false);
  append(log, [event("ApplyDelta", "x", { delta: { "app:playbook": commit } })]);
  assert.equal(log.playbook, true);
  append(log, [entry("run_started", { shared: { "app:playbook": { playbook: "ace", revision: 3, bullets: 9 } } })]);
  assert.deepEqual([log.state.get("app:playbook").value, log.state.get("app:playbook").author], [commit, "ApplyDelta"]);
  append(log, [entry("run_started", { shared: { "app:playbook": { playbook: "ace", revision: 4, bullets: 9 } } })]);
  assert.deepEqual([log.state.get("app:playbook").value.revision, log.state.get("app:playbook").kind], [4, "run_started"]);
});

test("a record of what was given is something of a playbook, too", () => {
  const log = emptyLog();
  append(log, [entry("playbook_given", { playbook: "ace", revision: 0, bullets: 0 })]);
  assert.equal(log.playbook, true);
});

test("a run that was lost is not running, until the log has its end", () => {
  const log = emptyLog();
  const [started, model] = [entry("run_started"), entry("model_started", { agent: "A" })];
  append(log, [started, model]);
  loseRun(log, "another");
  assert.equal(runStatus(log), "running");
  loseRun(log, started.body.invocation_id);
  assert.deepEqual([runStatus(log), log.activity.models.size], ["interrupted", 0]);
  append(log, [entry("run_finished", { status: "failed" })]);
  assert.equal(runStatus(log), "failed");
  loseRun(log, started.body.invocation_id);
  assert.equal(runStatus(log), "failed");
});
