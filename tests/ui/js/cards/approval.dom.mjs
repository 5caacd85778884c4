import { drawApproval } from "../../../../ui/session_view/js/cards/approval.js";
import { parseJson, writeJson } from "../../../../ui/browser/js/json.js";
import { all, equal, press, show, test, textOf, type } from "../stage.mjs";
import { call, form } from "./desk.mjs";

const PAY = call({ asksApproval: true, tool: "pay", args: { amount: 12, to: "Ana" } });
const drawn = (made, asked = PAY) => show(drawApproval(asked, made));
const push = (view, name) => view.querySelector(`[data-do=${name}]`).click();

test("a call is approved with a click, as it is", () => {
  const made = form();
  const view = drawn(made);
  equal([all(view, "dd").map(textOf), all(view, "button").map(textOf)], [["12", "Ana"], [
    "Approve",
    "Reject",
    "Edit arguments",
  ]]);
  push(view, "approve");
  equal(made.given, [{ confirmed: true }]);
});

test("a call without arguments has none to edit", () => {
  equal(all(drawn(form(), call({ asksApproval: true })), "button").map(textOf), ["Approve", "Reject"]);
});

test("a rejection may say why", () => {
  const made = form();
  push(drawn(made), "reject");
  equal([made.draft.form, made.shown], ["reject", ["input"]]);
  const view = drawn(made);
  push(view, "reject");
  type(view.querySelector("input"), " too much ");
  press(view.querySelector("input"), "Enter");
  equal(made.given, [{ confirmed: false }, { confirmed: false, reason: "too much" }]);
  push(view, "back");
  equal([made.draft.form, made.draft.reason], ["choose", " too much "]);
});

test("arguments can be changed; only then they are sent along", () => {
  const made = form({ draft: { form: "edit" } });
  const view = drawn(made);
  push(view, "approve");
  type(all(view, "input")[0], "7.5");
  press(all(view, "input")[0], "Enter");
  equal(made.given, [{ confirmed: true }, { confirmed: true, args: { amount: 7.5 } }]);
});

test("an account of 19 digits is shown and kept whole while another field is edited", () => {
  const made = form({ draft: { form: "edit" } });
  const args = parseJson('{"account":1234567890123456789,"amount":5.0}');
  const view = drawn(made, call({ asksApproval: true, tool: "pay", args }));
  equal(all(view, "input").map(({ value }) => value), ["1234567890123456789", "5.0"]);
  type(all(view, "input")[1], "6.0");
  push(view, "approve");
  equal(made.given.map((given) => writeJson(given)), ['{"confirmed":true,"args":{"amount":6.0}}']);
  equal(all(drawn(form(), call({ asksApproval: true, args })), "dd").map(textOf), ["1234567890123456789", "5.0"]);
  const nested = drawn(form(), call({ asksApproval: true, args: { to: args } }));
  equal(all(nested, "dd").map(textOf), ['{"account":1234567890123456789,"amount":5.0}']);
});

test("what cannot be read is marked, and nothing is sent", () => {
  const made = form({ draft: { form: "edit" } });
  const view = drawn(made);
  type(all(view, "input")[0], "much");
  push(view, "approve");
  equal([made.given, made.shown, Object.keys(made.draft.errors)], [[], ["[aria-invalid=true]"], ["amount"]]);
  equal(textOf(drawn(made).querySelector(".problem")), "This has to be a number, e.g. 12 or 0.5.");
});

test("a payload can be changed like an argument, and goes back with the approval", () => {
  const made = form({ draft: { form: "edit" } });
  const view = drawn(made, call({ asksApproval: true, payload: { days: 3 } }));
  type(view.querySelector("textarea"), '{"days": 5}');
  push(view, "approve");
  equal(made.given, [{ confirmed: true, payload: { days: 5 } }]);
});
