import { column, strip, swatch } from "../../../../ui/demo/stage/rows.js";
import { all, equal, show, test, textOf } from "../../js/stage.mjs";
import { picture, row } from "./pictures.mjs";

test("what became of a text is a word or a sign, not a colour alone", () => {
  const rows = [
    row({ kind: "stale", note: "✗ stale", text: "a = b", id: "", more: "" }),
    row({ kind: "kept", note: "", id: "", text: "日本語", more: "" }),
  ];
  const element = column({ title: "The playbook", short: false, rows });
  show(element);
  equal(all(element, "h3, li").map(textOf), ["The playbook", "✗ stale a = b", "日本語"]);
  equal([all(element, ".texts").length, all(column({ title: "", short: true, rows }), ".names").length], [1, 1]);
});

test("a bullet has its id, and what is said of it", () => {
  const element = column({ title: "", short: false, rows: [row()] });
  show(element);
  equal(all(element, "h3, li").map(textOf), ["cites b-1 a = b / c written on Monday"]);
});

test("answers are told to a screen reader, the touched ones as such", () => {
  const element = strip(picture().strips[0]);
  show(element);
  equal(textOf(all(element, ".label")[0]), "one 1 of 2");
  equal(all(element, ".cells")[0].getAttribute("aria-label"), "one: right, wrong, touched");
  equal(all(element, ".cell").map((cell) => cell.className), ["cell right", "cell wrong lit apart"]);
  equal(all(element, ".cell")[1].title, "question 2");
  equal(all(strip({ label: "Monday", colour: "", dashes: [], score: "", cells: [] }), "svg").length, 0);
});

test("a swatch is a piece of the line", () => {
  const dashes = (given) => all(swatch("#16a34a", given), "path")[0].getAttribute("stroke-dasharray");
  equal([dashes([1, 0]), dashes([2, 3])], ["none", "2 3"]);
});
