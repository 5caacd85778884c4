import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { append, emptyLog } from "../../../../ui/session_view/js/log/log.js";
import { byScope, foldState, stateAt, writes } from "../../../../ui/session_view/js/log/state.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

test("what an entry writes: deltas, the state a session starts with, shared values; never temporary ones", () => {
  assert.deepEqual(writes(event("A", "x", { delta: { a: 1, "temp:b": 2 } })), [["a", 1]]);
  assert.deepEqual(writes(entry("session_created", { state: { a: 1 } })), [["a", 1]]);
  assert.deepEqual(writes(entry("run_started", { shared: { "user:a": 1 } })), [["user:a", 1]]);
  assert.deepEqual(writes(entry("agent_started", { state: { a: 1 } })), []);
});

test("a run that repeats a shared value does not become its writer", () => {
  const state = new Map();
  foldState(state, event("A", "x", { delta: { "app:n": { x: 1 } } }));
  foldState(state, entry("run_started", { shared: { "app:n": { x: 1 } } }));
  assert.equal(state.get("app:n").author, "A");
  foldState(state, entry("run_started", { shared: { "app:n": { x: 2 } } }));
  assert.deepEqual([state.get("app:n").author, state.get("app:n").kind], ["", "run_started"]);
});

test("of a playbook only its revision tells whether another session wrote it", () => {
  const state = new Map();
  foldState(state, event("A", "x", { delta: { "app:playbook": { playbook: "p", revision: 2, applied: [] } } }));
  foldState(state, entry("run_started", { shared: { "app:playbook": { playbook: "p", revision: 2 } } }));
  assert.equal(state.get("app:playbook").author, "A");
});

test("state before an entry does not hold what comes later, and the changes name old and new", () => {
  const log = emptyLog();
  append(log, [
    event("A", "x", { delta: { n: 1 } }),
    event("B", "y", { delta: { n: 2, m: 3 } }),
    event("C", "z", { delta: { n: 9 } }),
  ]);
  const { state, changes } = stateAt(log, 2);
  assert.equal(state.get("n").value, 2);
  assert.deepEqual(changes.map(({ key, before, after, had }) => [key, before, after, had]), [
    ["n", 1, 2, true],
    ["m", undefined, 3, false],
  ]);
});

test("keys stand by scope, each under its name there, those written last first", () => {
  const held = { value: 1, seq: 1, author: "", kind: "event" };
  const groups = byScope(new Map([["b", held], ["user:x", held], ["a", held], ["app:y", held]]));
  assert.deepEqual(groups.map(({ scope, items }) => [scope, items.map(({ name }) => name)]), [
    ["session", ["a", "b"]],
    ["user", ["x"]],
    ["app", ["y"]],
  ]);
  const last = byScope(new Map([["a", held], ["b", { ...held, seq: 2 }], ["c", held]]));
  assert.deepEqual(last[0].items.map(({ name }) => name), ["b", "a", "c"]);
});
