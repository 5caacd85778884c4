import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { emptyBook } from "../../../../ui/session_view/js/rows/book.js";
import { extendRows, isStop, rowsOfTail } from "../../../../ui/session_view/js/rows/rows.js";
import { laneOf, railOf, twinBlockOf } from "../../../../ui/session_view/js/rows/scopes.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

function rowsOf(...entries) {
  const book = emptyBook();
  extendRows(book, entries);
  return book.rows;
}

const shape = (rows) =>
  rows.map((row) => `${row.type}${row.type === "event" ? ` ${row.entry.body.author} ${row.ordinal}` : ""}`);

function loopRun() {
  return [
    entry("session_created", { state: {} }),
    entry("run_started"),
    event("user", "tea"),
    entry("agent_started", { agent: "Loop" }),
    entry("loop_iteration", { agent: "Loop", iteration: 1, max_iterations: 5 }),
    event("Critic", "more"),
    event("Refiner", "done"),
    entry("loop_iteration", { agent: "Loop", iteration: 2, max_iterations: 5 }),
    event("Critic", "good"),
    event("Refiner", null, {
      escalate: true,
      parts: [{ function_response: { id: "1", name: "exit_loop", response: { result: null } } }],
    }),
    entry("loop_finished", { agent: "Loop", reason: "escalated", by: "Refiner", iterations: 2 }),
    entry("agent_finished", { agent: "Loop" }),
    entry("run_finished", { status: "completed" }),
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
  assert.deepEqual(shape(rows), [
    "run",
    "event user 1",
    "iteration",
    "event Critic 2",
    "event Refiner 3",
    "iteration",
    "event Critic 4",
    "event Refiner 5",
    "loop_end",
    "end",
  ]);
  assert.deepEqual(rows.map((row) => row.scopes.length), [0, 0, 1, 1, 1, 1, 1, 1, 1, 0]);
  assert.deepEqual(rows[8].escalation, { author: "Refiner", tool: "exit_loop" });
});

test("the same rows whether the log comes at once or entry by entry", () => {
  const entries = loopRun();
  const book = emptyBook();
  for (const one of entries) extendRows(book, [one]);
  assert.deepEqual(book.rows, rowsOf(...entries));
});

test("nested loops stand inside each other", () => {
  const rows = rowsOf(
    entry("loop_iteration", { agent: "Outer", iteration: 1 }),
    entry("loop_iteration", { agent: "Inner", iteration: 1 }),
    event("A", "x"),
    entry("loop_finished", { agent: "Inner", reason: "max_iterations", iterations: 1 }),
    event("B", "y"),
    entry("loop_iteration", { agent: "Outer", iteration: 2 }),
  );
  assert.deepEqual(rows.map((row) => row.scopes.map((s) => s.agent).join(">")), [
    "Outer",
    "Outer>Inner",
    "Outer>Inner",
    "Outer>Inner",
    "Outer",
    "Outer",
  ]);
});

test("branches are lanes, each row inside its own, and a lane that ended keeps its place", () => {
  const rows = rowsOf(
    entry("agent_started", { agent: "A", branch: "Par.A" }),
    entry("agent_started", { agent: "B", branch: "Par.B" }),
    event("A", "x", { branch: "Par.A" }),
    event("B", "y", { branch: "Par.B" }),
    entry("agent_finished", { agent: "A", branch: "Par.A" }),
    event("B", "z", { branch: "Par.B" }),
    entry("agent_finished", { agent: "B", branch: "Par.B" }),
    event("C", "joined"),
  );
  assert.deepEqual(rows.map((row) => railOf(row).map((s) => `${s.kind} ${s.agent} ${s.inside}`)), [
    ["lane A true", "lane B false"],
    ["lane A false", "lane B true"],
    ["gap A false", "lane B true"],
    [],
  ]);
  assert.equal(laneOf(rows[1]).agent, "B");
  assert.equal(laneOf(rows[3]), null);
});

test("an event in a branch that nobody opened still has a lane", () => {
  const [row] = rowsOf(event("A", "x", { branch: "P.A" }));
  assert.equal(laneOf(row).agent, "A");
});

test("a run that breaks off closes its loops, and does not tell the same error twice", () => {
  const rows = rowsOf(
    entry("run_started"),
    entry("loop_iteration", { agent: "L", iteration: 1 }),
    event("A", null, { error_code: "X", error_message: "no" }),
    entry("run_finished", { status: "failed", error_code: "X" }),
    entry("run_started"),
  );
  assert.deepEqual(rows.at(-1).scopes, []);
  assert.equal(rows.at(-2).told, true);
  assert.equal(rows.at(-1).number, 2);
});

test("decisions have rows of their own, unknown kinds become notes, known quiet ones nothing", () => {
  const rows = rowsOf(
    entry("route_decided", { agent: "R" }),
    entry("transfer", { agent: "A", to: "B" }),
    entry("fault_injected", { agent: "A" }),
    entry("of_tomorrow"),
    entry("model_started"),
    entry("tool_finished"),
    entry("loop_escalated"),
  );
  assert.deepEqual(shape(rows), ["route", "transfer", "fault", "note"]);
  assert.ok(rows.every(isStop));
});

test("keys step onto events and ends, not onto separators", () => {
  assert.deepEqual(rowsOf(...loopRun()).filter(isStop).map((row) => row.type), [
    "event",
    "event",
    "event",
    "event",
    "event",
    "end",
  ]);
});

// ---- agents at work as tools

const B1 = "helper:aaa111";
const B2 = "helper:bbb222";

function twoCalls() {
  return [
    entry("tool_started", { agent: "W", tool: "helper", call_id: "1" }),
    event("user", "first?", { branch: B1 }),
    entry("agent_started", { agent: "helper", branch: B1 }),
    event("user", "second?", { branch: B2 }),
    entry("agent_started", { agent: "helper", branch: B2 }),
    event("helper", "one", { branch: B1 }),
    entry("agent_finished", { agent: "helper", branch: B1, outcome: "ok" }),
    event("helper", "two", { branch: B2 }),
    entry("agent_finished", { agent: "helper", branch: B2, outcome: "error" }),
    event("W", "done"),
  ];
}

test("an agent at work as a tool is a block: a first row, and its events inside, numbered like others", () => {
  const rows = rowsOf(...twoCalls());
  assert.deepEqual(shape(rows), [
    "block",
    "event user 1",
    "block",
    "event user 2",
    "event helper 3",
    "event helper 4",
    "event W 5",
  ]);
  assert.deepEqual([rows[0].live.agent, rows[0].caller, rows[0].live.nth, rows[2].live.nth], ["helper", "W", 1, 2]);
  assert.deepEqual([rows[0].live.events, rows[0].live.open, rows[0].live.failed, rows[2].live.failed], [
    2,
    false,
    false,
    true,
  ]);
  assert.deepEqual([rows[1].to, rows[4].to], ["helper", null]);
  assert.ok(rows.every((row, i) => i === 0 || row.key > rows[i - 1].key), "keys grow down the list");
});

test("two blocks of one agent side by side are told apart; one that ended keeps its place", () => {
  const rows = rowsOf(...twoCalls());
  assert.equal(twinBlockOf(rows[1]), null);
  assert.deepEqual([rows[3], rows[4]].map((row) => twinBlockOf(row).nth), [2, 1]);
  assert.deepEqual(railOf(rows[5]).map((s) => `${s.kind} ${s.inside}`), ["gap false", "tool true"]);
  assert.deepEqual(railOf(rows[6]), []);
  assert.ok(rows.slice(1, 6).every((row) => laneOf(row) === null));
});

test("a block in a lane does not push the other lanes aside", () => {
  const inner = "Par.A.helper:aaa111";
  const rows = rowsOf(
    entry("agent_started", { agent: "A", branch: "Par.A" }),
    entry("agent_started", { agent: "B", branch: "Par.B" }),
    event("user", "?", { branch: inner }),
    event("B", "y", { branch: "Par.B" }),
    event("helper", "x", { branch: inner }),
  );
  assert.deepEqual(rows.map((row) => railOf(row).map((s) => `${s.kind}${s.inside ? "*" : ""}`).join(" ")), [
    "lane* lane",
    "lane* lane tool*",
    "lane lane*",
    "lane* lane tool*",
  ]);
});

test("parallel branches of an agent at work as a tool are lanes inside its block", () => {
  const rows = rowsOf(event("user", "?", { branch: B1 }), event("X", "x", { branch: `${B1}.Par.X` }));
  assert.equal(laneOf(rows[2]).agent, "X");
  assert.deepEqual(railOf(rows[2]).map((s) => s.kind), ["tool", "lane"]);
});

test("a run that breaks off ends the blocks in it", () => {
  const rows = rowsOf(event("user", "?", { branch: B1 }), entry("run_finished", { status: "stopped" }));
  assert.equal(rows[0].live.open, false);
});

// ---- steps, settings

test("an event knows which THINK of its turn it came from", () => {
  const rows = rowsOf(
    entry("model_started", { agent: "A", turn: 1 }),
    event("A", null, { stop_reason: "tool_use", parts: [{ function_call: { id: "1", name: "t" } }] }),
    event("A", null, { parts: [{ function_response: { id: "1", name: "t" } }] }),
    entry("model_started", { agent: "A", turn: 2 }),
    event("A", "x", { stop_reason: "end_turn" }),
  );
  assert.deepEqual(rows.map(({ step }) => `${step.word} ${step.turn} ${step.reason}`), [
    "THINK 1 tool_use",
    "OBSERVE null null",
    "THINK 2 end_turn",
  ]);
});

test("what a person changes without a word is a setting, with its value before", () => {
  const change = (delta) => event("user", null, { delta, content: undefined, parts: undefined });
  const rows = rowsOf(
    entry("session_created", { state: { planning: false } }),
    change({ planning: true }),
    change({ planning: false, tone: "dry" }),
    event("user", "hi", { delta: { topic: "hi" } }),
  );
  assert.deepEqual(rows.map((row) => row.settings), [
    [{ key: "planning", before: false, after: true }],
    [{ key: "planning", before: true, after: false }, { key: "tone", before: undefined, after: "dry" }],
    null,
  ]);
});

// ---- pauses

const ask = (id, name = "pay") =>
  event("A", null, {
    parts: [{
      function_call: {
        id,
        name: "adk_request_confirmation",
        args: { originalFunctionCall: { id: `${id}0`, name, args: { n: 1 } }, toolConfirmation: { hint: "ok?" } },
      },
    }],
    long_running_tool_ids: [id],
  });
const answer = (id) =>
  event("user", null, {
    parts: [{ function_response: { id, name: "adk_request_confirmation", response: { confirmed: true } } }],
  });

test("a pause shows a card for each call that waits, once, and what became of it", () => {
  const book = emptyBook();
  const add = (...entries) => extendRows(book, entries);
  add(
    entry("run_started"),
    entry("loop_iteration", { agent: "L", iteration: 1 }),
    ask("a"),
    ask("b"),
    entry("agent_finished", { agent: "A", outcome: "paused" }),
    entry("run_finished", { status: "paused", timestamp: 2000 }),
  );
  assert.deepEqual(shape(book.rows), ["run", "iteration", "event A 1", "event A 2", "card", "card", "end"]);
  const end = book.rows.at(-1);
  const version = end.live.version;
  assert.equal(end.live.waiting, 2);
  add(entry("run_started", { resumed: true, timestamp: 2600 }), answer("b"), entry("run_finished", { status: "paused" }));
  assert.deepEqual(shape(book.rows).slice(7), ["event user 3", "end"]);
  assert.deepEqual([end.live.waited, end.live.version > version, book.rows.at(-1).live.waiting], [600, true, 1]);
  assert.deepEqual(book.rows.slice(4, 6).map((row) => row.live.state), ["waiting", "answered"]);
  add(entry("run_started", { invocation_id: "other" }), event("user", "never mind", { invocation_id: "other" }));
  assert.deepEqual(book.rows.slice(4, 6).map((row) => row.live.state), ["over", "answered"]);
  assert.equal(book.rows.find((row) => row.type === "end" && row.live.waiting === 1).live.over, true);
});

test("a run that goes on is the same run, in the same loop and lanes; a pass named again has no second row", () => {
  const rows = rowsOf(
    entry("run_started"),
    entry("loop_iteration", { agent: "L", iteration: 2 }),
    entry("agent_started", { agent: "A", branch: "P.A" }),
    ask("a"),
    entry("agent_finished", { agent: "A", branch: "P.A", outcome: "paused" }),
    entry("run_finished", { status: "paused" }),
    entry("run_started", { resumed: true }),
    answer("a"),
    entry("agent_started", { agent: "A", branch: "P.A", resumed: true }),
    entry("loop_iteration", { agent: "L", iteration: 2 }),
    event("A", "x", { branch: "P.A" }),
    entry("agent_finished", { agent: "A", branch: "P.A", outcome: "ok" }),
    entry("loop_iteration", { agent: "L", iteration: 3 }),
  );
  assert.deepEqual(shape(rows), ["run", "iteration", "event A 1", "card", "end", "event user 2", "event A 3", "iteration"]);
  assert.deepEqual(rows.map((row) => row.scopes.map((s) => s.kind).join(" ")), [
    "",
    "loop",
    "loop lane",
    "",
    "",
    "loop lane",
    "loop lane",
    "loop",
  ]);
});

test("the end of a long log alone goes on without a second run, too", () => {
  const { rows } = rowsOfTail([entry("run_started", { resumed: true }), answer("a"), event("A", "x")], 9);
  assert.deepEqual(shape(rows), ["event user 8", "event A 9"]);
});

// ---- answers to judge

test("below an answer is a row to judge it in, which shows the verdict once somebody gave one", () => {
  const book = emptyBook();
  const add = (...entries) => extendRows(book, entries);
  add(
    entry("run_started"),
    entry("playbook_given", { agent: "Init", playbook: "ace", revision: 1, bullets: 2 }),
    event("Generator", "{}", { delta: { generator_output: { final_answer: "1" } } }),
    event("R", "x"),
  );
  assert.deepEqual(book.rows.map((row) => row.type), ["run", "given", "event", "thumbs", "event"]);
  const row = book.rows[3];
  assert.ok(
    row.key > book.rows[2].key && row.key < book.rows[4].key - 0.5,
    "between the answer and any card before the next entry",
  );
  assert.deepEqual([isStop(book.rows[1]), isStop(row)], [true, false]);
  add(event("user", "👎", { delta: { verdict: { right: false, answer: "2", event: row.live.seq } } }));
  assert.deepEqual([row.live.verdict.answer, row.live.version], ["2", 1]);
});

// ---- models

test("a fork has a row, and so has a result of its origin; a callback's record has none", () => {
  const rows = rowsOf(
    entry("forked", { origin: "s1" }),
    entry("agent_callback", { agent: "A", callback: "before" }),
    entry("tool_recorded", { agent: "A", tool: "send", call_id: "c1" }),
  );
  assert.deepEqual(shape(rows), ["forked", "recorded"]);
  assert.ok(rows.every(isStop));
});

test("tries, drift and protocols have rows; of ends of model calls only one that was stopped has", () => {
  const rows = rowsOf(
    entry("model_retry", { agent: "A" }),
    entry("replay_drifted", { agent: "A" }),
    entry("tool_protocol", { agent: "A" }),
    entry("model_finished", { agent: "A", error: "cancelled" }),
    entry("model_finished", { agent: "A", error: "ProviderError: no" }),
    entry("model_finished", { agent: "A" }),
  );
  assert.deepEqual(shape(rows), ["retry", "drift", "protocol", "cut"]);
  assert.ok(rows.every(isStop));
});

test("a model that is loaded is one row, from its beginning to its end", () => {
  const loading = (progress, model = "local/m") => entry("model_loading", { agent: "A", model, progress });
  const loaded = (seconds) => entry("model_loaded", { agent: "A", model: "local/m", seconds, bytes: 5 });
  const book = emptyBook();
  const add = (...entries) => extendRows(book, entries);
  add(entry("run_started"), loading(0.1));
  const row = book.rows[1];
  const { version } = row.live;
  assert.deepEqual([row.type, row.live.seconds, row.live.progress], ["loading", null, 0.1]);
  add(loading(0.6));
  assert.deepEqual([book.rows.length, row.live.progress, row.live.version > version], [2, 0.6, true]);
  add(loaded(1.5), loaded(1.5));
  assert.deepEqual([book.rows.length, row.live.seconds, row.live.bytes], [2, 1.5, 5], "two calls waited for it");
  add(loading(0.1), loaded(2));
  assert.deepEqual([book.rows.length, book.rows[2].live.seconds, row.live.seconds], [3, 2, 1.5], "loaded again, later");
  add(loading(0.3, "local/n"), entry("run_finished", { status: "failed" }));
  assert.deepEqual(
    book.rows.slice(1, 4).map(({ live }) => live.over),
    [false, false, true],
    "one that was not loaded when the run ended",
  );
});

test("the end of a loading alone, as in the tail of a log, is a row", () => {
  const [row] = rowsOf(entry("model_loaded", { agent: "A", model: "local/m", seconds: 2 }));
  assert.deepEqual([row.type, row.live.seconds], ["loading", 2]);
});

test("a simulated event is told apart as soon as its run has other answers too", () => {
  const simulated = () => event("A", "x", { stop_reason: "end_turn", custom_metadata: { simulated: true } });
  const mixed = (rows) => rows.filter((row) => row.type === "event").map((row) => row.live?.mixed ?? null);
  assert.deepEqual(mixed(rowsOf(entry("run_started", { model: "simulated", simulated: true }), simulated(), simulated())), [
    false,
    false,
  ]);
  assert.deepEqual(mixed(rowsOf(entry("run_started", { model: "gemini-2.5-flash" }), simulated())), [true]);
  assert.deepEqual(
    mixed(
      rowsOf(entry("run_started", { model: "simulated", simulated: true, agent_models: { B: "llama/q" } }), simulated()),
    ),
    [true],
  );
  const book = emptyBook();
  extendRows(book, [entry("run_started", { model: "simulated", simulated: true }), simulated()]);
  const { version } = book.rows[1].live;
  extendRows(book, [event("B", "a model's own", { stop_reason: "end_turn" })]);
  assert.deepEqual(mixed(book.rows), [true, null]);
  assert.ok(book.rows[1].live.version > version, "it is drawn again");
  extendRows(book, [entry("run_started", { model: "simulated", simulated: true }), simulated()]);
  assert.deepEqual(mixed(book.rows), [true, null, false], "the next run is another matter");
});

test("the lanes of a graph's branches end with their nodes, and hold graphs of their own", () => {
  const book = emptyBook();
  const agent = (kind, name, branch, node, more = {}) => entry(kind, { agent: name, branch, node, ...more });
  const ends = { outcome: "ok" };
  const lanes = (...entries) => {
    extendRows(book, entries);
    return book.scopes.map(({ kind, branch }) => `${kind} ${branch}`);
  };
  assert.deepEqual(
    lanes(agent("agent_started", "a", "a@1", "g@1/a@1"), agent("agent_started", "inner", "inner@1", "g@1/inner@1")),
    ["lane a@1", "lane inner@1"],
  );
  const below = ["x", "inner@1", "g@1/inner@1/x@1"];
  assert.deepEqual(
    lanes(agent("agent_started", ...below), agent("agent_finished", ...below, ends)),
    ["lane a@1", "lane inner@1"],
    "the graph goes on",
  );
  assert.deepEqual(lanes(agent("agent_finished", "a", "a@1", "g@1/a@1", { outcome: "paused" })), [
    "lane a@1",
    "lane inner@1",
  ]);
  assert.deepEqual(lanes(agent("agent_finished", "inner", "inner@1", "g@1/inner@1", ends)), ["lane a@1", "gap inner@1"]);
  assert.deepEqual(
    lanes(
      agent("agent_started", "a", "a@1", "g@1/a@1"),
      agent("agent_finished", "a", "a@1", "g@1/a@1", ends),
    ),
    [],
  );
});
