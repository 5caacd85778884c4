import { drawQuestion } from "../../../../ui/session_view/js/cards/question.js";
import { all, equal, show, test, textOf, type } from "../stage.mjs";
import { call, form } from "./desk.mjs";

test("options are buttons; the one that is pressed is the answer", () => {
  const made = form();
  const view = show(drawQuestion(call({ tool: "get_user_choice", args: { options: ["red", "<b>green</b>"] } }), made));
  equal(all(view, "button").map(textOf), ["red", "<b>green</b>"]);
  all(view, "button")[1].click();
  equal(made.given, [{ result: "<b>green</b>" }]);
});

test("a typed answer is text, or an object in JSON", () => {
  const made = form();
  const view = show(drawQuestion(call({ args: { n: 1 } }), made));
  equal(textOf(view.querySelector("dd")), "1");
  const answer = (text) => (type(view.querySelector("textarea"), text), view.querySelector("[data-do=answer]").click());
  answer("yes");
  answer('{"a": 1}');
  equal([made.given, made.draft.text], [[{ result: "yes" }, { a: 1 }], '{"a": 1}']);
});

test("an answer that is missing or half JSON is marked", () => {
  const made = form();
  const view = show(drawQuestion(call(), made));
  view.querySelector("[data-do=answer]").click();
  equal([made.given, made.draft.errors, made.shown], [[], { answer: "Type an answer first." }, ["[aria-invalid=true]"]]);
  equal(textOf(show(drawQuestion(call(), made)).querySelector(".problem")), "Type an answer first.");
});
