import { drawDecided } from "../../../../ui/session_view/js/cards/decided.js";
import { all, equal, show, test, textOf } from "../stage.mjs";
import { answered, call } from "./desk.mjs";

const drawn = (made) => show(drawDecided(made, () => {}));

test("an approval, with what was changed and the payload", () => {
  const view = drawn(answered({ confirmed: true, args: { n: 2, to: "Ana" }, payload: { days: 3 } }, {
    asksApproval: true,
    args: { n: 1, to: "Ana" },
  }));
  equal(all(view, "dl").map(textOf), ["toAna", "n1 → 2", 'payload{ "days": 3 }']);
  equal(textOf(view.querySelector(".said")), "Approved by the person, with one argument changed");
});

test("a rejection with its reason; the reason is text", () => {
  const view = drawn(answered({ confirmed: false, reason: "<b>no</b>" }, { asksApproval: true }));
  equal([textOf(view.querySelector(".said")), all(view, "b").length], ["Rejected by the person: <b>no</b>", 0]);
});

test("an answer, without the wrapper of one value", () => {
  equal(textOf(drawn(answered({ result: "red" })).querySelector("dl")), "answerred");
  equal(textOf(drawn(answered({ a: 1, b: 2 })).querySelector("dl")), 'answer{ "a": 1, "b": 2 }');
});

test("a call that nobody waits for any more, and a review", () => {
  equal(textOf(drawn(call({ state: "over", args: { n: 1 } }))).startsWith("n1No longer waiting"), true);
  const args = { playbook: "ace", operations: [{ type: "ADD", content: "x" }] };
  const review = answered({ decisions: [{ verdict: "approve" }] }, { tool: "review_delta", args });
  equal(all(drawn(review), ".said").map(textOf), ["1 approved, by the person"]);
  equal(all(drawn(call({ state: "over", tool: "review_delta", args })), ".operation").length, 1);
});
