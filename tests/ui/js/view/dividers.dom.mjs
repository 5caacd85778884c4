import { h } from "../../../../ui/browser/js/elements.js";
import { Dividers } from "../../../../ui/session_view/js/view/dividers.js";
import { equal, press, show, test } from "../stage.mjs";

const STORED = "agent-playground:panes";

function stage() {
  const panes = h("div.panes", {}, h("nav.graph"), h("section.centre"), h("section.inspector"));
  show(panes).style.width = "1300px";
  let moves = 0;
  const { elements } = new Dividers(panes, () => (moves += 1));
  const width = (name) => panes.querySelector(`.${name}`).getBoundingClientRect().width;
  return { panes, elements, width, moves: () => moves };
}

test("arrow keys move a line; Home and End go to its limits; the list keeps its own width", () => {
  localStorage.removeItem(STORED);
  const { elements: [line], width, moves } = stage();
  const wider = Math.round(width("graph") + 16);
  press(line, "ArrowRight");
  equal([width("graph"), line.getAttribute("aria-valuenow"), moves()], [wider, String(wider), 1]);
  press(line, "ArrowLeft");
  equal(width("graph"), wider - 16);
  press(line, "Home");
  equal(width("graph"), 150);
  press(line, "End");
  equal(Math.round(width("centre")), 230);
  equal(press(line, "x").defaultPrevented, false);
});

test("widths are kept by the browser; a double click forgets one", () => {
  localStorage.setItem(STORED, JSON.stringify({ graph: 200, inspector: 260 }));
  const { elements: [line], width } = stage();
  equal([width("graph"), width("inspector")], [200, 260]);
  line.dispatchEvent(new MouseEvent("dblclick"));
  equal(JSON.parse(localStorage.getItem(STORED)), { inspector: 260 });
  localStorage.removeItem(STORED);
});

test("what is stored and makes no sense is not taken", () => {
  for (const junk of ["{", "null", '{"graph": "wide"}', '{"graph": 3, "inspector": -1}', "[]"]) {
    localStorage.setItem(STORED, junk);
    const { panes } = stage();
    equal(panes.getAttribute("style"), null);
    panes.parentElement.remove();
  }
  localStorage.removeItem(STORED);
});
