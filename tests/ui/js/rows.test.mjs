import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { contains, emptyRows, extendRows, filterRows, isStop, iterationLabel, laneOf, loopEnding, railOf, rowsOfTail } from "../../../ui/components/session_view/js/rows.js";
import { entry, event, startAt } from "./log.mjs";

beforeEach(() => startAt());

function rowsOf(...entries) {
  const book = emptyRows();
  extendRows(book, entries);
  return book.rows;
}

const shape = (rows) => rows.map((row) => `${row.type}${row.type === "event" ? ` ${row.entry.body.author} ${row.ordinal}` : ""}`);

function loopRun() {
  return [
    entry("session_created", { state: {} }), entry("run_started"), event("user", "tea"), entry("agent_started", { agent: "Loop" }),
    entry("loop_iteration", { agent: "Loop", iteration: 1, max_iterations: 5 }), event("Critic", "more"), event("Refiner", "done"),
    entry("loop_iteration", { agent: "Loop", iteration: 2, max_iterations: 5 }), event("Critic", "good"),
    event("Refiner", null, { escalate: true, parts: [{ function_response: { id: "1", name: "exit_loop", response: { result: null } } }] }),
    entry("loop_finished", { agent: "Loop", reason: "escalated", by: "Refiner", iterations: 2 }), entry("agent_finished", { agent: "Loop" }), entry("run_finished", { status: "completed" }),
  ];
}

test("the end of a long log alone: its events are numbered as in the whole", () => {
  const whole = loopRun();
  const { rows } = rowsOfTail(whole.slice(-7), 5);
  assert.deepEqual(shape(rows), ["event Refiner 3", "iteration", "event Critic 4", "event Refiner 5", "loop_end", "end"]);
  assert.deepEqual(rows.slice(1).map((row) => row.scopes.length), [1, 1, 1, 1, 0]);
});

test("a loop's run as rows: passes inside the loop, its end says why", () => {
  const rows = rowsOf(...loopRun());
  assert.deepEqual(shape(rows), ["run", "event user 1", "iteration", "event Critic 2", "event Refiner 3", "iteration", "event Critic 4", "event Refiner 5", "loop_end", "end"]);
  assert.deepEqual(rows.map((row) => row.scopes.length), [0, 0, 1, 1, 1, 1, 1, 1, 1, 0]);
  const end = rows[8];
  assert.equal(loopEnding(end.entry.body, end.escalation), "Refiner called exit_loop");
  assert.equal(iterationLabel(rows[5].entry.body), "iteration 2 of 5");
});

test("the same rows whether the log comes at once or entry by entry", () => {
  const entries = loopRun();
  const book = emptyRows();
  for (const one of entries) extendRows(book, [one]);
  assert.deepEqual(book.rows, rowsOf(...entries));
});

test("why a loop ended, in words", () => {
  assert.equal(loopEnding({ reason: "max_iterations", iterations: 5 }, null), "5 iterations reached");
  assert.equal(loopEnding({ reason: "max_iterations", iterations: 1 }, null), "1 iteration reached");
  assert.equal(loopEnding({ reason: "escalated", by: "Checker" }, { author: "Checker", tool: null }), "Checker escalated");
  assert.equal(loopEnding({ reason: "escalated", by: "Checker" }, { author: "Other", tool: "exit_loop" }), "Checker escalated");
  assert.equal(loopEnding({ reason: "empty", iterations: 0 }, null), "it has no agents to run");
  assert.equal(loopEnding({ reason: "fell_over" }, null), "fell_over");
  assert.equal(iterationLabel({ iteration: 3, max_iterations: null }), "iteration 3");
});

test("nested loops stand inside each other", () => {
  const rows = rowsOf(
    entry("loop_iteration", { agent: "Outer", iteration: 1 }), entry("loop_iteration", { agent: "Inner", iteration: 1 }), event("A", "x"),
    entry("loop_finished", { agent: "Inner", reason: "max_iterations", iterations: 1 }), event("B", "y"), entry("loop_iteration", { agent: "Outer", iteration: 2 }),
  );
  assert.deepEqual(rows.map((row) => row.scopes.map((s) => s.agent).join(">")), ["Outer", "Outer>Inner", "Outer>Inner", "Outer>Inner", "Outer", "Outer"]);
});

test("branches are lanes, each row inside its own, and a lane that ended keeps its place", () => {
  const rows = rowsOf(
    entry("agent_started", { agent: "A", branch: "Par.A" }), entry("agent_started", { agent: "B", branch: "Par.B" }),
    event("A", "x", { branch: "Par.A" }), event("B", "y", { branch: "Par.B" }),
    entry("agent_finished", { agent: "A", branch: "Par.A" }), event("B", "z", { branch: "Par.B" }), entry("agent_finished", { agent: "B", branch: "Par.B" }), event("C", "joined"),
  );
  assert.deepEqual(rows.map((row) => railOf(row).map((s) => `${s.kind} ${s.agent} ${s.inside}`)), [
    ["lane A true", "lane B false"], ["lane A false", "lane B true"], ["gap A false", "lane B true"], [],
  ]);
  assert.equal(laneOf(rows[1]).agent, "B");
  assert.equal(laneOf(rows[3]), null);
});

test("an event in a branch that nobody opened still has a lane; ancestors count by segment", () => {
  const [row] = rowsOf(event("A", "x", { branch: "P.A" }));
  assert.equal(laneOf(row).agent, "A");
  assert.ok(contains("P.A", "P.A.Q.B") && contains("", "P") && !contains("P.A", "P.AB"));
});

test("a run that breaks off closes its loops, and does not tell the same error twice", () => {
  const rows = rowsOf(entry("run_started"), entry("loop_iteration", { agent: "L", iteration: 1 }), event("A", null, { error_code: "X", error_message: "no" }), entry("run_finished", { status: "failed", error_code: "X" }), entry("run_started"));
  assert.deepEqual(rows.at(-1).scopes, []);
  assert.equal(rows.at(-2).told, true);
  assert.equal(rows.at(-1).number, 2);
});

test("unknown kinds become notes, known quiet ones nothing", () => {
  assert.deepEqual(shape(rowsOf(entry("route_decided", { agent: "R" }), entry("model_started"), entry("tool_finished"))), ["note"]);
});

test("narrowed to an agent, only boundaries with something under them stay", () => {
  const rows = filterRows(rowsOf(...loopRun(), entry("run_started"), event("user", "again"), event("Refiner", "no loop")), new Set(["Refiner"]));
  assert.deepEqual(shape(rows), ["run", "iteration", "event Refiner 3", "iteration", "event Refiner 5", "run", "event Refiner 7"]);
});

test("keys step onto events and ends, not onto separators", () => {
  assert.deepEqual(rowsOf(...loopRun()).filter(isStop).map((row) => row.type), ["event", "event", "event", "event", "event", "end"]);
});
