import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answerOf,
  bulletsIn,
  countWords,
  decided,
  decidedWords,
  firstDecisions,
  heldBackWords,
  isReview,
  LONGEST_CONTENT,
  problemOf,
} from "../../../../ui/session_view/js/playbook/review.js";

const OPERATIONS = [
  { type: "ADD", section: "S", content: "new" },
  { type: "UPDATE", bullet_id: "a-1", content: "other" },
  { type: "REMOVE", bullet_id: "a-2", reason: "wrong" },
  { type: "MERGE", bullet_ids: ["a-1", "a-3"], content: "both" },
  { type: "TAG", bullet_id: "a-4", tag: "helpful" },
];
const call = (more = {}) => ({
  id: "c",
  tool: "review_delta",
  asksApproval: false,
  args: { playbook: "ace", reasoning: "", operations: OPERATIONS },
  state: "waiting",
  answer: null,
  ...more,
});

test("a review is told from any other call", () => {
  assert.equal(isReview(call()), true);
  assert.equal(isReview(call({ asksApproval: true })), false);
  assert.equal(isReview(call({ tool: "pay" })), false);
  assert.equal(isReview(call({ args: {} })), false);
});

test("a right answer that contradicts a bullet is named with both, and what is no such thing is left out", () => {
  const conflicts = [{ bullet_id: "a-1", says: "30 days", truth: "60 days" }, null, "x"];
  assert.deepEqual(heldBackWords({ conflicts, broken: [] }), [
    "The right answer “60 days” contradicts a-1, which says: “30 days”. Answers go on with it until you decide.",
  ]);
  assert.deepEqual(heldBackWords({ conflicts: "none" }), []);
});

test("untouched, everything is approved as it was handed in", () => {
  const decisions = firstDecisions(call());
  assert.deepEqual(decisions.map(({ editable }) => editable), [true, true, false, true, false]);
  assert.deepEqual(answerOf(decisions), { decisions: OPERATIONS.map(() => ({ verdict: "approve" })) });
  assert.deepEqual(bulletsIn(call()), ["a-1", "a-2", "a-3", "a-4"]);
});

test("an edited text goes along as the whole operation; spaces around it are no edit", () => {
  const decisions = firstDecisions(call());
  decisions[0].text = " better ";
  decisions[1].text = "other\n";
  assert.deepEqual(answerOf(decisions).decisions.slice(0, 2), [{
    verdict: "approve",
    operation: { type: "ADD", section: "S", content: "better" },
  }, { verdict: "approve" }]);
});

test("a rejection has its reason, if one was typed, and no edit", () => {
  const decisions = firstDecisions(call());
  Object.assign(decisions[0], { approved: false, reason: " no ", text: "changed" });
  decisions[1].approved = false;
  assert.deepEqual(answerOf(decisions).decisions.slice(0, 2), [{ verdict: "reject", reason: "no" }, { verdict: "reject" }]);
});

test("a text that no bullet can have is a problem, unless it is rejected", () => {
  const [one] = firstDecisions(call());
  const told = (text, approved = true) => problemOf({ ...one, text, approved });
  assert.equal(told("fine"), "");
  assert.match(told(" "), /must say something/);
  assert.match(told("x".repeat(LONGEST_CONTENT + 1)), /at most/);
  assert.equal(told("", false), "");
  assert.equal(problemOf(firstDecisions(call())[2]), "", "a removal has no text");
});

test("what was decided is read from the answer, and what was not decided on is rejected", () => {
  const decisions = [
    { verdict: "approve", operation: { ...OPERATIONS[0], content: "better" } },
    { verdict: "approve", operation: OPERATIONS[1] },
    { verdict: "reject", reason: "keep it" },
    { verdict: "maybe" },
  ];
  const answered = call({ state: "answered", answer: { response: { decisions } } });
  assert.deepEqual(decided(answered).map(({ approved, edited, reason }) => [approved, edited, reason]), [
    [true, "better", ""],
    [true, null, ""],
    [false, null, "keep it"],
    [false, null, ""],
    [false, null, "not decided on"],
  ]);
  assert.equal(decidedWords(answered), "2 approved, 3 rejected, 1 edited");
});

test("an answer of another form decides nothing", () => {
  for (const response of [{}, { decisions: "all" }, { result: "yes" }]) {
    assert.equal(decidedWords(call({ answer: { response } })), "5 rejected");
  }
  assert.equal(countWords(0, 0), "nothing to decide");
});
