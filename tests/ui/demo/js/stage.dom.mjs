import stage from "../../../../ui/demo/stage/stage.js";
import { all, equal, ok, root, test, textOf, until } from "../../js/stage.mjs";
import { board, chart, learned, picture, question, row } from "./pictures.mjs";

function draw(shown) {
  const parentElement = root();
  stage({ parentElement, data: { shown: JSON.stringify(shown) } });
  return parentElement;
}

function shown(selector) {
  return all(root(), selector).filter((element) => element.checkVisibility());
}

test("a statement stands above charts, answers and texts, and the note at the end", () => {
  draw(picture());
  equal(all(root(), ".said > p").map(textOf), ["46 lines before, 7 after.", "All of it is kept."]);
  equal(all(root(), ".legend li").map(textOf), ["1 of 2 right, one"]);
  equal(all(root(), ".charts svg").length, 1);
  equal([all(root(), ".strip").length, all(root(), ".column").length], [1, 1]);
  equal(textOf(all(root(), ".moments > :last-child")[0]), "A closed world.");
});

test("what is empty takes no place", () => {
  draw(picture({ more: "", charts: [], strips: [], columns: [] }));
  const shown = all(root(), ".moments > *, .said > *").filter((element) => element.checkVisibility());
  equal(shown.map(textOf), ["46 lines before, 7 after.", "46 lines before, 7 after.", "A closed world."]);
});

test("the charts take the height that is left, and never less than can be read", () => {
  draw(picture({ columns: [], strips: [] }));
  const [alone] = all(root(), ".charts svg").map((svg) => svg.clientHeight);
  const rows = Array.from({ length: 60 }, (_, at) => ({ kind: "kept", note: "", text: `bullet ${at}` }));
  draw(picture({ columns: [{ title: "Many", short: false, rows }] }));
  const [crowded] = all(root(), ".charts svg").map((svg) => svg.clientHeight);
  ok(alone > crowded && crowded >= 11 * 16, `${alone}, ${crowded}`);
});

test("two charts stand beside each other where there is room", () => {
  draw(picture({ charts: [chart(), chart()] }));
  equal(new Set(all(root(), ".charts svg").map((svg) => svg.getBoundingClientRect().top)).size, 1);
});

test("it is drawn once, and text is only text", () => {
  draw(picture());
  const [first] = all(root(), ".strip");
  draw(picture());
  ok(all(root(), ".strip")[0] === first, "the same values are not drawn again");
  draw(picture({ say: "<img src=x>" }));
  equal([all(root(), "img").length, textOf(all(root(), ".say")[0])], [0, "<img src=x>"]);
});

test("of the story the verdict stands above the cited bullets, and the score beside it", () => {
  draw(board());
  equal(shown(".verdict").map(textOf), ["✓ right"]);
  equal(shown(".text").map(textOf), ["cites b-1 a = b / c written on Monday"]);
  equal(shown(".number, .kept, .label").map(textOf), ["1 of 2 right", "Monday", "1 bullets"]);
  equal(shown(".cells").map((cells) => cells.getAttribute("aria-label")), ["Monday: wrong, right"]);
  equal(shown("svg, .bullet").length, 0);
});

test("the curve and all bullets take the place of the verdict, and it has the height that is left or that of a session", () => {
  draw(board({ charts: [chart()] }));
  equal([shown(".verdict, .text").length, shown(".bullet").length, shown(".number").length], [0, 1, 1]);
  const height = () => shown(".charts svg")[0].clientHeight;
  const tall = height();
  draw(board({ charts: [chart()], fills: false }));
  ok(height() < tall, `${height()} of ${tall}`);
  draw(board());
  equal([shown(".verdict").length, shown("svg").length], [1, 0]);
});

test("before the first answer there is no score, and a row without a bullet is a sentence", () => {
  const rows = [row({ kind: "plain", note: "", id: "", text: "No bullet.", more: "" })];
  draw(board({ score: "", strips: [], columns: [{ title: "", short: false, rows }] }));
  equal([shown(".number").length, shown("[role=status] .text").map(textOf)], [0, ["No bullet."]]);
});

test("a watch has the scores of its lines, the chart and the bullets, and is updated", () => {
  const watch = (...texts) =>
    picture({ layout: "watch", now: question(), say: "", strips: [], columns: [], ...learned(...texts) });
  draw(watch("a = b"));
  const [svg] = all(root(), ".curves");
  draw(watch("a = b", "c = d"));
  equal(shown(".verdict, .legend li, .kept").map(textOf), ["✓ right", "1 of 2 right, one", "2 bullets"]);
  equal([all(root(), ".curves svg").length, all(root(), ".stage").length], [1, 1]);
  ok(all(root(), ".curves")[0] === svg, "the chart keeps its box, so the page does not jump");
});

test("what leaves the page is taken off it, and drawn anew when it comes back", async () => {
  const mounted = { parentElement: root(), data: { shown: JSON.stringify(picture()) } };
  stage(mounted)();
  await until(() => all(root(), ".stage").length === 0);
  stage(mounted);
  equal(all(root(), ".stage").length, 1);
});
