import { drawing, written } from "../../../../ui/demo/stage/svg.js";
import { drawChart } from "../../../../ui/demo/stage/chart.js";
import { all, equal, ok, show, test, textOf } from "../../js/stage.mjs";
import { chart, line } from "./pictures.mjs";

function drawn(fields, width = 600) {
  const svg = drawChart(chart(fields), width, 300);
  show(svg);
  return svg;
}

test("an arm has its own colour and dashes, and the chart is told in words", () => {
  const dashed = line({ label: "right, two", colour: "#d97706", dashes: [6, 4] });
  const svg = drawn({ lines: [line(), dashed] });
  const lines = all(svg, ".arm").map((line) => [line.getAttribute("stroke"), line.getAttribute("stroke-dasharray")]);
  equal(lines, [["#6366f1", "none"], ["#d97706", "12 8"]]);
  equal(drawn({ title: "" }).getAttribute("aria-label"), "1 of 2 right, one");
  equal(svg.getAttribute("aria-label"), "Tokens: 1 of 2 right, one; 1 of 2 right, two");
});

test("a higher value is higher up, and the last one is at the end", () => {
  const [path] = all(drawn(), ".arm").map((line) => line.getAttribute("d"));
  const [[x1, y1], [x2, y2]] = path.slice(1).split("L").map((point) => point.split(",").map(Number));
  ok(x2 > x1 && y2 < y1, path);
  const [end] = all(drawn(), "circle");
  equal([+end.getAttribute("cx"), +end.getAttribute("cy")], [x2, y2]);
});

test("a moment is a line with its name, inside the chart on either side of it", () => {
  const svg = drawn({ marks: [{ at: 1, text: "early" }, { at: 9, text: "late" }] });
  equal(all(svg, "text.moment").map((text) => [textOf(text), text.getAttribute("text-anchor")]), [["early", "start"], [
    "late",
    "end",
  ]]);
  equal(all(svg, "path.moment").length, 2);
  const unnamed = drawn({ marks: [{ at: 1, text: "" }] });
  equal([all(unnamed, "path.moment").length, all(unnamed, "text.moment").length], [1, 0]);
});

test("verdicts stand below their questions, and names above theirs, with a line between two", () => {
  const signs = [{ at: 1, sign: "✗", verdict: "wrong" }, { at: 3, sign: "✓", verdict: "right" }];
  const bands = [{ until: 1, name: "Monday", score: "0 of 1" }, { until: 3, name: "Tuesday", score: "2 of 2" }];
  const svg = drawn({ signs, bands });
  equal(all(svg, ".sign").map((sign) => [sign.getAttribute("class"), textOf(sign)]), [
    ["sign wrong", "✗"],
    ["sign right", "✓"],
  ]);
  equal(all(svg, ".band").map(textOf), ["0 of 1", "2 of 2"]);
  const days = all(svg, "text").filter((text) => /day$/.test(textOf(text)));
  const [monday, tuesday] = days.map((text) => +text.getAttribute("x"));
  const [first, last] = all(svg, ".sign").map((sign) => +sign.getAttribute("x"));
  ok(monday === first && tuesday > monday && tuesday < last);
  equal([all(svg, ".grid").length, all(drawn(), ".grid").length], [3, 2]);
});

test("before the first answer there are axes and no line", () => {
  const svg = drawn({ lines: [line({ points: [] })] }, 100);
  equal([all(svg, ".arm, circle").length, all(svg, ".grid").length], [0, 2]);
  equal(all(svg, "text").map(textOf), ["0", "100", "0", "10", "questions"]);
});

test("elements of SVG hold text as text", () => {
  const text = written("<b>", { x: 1 });
  equal([text.textContent, text.namespaceURI, text.getAttribute("x")], ["<b>", "http://www.w3.org/2000/svg", "1"]);
  equal(drawing("path", { d: "M0,0" }).getAttribute("d"), "M0,0");
});
