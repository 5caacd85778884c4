import { drawDiff } from "../../../../ui/session_view/js/parts/diff.js";
import { all, equal, show, test, textOf } from "../stage.mjs";

const LONG = "The lamp had been dark for a week when Ana climbed the stairs again. ".repeat(8);

test("short values stand side by side", () => {
  equal(drawDiff("red", "green", false, null).innerHTML, '<del dir="auto">red</del> → <ins dir="auto">green</ins>');
  equal(textOf(drawDiff("", "x", false, null)), "empty → x");
});

test("a change in a long text is marked, the rest cut until it is asked for", () => {
  let asked = 0;
  const after = LONG.replace("Ana climbed", "Ben climbed");
  const view = show(drawDiff(LONG, after, false, () => (asked += 1)));
  equal([textOf(view.querySelector("del")), textOf(view.querySelector("ins"))], ["Ana", "Ben"]);
  view.querySelector("button").click();
  equal([asked, textOf(view.querySelector("button"))], [1, "show the whole text"]);
  const open = drawDiff(LONG, after, true, () => {});
  equal([textOf(open).includes("…"), textOf(open.querySelector("button"))], [false, "show changes only"]);
});

test("texts with little in common stand one after the other, the old one short", () => {
  const view = show(drawDiff(LONG, "Something else entirely, and nothing of what was there before it.", false, () => {}));
  equal([all(view, ".rewrite del").length, textOf(view.querySelector("del")).length < 170], [1, true]);
  equal(textOf(view.querySelector("button")), "show all that was replaced");
});

test("markup in a text stays text", () => {
  const view = show(drawDiff("<b>a</b>", "<img src=x>", false, null));
  equal(all(view, "b, img").length, 0);
});
