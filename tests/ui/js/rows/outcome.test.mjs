import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { emptyOutcome, foldOutcome, resultsOf } from "../../../../ui/session_view/js/rows/outcome.js";
import { bookOf } from "../book.mjs";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

const NO_TREE = indexTree(null);
const end = (more) => entry("run_finished", { status: "completed", ...more });
const rowOf = (...entries) => bookOf(...entries).rows.findLast(({ type }) => type === "end");
const told = (row, index = NO_TREE) => resultsOf(row.outcome, index).map(({ author, key, text }) => [author, key, text]);
const saved = (author, key, text, more = {}) => event(author, text, { delta: { [key]: text }, ...more });
const asked = (agent, ...keys) => entry("model_started", { agent, filled: keys.map((key, i) => [i, i, key]) });
const pass = (iteration) => entry("loop_iteration", { agent: "Loop", iteration, max_iterations: 5 });
const over = (by, reason = "escalated") => entry("loop_finished", { agent: "Loop", iterations: 2, reason, by });
const exits = (author, text) => [
  event(author, null, { parts: [...(text ? [{ text }] : []), { function_call: { id: "c", name: "exit_loop" } }] }),
  event(author, null, { escalate: true, parts: [{ function_response: { id: "c", name: "exit_loop", response: {} } }] }),
];

test("a loop that its reviser ends gives the text that was revised, not the last words on it", () => {
  const row = rowOf(
    saved("Writer", "draft", "one"),
    pass(1),
    saved("Critic", "criticism", "too short"),
    asked("Refiner", "draft", "criticism"),
    saved("Refiner", "draft", "two"),
    pass(2),
    saved("Critic", "criticism", "nothing to say"),
    asked("Refiner", "draft", "criticism"),
    ...exits("Refiner"),
    over("Refiner"),
    end(),
  );
  assert.deepEqual(told(row), [["Refiner", "draft", "two"]]);
});

test("one that ends it in its first pass has saved nothing: the tree says what it was to revise", () => {
  const row = rowOf(
    saved("Writer", "draft", "one"),
    pass(1),
    saved("Critic", "criticism", "nothing to say"),
    asked("Refiner", "draft", "criticism"),
    ...exits("Refiner"),
    over("Refiner"),
    end(),
  );
  const tree = { name: "Refiner", type: "LlmAgent", output_key: "draft" };
  assert.deepEqual(told(row, indexTree(tree)), [["Writer", "draft", "one"]]);
  assert.deepEqual(told(row), [["Critic", "criticism", "nothing to say"]]);
});

test("a loop that its checker ends, with words or a call, gives what was checked", () => {
  const first = [saved("Painter", "plate", "six"), saved("Checker", "finding", "one too few")];
  for (const last of [exits("Checker", "right"), [saved("Checker", "finding", "right", { escalate: true })]]) {
    const row = rowOf(pass(1), ...first, pass(2), saved("Painter", "plate", "seven"), ...last, over("Checker"), end());
    assert.deepEqual(told(row), [["Painter", "plate", "seven"]]);
  }
});

test("words with which an agent ends its loop are no result", () => {
  const row = rowOf(
    pass(1),
    event("Writer", "a text"),
    event("Checker", "fine, done", { escalate: true }),
    over("Checker"),
    end(),
  );
  assert.deepEqual(told(row), [["Writer", null, "a text"]]);
});

test("what comes after a loop is the result, and at its limit the last text", () => {
  const loop = [pass(1), saved("Critic", "criticism", "fine"), saved("Refiner", "draft", "two")];
  assert.deepEqual(told(rowOf(...loop, over("", "max_iterations"), end())), [["Refiner", "draft", "two"]]);
  const ended = [...loop, pass(2), ...exits("Refiner"), over("Refiner"), event("Editor", "printed"), end()];
  assert.deepEqual(told(rowOf(...ended)), [["Editor", null, "printed"]]);
});

test("branches that nobody joins give a result each, joined ones one", () => {
  const branch = (author, text) => saved(author, `${author}_notes`, text, { branch: `All.${author}` });
  const apart = rowOf(event("First", "a plan"), branch("A", "1"), branch("B", "2"), branch("A", "3"), end());
  assert.deepEqual(told(apart), [["B", "B_notes", "2"], ["A", "A_notes", "3"]]);
  assert.deepEqual([...apart.outcome.lanes], ["A", "B"]);
  assert.deepEqual(told(rowOf(branch("A", "1"), branch("B", "2"), event("Joiner", "both"), end())), [[
    "Joiner",
    null,
    "both",
  ]]);
});

test("the answer of a run that learns is the generator's, whoever speaks later", () => {
  const answer = { generator_output: { final_answer: "1.5", reasoning: [], bullet_ids: [] } };
  const row = rowOf(event("Generator", "{}", { delta: answer }), event("ApplyDelta", "1 operation submitted."), end());
  assert.deepEqual(told(row), [["Generator", null, "1.5"]]);
});

test("a run that only learns has no result: what the roles say is about the playbook", () => {
  const commit = { "app:playbook": { playbook: "ace", revision: 2, by: "curator", applied: [] } };
  const row = rowOf(event("RoundCheck", "Nothing new."), event("ApplyDelta", "1 operation.", { delta: commit }), end());
  assert.deepEqual(told(row), []);
});

test("thoughts, errors, texts beside a call, and agents at work as tools are no results", () => {
  const call = { parts: [{ text: "One moment." }, { function_call: { id: "c", name: "look" } }] };
  const row = rowOf(
    event("A", "kept"),
    event("A", null, { parts: [{ text: "hm", thought: true }] }),
    event("B", null, call),
    event("Helper", "inner", { branch: "Helper:1a2b3c" }),
    event("C", "broken", { error_code: "X", error_message: "It broke." }),
    end({ status: "failed" }),
  );
  assert.deepEqual(told(row), [["A", null, "kept"]]);
  assert.equal(row.outcome.failed.author, "C");
});

test("a tool's response can be the answer; a loop's end is none", () => {
  const response = { function_response: { id: "c", name: "look", response: { result: 7 } } };
  const given = event("A", null, { parts: [response], actions: { skip_summarization: true } });
  assert.deepEqual(resultsOf(rowOf(given, end()).outcome, NO_TREE).map(({ response }) => response), [{ result: 7 }]);
  assert.deepEqual(told(rowOf(pass(1), ...exits("A"), over("A"), end())), []);
});

test("what was saved: the last value of a key, nothing that was set back, pictures and files apart", () => {
  const picture = "data:image/png;base64,AAAA";
  const row = rowOf(
    event("A", null, { delta: { rows: [1], gone: "x", plate: picture } }),
    event("A", null, { delta: { rows: [1, 2], gone: null, empty: [] } }),
    event("A", null, { actions: { artifact_delta: { "a.txt": 2 } } }),
    event("user", null, { delta: { mine: 1 } }),
    end(),
  );
  assert.deepEqual([...row.outcome.saved.values()].map(({ key, value }) => [key, value]).slice(-1), [["rows", [1, 2]]]);
  assert.deepEqual([[...row.outcome.saved.keys()], [...row.outcome.pictures.keys()]], [["rows"], ["plate"]]);
  assert.deepEqual(row.outcome.files, { "a.txt": 2 });
});

test("each run has an outcome of its own; one that goes on keeps it", () => {
  const book = bookOf(
    entry("run_started"),
    event("A", "first"),
    end(),
    entry("run_started"),
    event("B", "second"),
    end({ status: "paused" }),
    entry("run_started", { resumed: true }),
    event("C", "third"),
    end(),
  );
  const ends = book.rows.filter(({ type }) => type === "end");
  assert.deepEqual(ends.map((row) => told(row)[0][2]), ["first", "third", "third"]);
  assert.equal(ends[1].outcome, ends[2].outcome);
});

test("an entry without a run is taken in", () => {
  const outcome = emptyOutcome();
  foldOutcome({ outcome, ordinal: 0, escalation: null }, event("A", "alone"));
  assert.equal(resultsOf(outcome, NO_TREE)[0].ordinal, 1);
});
