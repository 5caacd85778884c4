import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  emptyJudged,
  feedbackOf,
  foldJudged,
  isAnswer,
  outcomeOf,
  verdictIn,
  verdictWords,
} from "../../../../../ui/session_view/js/log/folds/verdicts.js";
import { event, startAt } from "../../log_entries.mjs";

beforeEach(() => startAt());

const answer = () => event("Generator", "{}", { delta: { generator_output: { final_answer: "1", bullet_ids: [] } } });
const thumb = (right, seq, more = {}) =>
  event("user", right ? "👍" : "👎", { delta: { verdict: { right, answer: null, event: seq, ...more } } });

function judgedOf(...entries) {
  const judged = emptyJudged();
  for (const entry of entries) foldJudged(judged, entry);
  return judged;
}

test("an answer is there to be judged until a verdict names it", () => {
  const [first, second] = [answer(), answer()];
  const judged = judgedOf(first, second, thumb(false, first.seq, { answer: "2" }));
  const [one, two] = judged.answers.values();
  assert.deepEqual(one.verdict, { right: false, answer: "2", outcome: "", seq: 3 });
  assert.deepEqual([one.version, two.verdict, two.version], [1, null, 0]);
});

test("the later verdict counts; one on an answer that is not there changes nothing", () => {
  const only = answer();
  const judged = judgedOf(only, thumb(true, only.seq), thumb(false, only.seq), thumb(true, 99));
  assert.deepEqual([judged.last.verdict.right, judged.last.version], [false, 2]);
});

test("a typed thumb is about the last answer, with what stands behind it", () => {
  assert.deepEqual(judgedOf(answer(), answer(), event("user", "👎🏽 it is 3")).last.verdict, {
    right: false,
    answer: "it is 3",
    outcome: "",
    seq: 3,
  });
  assert.equal(judgedOf(event("user", "👍")).last, null);
  assert.equal(judgedOf(answer(), event("user", "fine 👍")).last.verdict, null);
});

test("what came of running an answer is told too, in state or behind Outcome:", () => {
  const only = answer();
  const told = (delta, text = "Outcome: x") => event("user", text, { delta });
  assert.deepEqual(judgedOf(only, told({ verdict: { outcome: "exit code 1", event: only.seq } })).last.verdict, {
    right: null,
    answer: "",
    outcome: "exit code 1",
    seq: 2,
  });
  assert.equal(judgedOf(answer(), told({}, "Outcome: exit code 0 ")).last.verdict.outcome, "exit code 0");
  assert.equal(judgedOf(answer(), told({}, "Outcome:")).last.verdict, null);
  assert.deepEqual(outcomeOf(4, " exit code 0 "), { event: 4, outcome: "exit code 0" });
  assert.equal(outcomeOf(4, " "), null);
  assert.deepEqual(verdictWords({ right: null, answer: "", outcome: "exit code 1" }), {
    title: "What came of it",
    answer: "exit code 1",
  });
});

test("only a person judges", () => {
  const delta = { verdict: { right: true, event: 1 } };
  assert.equal(verdictIn(event("Agent", "👍", { delta }).body), null);
  assert.equal(verdictIn(event("user", "👍", { delta, branch: "P.helper:1a2b3c" }).body), null);
  assert.equal(verdictIn(event("user", "x", { delta: { verdict: "yes" } }).body), null);
  assert.equal(verdictIn(event("user", "x", { delta: { verdict: null } }).body), null);
});

test("what is told: the right answer only where the answer is wrong, and only if there is one", () => {
  assert.deepEqual(feedbackOf(4, true, "never mind"), { event: 4, right: true, answer: null });
  assert.deepEqual(feedbackOf(4, false, "  1.5 "), { event: 4, right: false, answer: "1.5" });
  assert.deepEqual(feedbackOf(4, false, " "), { event: 4, right: false, answer: null });
  assert.deepEqual(verdictWords({ right: true, answer: "x" }), { title: "You said: right", answer: "" });
  assert.deepEqual(verdictWords({ right: false, answer: "x" }), { title: "You said: wrong", answer: "x" });
});

test("an answer that is read again for a verdict is no new answer", () => {
  const by = (author, delta) => event(author, "", { delta }).body;
  const output = { final_answer: "1", bullet_ids: [] };
  assert.equal(isAnswer(by("Generator", { generator_output: output })), true);
  assert.equal(isAnswer(by("StateInitializer", { generator_output: output, feedback: "A person says no." })), false);
  for (const other of [null, "text", ["x"]]) assert.equal(isAnswer(by("G", { generator_output: other })), false);
  assert.equal(isAnswer(by("user", { generator_output: output })), false);
});
