import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { AGENT } from "../../../../ui/session_view/js/filters/agent.js";
import { emptyShown, extendShown } from "../../../../ui/session_view/js/filters/shown_rows.js";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";
import { bookOf } from "../book.mjs";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

const leaf = (name) => ({ name, type: "LlmAgent", kind: "LlmAgent", children: [] });
const INDEX = indexTree({ name: "L", type: "LoopAgent", kind: "LoopAgent", children: [leaf("Critic"), leaf("Refiner")] });

/** The rows of an agent. */
function only({ rows }, agent) {
  const shown = extendShown(emptyShown(AGENT.matcher(agent, INDEX), []), rows);
  return shown.map((row) => `${row.type}${row.type === "event" ? ` ${row.entry.body.author} ${row.ordinal}` : ""}`);
}

test("an agent's rows are its own and those of the agents below it", () => {
  const book = bookOf(
    entry("run_started"),
    event("user", "tea"),
    event("Critic", "more"),
    event("Refiner", "done"),
    event("Other", "x"),
  );
  assert.deepEqual(only(book, "Refiner"), ["run", "event Refiner 3"]);
  assert.deepEqual(only(book, "L"), ["run", "event Critic 2", "event Refiner 3"]);
  assert.deepEqual(only(book, "<b>"), []);
});

test("the request to an agent is the agent's, and a block's first row comes with what is in it", () => {
  const book = bookOf(
    entry("run_started"),
    entry("tool_started", { agent: "Refiner", tool: "helper" }),
    event("user", "first?", { branch: "helper:aaa111" }),
    event("user", "second?", { branch: "helper:bbb222" }),
    event("inner", "b", { branch: "helper:bbb222" }),
    event("helper", "a", { branch: "helper:aaa111" }),
  );
  assert.deepEqual(only(book, "helper"), ["run", "block", "event user 1", "block", "event user 2", "event helper 4"]);
  assert.deepEqual(only(book, "inner"), ["run", "block", "event inner 3"]);
});

test("a transfer belongs to both sides, what is told of an agent to that agent", () => {
  const book = bookOf(
    entry("run_started"),
    entry("route_decided", { agent: "R" }),
    entry("transfer", { agent: "A", to: "B" }),
    entry("playbook_given", { agent: "Init", playbook: "ace", revision: 1, bullets: 2 }),
    event("Generator", "{}", { delta: { generator_output: { final_answer: "1" } } }),
  );
  assert.deepEqual(only(book, "A"), ["run", "transfer"]);
  assert.deepEqual(only(book, "B"), ["run", "transfer"]);
  assert.deepEqual(only(book, "R"), ["run", "route"]);
  assert.deepEqual(only(book, "Init"), ["run", "given"]);
  assert.deepEqual(only(book, "Generator"), ["run", "event Generator 1", "thumbs"]);
});

test("text that is being written belongs to who writes it", () => {
  const matches = AGENT.matcher("Critic", INDEX);
  assert.deepEqual(["Critic", "Refiner"].map((author) => matches({ type: "partial", partial: { author } })), [true, false]);
});
