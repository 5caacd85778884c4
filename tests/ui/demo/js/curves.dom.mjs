import { drawCurves, score } from "../../../../ui/demo/drawing/curves.js";
import { all, equal, ok, show, test, textOf } from "../../js/stage.mjs";
import { chart } from "./pictures.mjs";

function drawn(fields) {
  const svg = drawCurves(chart(fields), 600, 300);
  show(svg);
  return svg;
}

function heights(svg) {
  return all(svg, ".line")[0].getAttribute("d").match(/,[\d.]+/g).map((found) => parseFloat(found.slice(1)));
}

test("a curve goes from its first share to its last, and is told in words", () => {
  const svg = drawn();
  const [first, , last] = heights(svg);
  ok(first > last, "a higher share is higher up");
  equal(svg.getAttribute("aria-label"), "2 of 3 right");
  equal(all(svg, "text").map(textOf), ["0 %", "50 %", "100 %", "1", "2", "3", "question → share"]);
});

test("an empty curve draws no line", () => {
  equal(all(drawn({ curves: [{ ...chart().curves[0], points: [] }] }), ".line, .end").length, 0);
});

test("marks stand below their questions, and names above theirs, with a line between two", () => {
  const marks = [{ number: 1, sign: "✗", verdict: "wrong" }, { number: 3, sign: "✓", verdict: "right" }];
  const bands = [{ until: 1, name: "Monday", score: "0 of 1" }, { until: 3, name: "Tuesday", score: "2 of 2" }];
  const svg = drawn({ marks, bands });
  equal(all(svg, ".mark").map((mark) => [mark.getAttribute("class"), textOf(mark)]), [["mark wrong", "✗"], [
    "mark right",
    "✓",
  ]]);
  equal(all(svg, ".band").map(textOf), ["0 of 1", "2 of 2"]);
  const [monday, tuesday] = all(svg, "text").filter((text) => /day$/.test(textOf(text))).map((text) =>
    +text.getAttribute("x")
  );
  const [first, last] = all(svg, ".mark").map((mark) => +mark.getAttribute("x"));
  ok(monday === first && tuesday > monday && tuesday < last);
  equal(all(svg, ".grid").length, 4);
  equal(all(drawn(), ".grid").length, 3);
});

test("a cut is a line of its own, and a score has the look of its curve", () => {
  equal(all(drawn({ cut: 2 }), ".cut").length, 1);
  const item = score(chart().curves[0]);
  show(item);
  equal([textOf(item), all(item, ".line.learning").length], ["2 of 3 right", 1]);
});
