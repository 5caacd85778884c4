import { icon, markIcon } from "../../../../ui/session_view/js/dom/icons.js";
import { SHAPES } from "../../../../ui/session_view/js/log/agent_tree.js";
import { equal, ok, test } from "../stage.mjs";

test("each shape of an agent has a drawing of its own, filled, or an outline for code", () => {
  const drawn = SHAPES.map((shape) => markIcon({ shape, colour: 1 }).querySelector("path").getAttribute("d"));
  equal(new Set(drawn).size, SHAPES.length);
  const [filled, hollow] = [false, true].map((hollow) =>
    markIcon({ shape: "circle", colour: 1, hollow }).querySelector("path")
  );
  equal([filled.getAttribute("fill"), hollow.getAttribute("fill")], [null, "none"]);
});

test("a workflow agent is drawn as what it does, a shape that there is not as the first one", () => {
  equal(markIcon({ shape: "LoopAgent", colour: "flow" }).querySelectorAll("path").length, 2);
  const [unknown, first] = ["of tomorrow", SHAPES[0]].map((shape) => markIcon({ shape, colour: 1 }).outerHTML);
  equal(unknown, first);
});

test("icons say nothing to those who listen", () => {
  const drawn = icon("alert", "icon large");
  equal([drawn.getAttribute("aria-hidden"), drawn.getAttribute("class")], ["true", "icon large lines"]);
  ok(drawn instanceof SVGElement);
});
