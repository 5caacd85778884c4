import { h } from "../../../../ui/browser/js/elements.js";
import {
  createDecisions,
  createRouteMark,
  createToolMark,
  drawLoop,
  times,
} from "../../../../ui/session_view/js/graph/marks.js";
import { emptyActivity } from "../../../../ui/session_view/js/log/folds/activity.js";
import { all, equal, ok, test, textOf } from "../stage.mjs";

const activity = (more) => ({ ...emptyActivity(), ...more });

test("how often: nothing for never", () => {
  equal([times(0), times(3)], ["", "3×"]);
});

test("a route says whether it was chosen or failed, and how often it was chosen", () => {
  const mark = createRouteMark("R", "fast", "A");
  const look = (route) => {
    mark.update(activity({ routes: new Map([["agent/R", route]]) }));
    return [mark.element.dataset.look, textOf(mark.element)];
  };
  equal(look({ key: "fast", failed: [], counts: { fast: 2 } }), ["chosen", "fast✓ chosen2×"]);
  equal(look({ key: "slow", failed: ["fast"], counts: { fast: 1 } }), ["failed", "fast✕ failed1×"]);
  mark.update(activity({}));
  equal(textOf(mark.element), "fast");
  equal(textOf(createRouteMark("R", "A", "A").element), "route", "a key that is the agent's name says nothing");
});

test("an agent used as a tool says by what name, and how often", () => {
  const mark = createToolMark("Owner", "look_up", "Helper");
  mark.update(activity({ toolCounts: new Map([["Owner/look_up", 2]]) }));
  equal(textOf(mark.element), "as the tool look_up2×");
});

test("a loop without an end has no dots, a long one neither", () => {
  const [about, dots] = [h("span"), h("span")];
  drawLoop(undefined, { max_iterations: null }, about, dots);
  equal([textOf(about), dots.children.length], ["loop", 0]);
  drawLoop(undefined, { max_iterations: 4 }, about, dots);
  equal([textOf(about), dots.children.length], ["loop, at most 4", 4]);
  drawLoop({ iteration: 2, max: 40, open: true }, {}, about, dots);
  equal([textOf(about), dots.children.length], ["iteration 2 / 40", 0]);
  drawLoop({ iteration: 2, max: 3, open: false }, {}, about, dots);
  equal(all(dots, "i").map((dot) => dot.className), ["done", "done", ""]);
});

test("below an agent stand its handovers and the models that its router chose; the same is not drawn again", () => {
  const decisions = createDecisions("A");
  const now = activity({
    transfers: new Map([["A>B", 2], ["B>A", 1], ["A>C", 1]]),
    handed: "A>C",
    routes: new Map([["model/A", { key: "big", failed: ["small"], counts: { big: 1 } }]]),
  });
  decisions.update(now);
  equal(all(decisions.element, ".decision").map((chip) => [textOf(chip), chip.className]), [
    ["B2×", "decision"],
    ["C1×", "decision latest"],
    ["big1×", "decision latest"],
    ["small", "decision failed"],
  ]);
  const first = decisions.element.firstChild;
  decisions.update(now);
  ok(decisions.element.firstChild === first);
});
