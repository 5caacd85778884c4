import { Verdict } from "../../../../ui/demo/stage/verdict.js";
import { equal, ok, show, test, textOf } from "../../js/stage.mjs";
import { question as asked } from "./pictures.mjs";

function drawn(fields) {
  const verdict = new Verdict();
  verdict.update(asked(fields));
  const view = show(verdict.element);
  view.className = "stage";
  return verdict;
}

test("a verdict is a sign and a word, with what judged it", () => {
  const { verdict, beside, answer } = drawn();
  equal([textOf(verdict), verdict.dataset.verdict], ["✓ right", "right"]);
  equal([textOf(answer), textOf(beside)], ["Answer: 2.5", "Judged by a thumb."]);
  ok(parseFloat(getComputedStyle(verdict.firstChild).fontSize) >= 64);
});

test("where there is no answer, its line takes no room", () => {
  const { answer } = drawn({ answer: "" });
  equal(getComputedStyle(answer).display, "none");
});

test("where there is no question, nothing is shown", () => {
  const verdict = drawn();
  verdict.update(null);
  ok(!verdict.element.checkVisibility());
});

test("markup in a question is text", () => {
  const { question } = drawn({ question: "<img src=x onerror=alert(1)>" });
  equal([question.children.length, textOf(question)], [0, "<img src=x onerror=alert(1)>"]);
});
