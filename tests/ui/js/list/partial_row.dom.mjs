import { drawPartial } from "../../../../ui/session_view/js/list/partial_row.js";
import { equal, filled, ok, test, textOf } from "../stage.mjs";

const row = (more) => ({
  key: "p:1",
  type: "partial",
  branch: "",
  scopes: [],
  entry: null,
  partial: { id: "1", author: "A", text: "", thought: "", version: 0, ...more },
});
const shown = (element, selector) => !element.querySelector(selector).closest("[hidden]");

test("thoughts stream until the answer begins, and then fold to what they began with", () => {
  const element = filled(drawPartial, row({ thought: "Let me see" }));
  equal([textOf(element.querySelector(".live")), shown(element, ".stream"), shown(element, ".caret")], [
    "thinking",
    true,
    false,
  ]);
  ok(element.update(row({ thought: "Let me see", text: "Red" })));
  equal([textOf(element.querySelector(".live")), textOf(element.querySelector(".gist")), shown(element, ".stream")], [
    "writing",
    "Let me see",
    false,
  ]);
  equal(element.getAttribute("aria-label"), "A is writing");
});

test("what is only longer is added to, so that a selection in it stays", () => {
  const element = filled(drawPartial, row({ text: "One <b>" }));
  const node = element.querySelector(".caret").previousSibling;
  const marked = document.createRange();
  marked.setStart(node, 0);
  marked.setEnd(node, 3);
  element.update(row({ text: "One <b>two" }));
  equal([element.querySelector(".caret").previousSibling === node, node.data], [true, "One <b>two"]);
  equal(marked.toString(), "One");
  element.update(row({ text: "Other" }));
  equal(node.data, "Other");
});

test("it takes no row of another type", () => {
  equal(filled(drawPartial, row({})).update({ type: "event" }), false);
});
