import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { outputOf } from "../../../../ui/session_view/js/playbook/outputs.js";
import { event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

const ANSWER = { reasoning: ["first", "then"], bullet_ids: ["a-1"], final_answer: "42" };
const by = (author, delta, text = JSON.stringify(Object.values(delta)[0])) => event(author, text, { delta }).body;

test("an answer is read by its final answer; its steps are a thought, and its bullets are cited", () => {
  assert.deepEqual(outputOf(by("Generator", { generator_output: ANSWER })), {
    text: "42",
    thought: "first\nthen",
    cited: ["a-1"],
  });
  assert.deepEqual(outputOf(by("Generator", { generator_output: { final_answer: 3 } }, "```json\n{}\n```")), {
    text: "3",
    thought: "",
    cited: [],
  });
});

test("a reflection is read by what was wrong and what to remember, a curator by why", () => {
  const reflection = {
    reasoning: "r",
    error_identification: "e",
    correct_approach: "c",
    key_insight: "k",
    root_cause_analysis: "w",
  };
  assert.deepEqual(outputOf(by("R", { reflector_output: reflection })), {
    text: "Wrong: e\nRight: c\nTo remember: k",
    thought: "r\nw",
    cited: [],
  });
  assert.equal(outputOf(by("R", { reflector_output: { error_identification: "None." } })).text, "Nothing was found wrong.");
  assert.equal(outputOf(by("C", { curator_output: { reasoning: "why", operations: [] } })).text, "why");
});

test("an event that speaks for itself is left as it is", () => {
  assert.equal(outputOf(by("StateInitializer", { generator_output: ANSWER }, "A person says no.")), null);
  assert.equal(outputOf(by("user", { generator_output: ANSWER })), null);
  assert.equal(outputOf(by("A", { generator_output: null }, "x")), null);
  assert.equal(outputOf(event("A", "x").body), null);
});
