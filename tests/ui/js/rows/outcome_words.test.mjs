import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { outcomeWords } from "../../../../ui/session_view/js/rows/outcome_words.js";
import { bookOf } from "../book.mjs";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

const end = (status = "completed") => entry("run_finished", { status });
const words = (authors, ...entries) => outcomeWords(bookOf(...entries).rows.findLast(({ type }) => type === "end"), authors);
const over = (reason, by) => entry("loop_finished", { agent: "Loop", iterations: 4, reason, by });

test("who gave the result, or that nobody did", () => {
  assert.equal(words(["A"], event("A", "x"), end()), "A gave the result.");
  assert.equal(words(["A", "B"], end()), "A and B gave the result.");
  assert.equal(words([], end()), "No agent gave a text.");
});

test("how a loop ended", () => {
  const exit = event("Refiner", null, {
    escalate: true,
    parts: [{ function_response: { name: "exit_loop", response: {} } }],
  });
  assert.equal(
    words([], exit, over("escalated", "Refiner"), end()),
    "Loop ended after 4 iterations: Refiner called exit_loop.",
  );
  assert.equal(words([], over("escalated", "Check"), end()), "Loop ended after 4 iterations: Check told it to end.");
  assert.equal(
    words([], over("max_iterations"), end()),
    "Loop stopped at its limit of 4 iterations, and no agent had ended it.",
  );
});

test("who was chosen, who took over, who worked beside each other", () => {
  const route = entry("route_decided", { level: "agent", router: "Router", key: "A", agent: "Router" });
  const model = entry("route_decided", { level: "model", router: "quick", key: "m", agent: "A" });
  assert.equal(words(["X"], route, model, end()), "Router chose A.");
  assert.equal(words(["X"], entry("transfer", { agent: "Desk", to: "Orders" }), end()), "Desk handed over to Orders.");
  const lanes = ["A", "B", "C", "D", "E"].map((name) => event(name, "x", { branch: `All.${name}` }));
  assert.equal(words([], ...lanes.slice(0, 2), end()), "A and B worked in parallel.");
  assert.equal(words([], ...lanes, end()), "5 agents worked in parallel.");
});

const ask = (id, tool) =>
  event("Pay", null, {
    long_running_tool_ids: [id],
    parts: [{
      function_call: { id, name: "adk_request_confirmation", args: { originalFunctionCall: { name: tool, args: {} } } },
    }],
  });
const answer = (id, confirmed) =>
  event("user", null, {
    parts: [{ function_response: { id, name: "adk_request_confirmation", response: { confirmed } } }],
  });

test("what a pause waits for, and what was decided once it went on", () => {
  assert.equal(words([], ask("1", "pay"), end("paused")), "pay waits for your approval.");
  const choice = event("A", null, {
    long_running_tool_ids: ["2"],
    parts: [{ function_call: { id: "2", name: "get_user_choice", args: {} } }],
  });
  assert.equal(words([], choice, end("paused")), "get_user_choice waits for your answer.");
  const went = [end("paused"), entry("run_started", { resumed: true })];
  assert.equal(words(["Pay"], ask("3", "pay"), ...went, answer("3", true), end()), "pay was approved.");
  assert.equal(words(["Pay"], ask("4", "pay"), ...went, answer("4", false), end()), "pay was rejected.");
});

test("a review of the playbook waits, and was made", () => {
  const review = event("Curator", null, {
    long_running_tool_ids: ["r"],
    parts: [{ function_call: { id: "r", name: "review_delta", args: { operations: [] } } }],
  });
  assert.equal(words([], review, end("paused")), "The changes of the playbook wait for your review.");
});

test("what was learned", () => {
  const commit = (revision, ...applied) =>
    event("ApplyDelta", "done", { delta: { "app:playbook": { playbook: "ace", revision, applied, rejected: [] } } });
  const said = event("Generator", "{}", { delta: { generator_output: { final_answer: "2", bullet_ids: [] } } });
  const [tag, add] = [{ type: "TAG", bullet_id: "a" }, { type: "ADD", bullet_id: "b" }];
  assert.equal(
    words(["Generator"], said, commit(1, tag), commit(2, add), end()),
    "Generator answered; the playbook ace is now at revision 2: 1 bullet added, 1 bullet tagged.",
  );
  assert.equal(words(["Generator"], said, end()), "Generator answered; no bullet was learned.");
  assert.equal(words([], commit(3, add), end()), "The playbook ace is now at revision 3: 1 bullet added.");
});

test("a run that did not complete says who failed, and otherwise only how far it came", () => {
  assert.equal(words([], event("A", null, { error_code: "X" }), end("failed")), "A failed.");
  assert.equal(words(["A"], event("A", "x"), end("stopped")), "");
});
