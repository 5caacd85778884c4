import { drawTraceback, tracebacksIn } from "../../../../ui/session_view/js/parts/traceback.js";
import { all, equal, show, test, textOf } from "../stage.mjs";

const frame = (name, own, line = 3) => ({
  file: `${name}.py`,
  path: `/x/${name}.py`,
  line,
  function: name,
  source: `${name}(1)`,
  own,
});
const FOUND = {
  type: "ZeroDivisionError",
  message: "division by zero",
  frames: [frame("runner", false), frame("pay", true, 12), frame("fractions", false)],
  left_out: 2,
  cause: { type: "KeyError", message: "'rate'", frames: [frame("rates", true)], left_out: 0 },
  context: false,
};

test("it is folded, says where it was raised, and shows the author's frames first", () => {
  const view = show(drawTraceback(FOUND));
  const [outer, others] = all(view, "details");
  equal([outer.open, others.open, textOf(outer.querySelector("summary"))], [
    false,
    false,
    "Traceback: ZeroDivisionError in pay, pay.py line 12",
  ]);
  equal(textOf(others.querySelector("summary")), "2 frames of the runtime and of libraries");
  equal(all(view, "li").map((line) => textOf(line.querySelector("span"))), [
    "pay.py, line 12, in pay",
    "fractions.py, line 3, in fractions",
    "runner.py, line 3, in runner",
    "rates.py, line 3, in rates",
  ]);
  equal(all(view, "p").map(textOf), [
    "ZeroDivisionError: division by zero",
    "2 frames in between left out.",
    "Caused by:",
    "KeyError: 'rate'",
  ]);
});

test("the tracebacks of an event are its own and those of its tools", () => {
  equal(tracebacksIn({ custom_metadata: { traceback: { type: "A" }, tracebacks: { b: { type: "B" }, c: "no" } } }), [
    { type: "A" },
    { type: "B" },
  ]);
  for (const more of [undefined, {}, { traceback: "text", tracebacks: [] }]) {
    equal(tracebacksIn({ custom_metadata: more }), []);
  }
});

test("whatever stands there is text, and causes end", () => {
  const bad = "<img src=x onerror='window.broken = 1'>";
  const looped = { type: bad, message: bad, frames: [{ ...frame("a", true), source: bad }, null, 7] };
  looped.cause = looped;
  const view = show(drawTraceback(looped));
  equal([all(view, "img").length, window.broken, all(view, "li").length, all(view, "code")[0].textContent], [
    0,
    undefined,
    6,
    bad,
  ]);
  equal(textOf(show(drawTraceback({ frames: "no", message: {} })).querySelector("summary")), "Traceback: Error");
});
