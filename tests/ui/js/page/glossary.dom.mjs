import { drawTerm, showGlossary } from "../../../../ui/session_view/js/page/glossary.js";
import { meaningOf } from "../../../../ui/session_view/js/words/glossary.js";
import { all, equal, ok, show, test, textOf } from "../stage.mjs";

const opened = () => document.querySelector("dialog.glossary[open]");

test("a plain word has the term and its meaning on hover, and leads to it in the glossary", () => {
  const chosen = [];
  const view = show(drawTerm("ends the loop", "escalate", { look: ".tag" }));
  view.addEventListener("click", () => chosen.push("row"));
  const [word] = all(view, "button.term.tag");
  equal([textOf(word), word.title, word.tabIndex], ["ends the loop", `escalate: ${meaningOf("escalate")}`, 0]);
  word.click();
  equal([textOf(opened().querySelector("dt.chosen")), chosen], ["escalate", []]);
  opened().querySelector("button").click();
});

test("in a row the Tab key passes it by; the title can tell more than the term", () => {
  const [word] = all(show(drawTerm("model call 2", "THINK", { inRow: true, told: "THINK 2 (tool_use)" })), ".term");
  equal(word.tabIndex, -1);
  ok(word.title.startsWith("THINK 2 (tool_use): A model call"));
});

test("a word that the glossary has not stays a word", () => {
  equal(drawTerm("length", "length"), "length");
  equal(all(show(drawTerm("<b>", "<b>", { look: ".step" })), ".step").map(textOf), ["<b>"]);
  equal(all(show(drawTerm("x", "x", { look: ".step" })), "button, b").length, 0);
});

test("the glossary opens once, has every section, and Close ends it", () => {
  showGlossary();
  showGlossary("seed");
  equal(document.querySelectorAll("dialog.glossary[open]").length, 1);
  equal(all(opened(), "h3").map(textOf), [
    "Sessions and runs",
    "Agents",
    "State and files",
    "Model calls",
    "Playbooks",
    "Lessons",
    "Measuring",
  ]);
  equal(opened().querySelector("dt.chosen"), null);
  opened().querySelector("button").click();
});
