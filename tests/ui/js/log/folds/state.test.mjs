import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  byScope,
  changesBetween,
  foldHistory,
  foldState,
  startSeq,
  stateAt,
  writes,
} from "../../../../../ui/session_view/js/log/folds/state.js";
import { append, emptyLog } from "../../../../../ui/session_view/js/log/log.js";
import { entry, event, startAt } from "../../log_entries.mjs";

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

test("what differs between two moments, whichever comes first; a value that came back does not", () => {
  const log = emptyLog();
  append(log, [
    entry("session_created", { state: { n: 1, m: 1 } }),
    event("A", "x", { delta: { n: 2, m: 2 } }),
    event("B", "y", { delta: { n: 3, m: 1, k: "new" } }),
  ]);
  const shown = (from, to) => changesBetween(log, from, to).map(({ key, before, after, had }) => [key, before, after, had]);
  assert.deepEqual(shown(1, 3), [["n", 1, 3, true], ["k", undefined, "new", false]]);
  assert.deepEqual(shown(3, 1), shown(1, 3));
  assert.deepEqual(shown(2, 2), []);
  assert.deepEqual(shown(2, 3).map(([key]) => key), ["n", "m", "k"]);
});

test("the start is what there was before the first event", () => {
  const log = emptyLog();
  assert.equal(startSeq(log), 0);
  append(log, [entry("session_created", { state: {} }), entry("run_started", { shared: { "user:a": 1 } })]);
  assert.equal(startSeq(log), 2);
  append(log, [event("A", "x", { delta: { b: 1 } })]);
  assert.equal(startSeq(log), 2);
  assert.deepEqual(changesBetween(log, startSeq(log), 3).map(({ key }) => key), ["b"]);
});

test("values are kept in the order in which they were set, each once", () => {
  const log = emptyLog();
  append(log, [event("A", "x", { delta: { n: 1 } }), event("A", "y", { delta: { n: 2 } })]);
  assert.deepEqual(log.history.get("n").map(({ value, seq }) => [value, seq]), [[1, 1], [2, 2]]);
  const history = new Map();
  foldHistory(history, log.state, 1, [["n", 1]]);
  assert.deepEqual([...history], [], "an entry that set nothing, e.g. a start of a run that repeats it");
});
