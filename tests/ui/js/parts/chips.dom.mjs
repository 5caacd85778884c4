import { drawChip, drawCited } from "../../../../ui/session_view/js/parts/chips.js";
import { equal, show, test, textOf } from "../stage.mjs";

const chip = (part, about = {}) => {
  const [element] = drawChip(part, about);
  show(element);
  return [textOf(element), element.className.replace("chip ", "")];
};
const call = (name, args) => ({ function_call: { id: "1", name, args } });
const answer = (name, response) => ({ function_response: { id: "1", name, response } });

test("a call with its arguments; one that may be answered later says so", () => {
  equal(chip(call("mix", { n: 7, colour: "red" })), ['mix(n: 7, colour: "red")', "call"]);
  equal(drawChip(call("mix", {}), { later: ["1"] })[0].title, "A call that may be answered later");
  equal(drawChip({ text: "hello" }, {}), []);
});

test("an answer, a failure, and an answer of nothing", () => {
  equal(chip(answer("mix", { result: "green" })), ["mixgreen", "answer"]);
  equal(chip(answer("mix", { error: "no paint" })), ['mix"no paint"', "answer failed"]);
  equal(chip(answer("mix", { result: null })), ["mixreturned nothing", "answer"]);
});

test("a call that asks names what for: approval, or a review", () => {
  const asked = { originalFunctionCall: { name: "pay", args: { n: 1 } } };
  const question = { interruptId: "i1", message: "Which title?", payload: null, response_schema: null };
  equal(chip(call("adk_request_input", question)), ["asks youWhich title?", "asks"]);
  equal(chip(call("adk_request_confirmation", asked)), ["asks for approvalpay", "asks"]);
  equal(chip(call("review_delta", { playbook: "ace", operations: [{}, {}] })), [
    "asks for a review2 changes of ace",
    "asks",
  ]);
});

test("what a person decided: with a reason, with other arguments, and of a question that is not shown", () => {
  const held = (response) => ({
    calls: new Map([["1", {
      asksApproval: true,
      tool: "pay",
      args: { n: 1 },
      payload: null,
      state: "answered",
      answer: { by: "user", response },
    }]]),
  });
  const part = answer("adk_request_confirmation", {});
  equal(chip(part, held({ confirmed: true, args: { n: 2 } })), ["approvedpay, with other arguments", "answer approved"]);
  equal(chip(part, held({ confirmed: false, reason: "too much" })), ["rejectedpay, too much", "answer rejected"]);
  equal(chip(part), ["answereda question that is not shown here", "answer"]);
});

test("what a review came to", () => {
  const held = {
    asksApproval: false,
    tool: "review_delta",
    args: { operations: [{ type: "ADD", content: "x" }] },
    answer: { by: "user", response: { decisions: [{ verdict: "approve" }] } },
  };
  equal(chip(answer("review_delta", {}), { calls: new Map([["1", held]]) }), ["reviewed1 approved", "answer approved"]);
});

test("the bullets that an answer rests on: eight, and how many more", () => {
  equal(drawCited(["a", "b"]).map(textOf), ["a", "b"]);
  const many = drawCited(Array.from({ length: 11 }, (_, i) => `b-${i}`));
  equal([many.length, textOf(many.at(-1))], [9, "and 3 more"]);
});
