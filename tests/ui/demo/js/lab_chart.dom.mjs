import { drawing, written } from "../../../../ui/demo/drawing/svg.js";
import { drawChart } from "../../../../ui/demo/lab/board/chart.js";
import { all, equal, ok, show, test, textOf } from "../../js/stage.mjs";
import { labChart, labLine } from "./pictures.mjs";

function drawn(fields, width = 600) {
  const svg = drawChart(labChart(fields), width, 300);
  show(svg);
  return svg;
}

test("an arm has its own colour and dashes, and the chart is told in words", () => {
  const dashed = labLine({ label: "right, two", colour: "#d97706", dashes: [6, 4] });
  const svg = drawn({ lines: [labLine(), dashed] });
  const lines = all(svg, ".arm").map((line) => [line.getAttribute("stroke"), line.getAttribute("stroke-dasharray")]);
  equal(lines, [["#6366f1", "none"], ["#d97706", "12 8"]]);
  equal(svg.getAttribute("aria-label"), "Tokens: right, one 1 of 2; right, two 1 of 2");
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
});

test("before the first answer there are axes and no line", () => {
  const svg = drawn({ lines: [labLine({ points: [] })] }, 100);
  equal([all(svg, ".arm, circle").length, all(svg, ".grid").length], [0, 2]);
  equal(all(svg, "text").map(textOf), ["0", "100", "0", "10", "questions"]);
});

test("elements of SVG hold text as text", () => {
  const text = written("<b>", { x: 1 });
  equal([text.textContent, text.namespaceURI, text.getAttribute("x")], ["<b>", "http://www.w3.org/2000/svg", "1"]);
  equal(drawing("path", { d: "M0,0" }).getAttribute("d"), "M0,0");
});
