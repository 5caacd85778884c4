import { Answers } from "../../../../ui/session_view/js/cards/answers.js";
import { createThumbs, LONGEST_ANSWER, stampOfThumbs } from "../../../../ui/session_view/js/cards/thumbs.js";
import { all, equal, filled, ok, press, root, test, textOf, type } from "../stage.mjs";

function stage({ verdict = null, hindrance = "", offered = true } = {}) {
  const sent = [];
  const answers = new Answers({ send: (_, feedback) => sent.push(feedback), onChange: () => {} });
  const bench = { answers, hindrance: () => hindrance, offered: () => offered };
  const live = { seq: 7, agent: "Generator", verdict, version: 0 };
  const row = filled(createThumbs(bench), { type: "thumbs", key: 7.25, live });
  return { sent, bench, live, row, thumb: (name) => row.querySelector(`[data-thumb=${name}]`) };
}

test("a thumb up says that an answer is right", () => {
  const { sent, row, thumb } = stage();
  equal([row.getAttribute("aria-label"), all(row, "button").map(textOf)], [
    "Was the answer of Generator right?",
    ["right", "wrong", "outcome"],
  ]);
  thumb("right").click();
  equal(sent, [{ event: 7, right: true, answer: null }]);
});

test("a thumb down may say what is right", () => {
  const { sent, row, thumb } = stage();
  thumb("wrong").click();
  const field = row.querySelector("input");
  equal([root().activeElement === field, field.maxLength], [true, LONGEST_ANSWER]);
  type(field, " 1.50 ");
  press(field, "Enter");
  equal(sent, [{ event: 7, right: false, answer: "1.50" }]);
});

test("what came of running an answer; nothing entered sends nothing", () => {
  const { sent, row, thumb } = stage();
  thumb("outcome").click();
  row.querySelector(".do.main").click();
  type(row.querySelector("input"), "exit code 1");
  row.querySelector(".do.main").click();
  equal(sent, [{ event: 7, outcome: "exit code 1" }]);
});

test("Back and Esc close the form, and what was typed stays", () => {
  const { row, thumb } = stage();
  thumb("wrong").click();
  type(row.querySelector("input"), "2");
  row.querySelector(".do.side").click();
  ok(root().activeElement === thumb("wrong"));
  thumb("wrong").click();
  equal(row.querySelector("input").value, "2");
  press(row.querySelector("input"), "Escape");
  equal(all(row, "input").length, 0);
});

test("where nothing can be said now, the thumbs say why and do nothing", () => {
  const { sent, thumb, bench, live } = stage({ hindrance: "A question is open." });
  thumb("right").click();
  thumb("wrong").click();
  equal([sent, thumb("right").title, thumb("right").getAttribute("aria-disabled")], [[], "A question is open.", "true"]);
  equal(stampOfThumbs(live, bench), "idle true A question is open.");
});

test("without an offer there is nothing, but a verdict that was given stays to be seen", () => {
  equal(stage({ offered: false }).row.children.length, 0);
  const verdict = (more) => {
    const { row, bench, live } = stage({
      offered: false,
      verdict: { right: false, answer: "", outcome: "", seq: 9, ...more },
    });
    equal(stampOfThumbs(live, bench), "");
    return [textOf(row), row.querySelector(".verdict").className];
  };
  equal(verdict({ answer: "2" }), ["You said: wrongThe right answer: 2", "verdict wrong"]);
  equal(verdict({ right: true }), ["You said: right", "verdict right"]);
  equal(verdict({ right: null, outcome: "exit code 1" }), ["What came of itexit code 1", "verdict outcome"]);
});
