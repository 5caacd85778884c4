import board from "../../../../ui/demo/board/board.js";
import { all, equal, ok, root, test, textOf } from "../../js/stage.mjs";
import { leavesAndComesBack } from "./leaving.mjs";
import { board as picture, chart, row } from "./pictures.mjs";

function draw(fields) {
  const parentElement = root();
  board({ parentElement, data: { shown: JSON.stringify(picture(fields)) } });
  return parentElement;
}

function shown(selector) {
  return all(root(), selector).filter((element) => element.checkVisibility());
}

test("the verdict stands above the cited bullets, and the score beside it", () => {
  draw();
  equal(shown(".verdict").map(textOf), ["✓ right"]);
  equal(shown(".row").map(textOf), ["cites b-1 a = b / c written on Monday"]);
  equal(shown(".total .number, .total .count").map(textOf), ["1 of 2 right", "1 bullets"]);
  equal(all(root(), ".marks").map((marks) => marks.getAttribute("aria-label")), ["wrong, right"]);
  equal(shown(".chart, .learned").length, 0);
});

test("the curve and all bullets take the place of the verdict", () => {
  draw({ chart: chart() });
  equal(shown("svg").map((svg) => svg.getAttribute("aria-label")), ["2 of 3 right"]);
  equal([shown(".verdict").length, shown(".bullet").length, shown(".total").length], [0, 1, 1]);
  draw();
  equal([shown(".verdict").length, shown("svg").length], [1, 0]);
});

test("beside a session the curve is low, and alone it takes the height that is left", () => {
  draw({ chart: chart() });
  const height = () => shown("svg")[0].clientHeight;
  const tall = height();
  draw({ chart: chart(), fills: false });
  ok(height() < tall, `${height()} of ${tall}`);
});

test("before the first answer there is no score, and a row without a bullet is a sentence", () => {
  draw({ right: 0, of: 0, sessions: [], rows: [row({ kind: "plain", note: "", id: "", text: "No bullet.", more: "" })] });
  equal(shown(".total .number").length, 0);
  equal(shown(".row").map(textOf), ["No bullet."]);
});

test("it is drawn once, and told to a screen reader when it changes", () => {
  draw();
  const first = all(root(), ".rows > li")[0];
  draw();
  ok(all(root(), ".rows > li")[0] === first, "the same values are not drawn again");
  draw({ rows: [row({ text: "a = c / b" })] });
  equal([all(root(), ".board").length, all(root(), "[role=status] .text").map(textOf)], [1, ["a = c / b"]]);
});

test("what leaves the page is taken off it, and drawn anew when it comes back", async () => {
  await leavesAndComesBack(board, { shown: JSON.stringify(picture({})) }, ".board");
});
