import { parseJson } from "../../../../ui/browser/js/json.js";
import { createCard, SILENT, stampOf } from "../../../../ui/session_view/js/cards/card.js";
import { createDecisions } from "../../../../ui/session_view/js/cards/decisions.js";
import { emptyLog } from "../../../../ui/session_view/js/log/log.js";
import { all, equal, filled, ok, press, root, test, textOf, type } from "../stage.mjs";
import { answered, call, desk } from "./desk.mjs";

const PAY = { asksApproval: true, tool: "pay", args: { n: 1 }, hint: "Shall I?" };

function stage(asked, more) {
  const where = desk(more);
  const row = { type: "card", key: 1, call: asked, live: asked };
  return { where, card: filled(createCard(where), row).querySelector(".card") };
}

test("a card says what is asked, by whom, and takes an answer", () => {
  const { where, card } = stage(call(PAY));
  equal([textOf(card.querySelector("h4")), textOf(card.querySelector(".ask")), card.getAttribute("aria-label")], [
    "Approve pay?A",
    "Shall I?",
    "Approve pay?",
  ]);
  card.querySelector("[data-do=approve]").click();
  equal(where.sent, [["c", { confirmed: true }]]);
});

test("an answer leaves the page with every digit", () => {
  const sent = [];
  const session = () => ({ props: { answerable: true }, caughtUp: true, log: emptyLog() });
  const send = (name, value) => sent.push([name, value]);
  const { drawCard } = createDecisions({ session, bullets: null, send, onChange: () => {} });
  const asked = call({ ...PAY, args: parseJson('{"account":7,"amount":5.0}') });
  const card = filled(drawCard, { type: "card", key: 1, call: asked, live: asked }).querySelector(".card");
  card.querySelector("[data-do=edit]").click();
  all(card, "input").forEach((field, place) => type(field, ["1234567890123456789", "6.0"][place]));
  card.querySelector("[data-do=approve]").click();
  equal(sent, [["answer", {
    call_id: "c",
    response: '{"confirmed":true,"args":{"account":1234567890123456789,"amount":6.0}}',
  }]]);
});

test("titles: a question, a choice, a review, and what became of it", () => {
  const title = (asked) => textOf(stage(asked).card.querySelector("h4 > span"));
  equal([
    title(call()),
    title(call({ tool: "get_user_choice", args: { options: ["a"] } })),
    title(call({ tool: "review_delta", args: { playbook: "ace", operations: [{ type: "ADD", content: "x" }] } })),
    title(call({ state: "over" })),
    title(call({ ...PAY, state: "over" })),
    title(answered({ confirmed: false }, PAY)),
  ], [
    "lookup waits for an answer",
    "Choose one: get_user_choice",
    "Review 1 change of ace",
    "lookup was not answered",
    "pay was not decided",
    "Rejected pay",
  ]);
});

test("while it is sent, hindered or silent it says so, and sends nothing twice", () => {
  const asked = call(PAY);
  const hindered = stage(asked, { hindrance: "The run is still at work." });
  hindered.card.querySelector("[data-do=approve]").click();
  equal([hindered.where.sent, textOf(hindered.card.querySelector(".said"))], [[], "The run is still at work."]);
  const { where } = stage(asked);
  where.answers.give("c", {});
  equal(stampOf(asked, where), "sending ");
  where.answers.stateOf = () => "silent";
  const row = { type: "card", key: 1, call: asked, live: asked };
  equal(textOf(filled(createCard(where), row).querySelector(".said")), SILENT);
  equal(stampOf(answered({}), where), "");
});

test("a form takes the focus, keeps what was typed, and Esc closes it", () => {
  const asked = call(PAY);
  const { where, card } = stage(asked);
  card.querySelector("[data-do=reject]").click();
  const input = card.querySelector("input");
  ok(root().activeElement === input);
  where.answers.draftOf("c").reason = "too much";
  let heard = 0;
  card.parentElement.onkeydown = () => (heard += 1);
  press(input, "Escape");
  equal([all(card, "input").length, root().activeElement.dataset.do, heard], [0, "reject", 0]);
  root().activeElement.click();
  equal(card.querySelector("input").value, "too much");
});

test("Esc on a card without an open form is left to the page", () => {
  const { card } = stage(call(PAY));
  let heard = 0;
  card.parentElement.onkeydown = () => (heard += 1);
  press(card, "Escape");
  equal(heard, 1);
});
