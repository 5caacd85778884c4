import board from "../../../../ui/demo/lab/board/board.js";
import { all, equal, ok, root, test, textOf } from "../../js/stage.mjs";
import { leavesAndComesBack } from "./leaving.mjs";
import { labChart, labPicture } from "./pictures.mjs";

function draw(fields) {
  const parentElement = root();
  board({ parentElement, data: { shown: JSON.stringify(labPicture(fields)) } });
  return parentElement;
}

test("a statement stands above charts, answers and texts, and the note at the end", () => {
  draw();
  equal(all(root(), ".said p").map(textOf), ["46 lines before, 7 after.", "All of it is kept."]);
  equal(all(root(), ".legend li").map(textOf), ["1 of 2 right, one"]);
  equal(all(root(), ".charts svg").length, 1);
  equal([all(root(), ".strip").length, all(root(), ".column").length], [1, 1]);
  equal(textOf(all(root(), ".moments > :last-child")[0]), "A closed world.");
});

test("what is empty takes no place", () => {
  draw({ more: "", charts: [], strips: [], columns: [] });
  const shown = all(root(), ".moments > *, .said > *").filter((element) => element.checkVisibility());
  equal(shown.map(textOf), ["46 lines before, 7 after.", "46 lines before, 7 after.", "A closed world."]);
});

test("the charts take the height that is left, and never less than can be read", () => {
  draw({ columns: [], strips: [] });
  const [alone] = all(root(), ".charts svg").map((svg) => svg.clientHeight);
  const rows = Array.from({ length: 60 }, (_, at) => ({ kind: "kept", note: "", text: `bullet ${at}` }));
  draw({ columns: [{ title: "Many", short: false, rows }] });
  const [crowded] = all(root(), ".charts svg").map((svg) => svg.clientHeight);
  ok(alone > crowded && crowded >= 11 * 16, `${alone}, ${crowded}`);
});

test("two charts stand beside each other where there is room", () => {
  draw({ charts: [labChart(), labChart()] });
  equal(new Set(all(root(), ".charts svg").map((svg) => svg.getBoundingClientRect().top)).size, 1);
});

test("it is drawn once, and text is only text", () => {
  draw();
  const [first] = all(root(), ".strip");
  draw();
  ok(all(root(), ".strip")[0] === first, "the same values are not drawn again");
  draw({ say: "<img src=x>" });
  equal([all(root(), "img").length, textOf(all(root(), ".say")[0])], [0, "<img src=x>"]);
});

test("what leaves the page is taken off it, and drawn anew when it comes back", async () => {
  await leavesAndComesBack(board, { shown: JSON.stringify(labPicture({})) }, ".moments");
});
