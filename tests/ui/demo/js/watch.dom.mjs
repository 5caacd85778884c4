import watch from "../../../../ui/demo/watch/stage/stage.js";
import { all, equal, root, test, textOf } from "../../js/stage.mjs";
import { leavesAndComesBack } from "./leaving.mjs";
import { chart, judged, learned } from "./pictures.mjs";

test("the question with its verdict, the score, the curve and the bullets are drawn once and updated", () => {
  const parentElement = root();
  const draw = (...texts) => {
    const shown = JSON.stringify({ ...judged(), ...chart(), ...learned(...texts) });
    watch({ parentElement, data: { shown } });
  };
  draw("a = b");
  draw("a = b", "c = d");
  equal(all(parentElement, ".verdict, .score, .kept").map(textOf), ["✓ right", "2 of 3 right", "2 bullets"]);
  equal([all(parentElement, ".curves svg").length, all(parentElement, ".stage").length], [1, 1]);
});

test("what leaves the page is taken off it, and drawn anew when it comes back", async () => {
  await leavesAndComesBack(watch, { shown: JSON.stringify({ ...judged(), ...chart(), ...learned("a = b") }) }, ".stage");
});
