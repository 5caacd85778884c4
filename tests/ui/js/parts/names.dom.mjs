import { breakable } from "../../../../ui/session_view/js/parts/names.js";
import { equal, show, test } from "../stage.mjs";

function words(name) {
  const element = document.createElement("span");
  element.append(...breakable(name));
  equal(element.textContent, name);
  return element.innerHTML.split("<wbr>");
}

test("a name breaks between its words", () => {
  equal(words("InitialWriterAgent"), ["Initial", "Writer", "Agent"]);
  equal(words("look_up_rate"), ["look_", "up_", "rate"]);
  equal(words("GPT4oCritic"), ["GPT4o", "Critic"]);
  equal(words("ÄrgerÜberwacher"), ["Ärger", "Überwacher"]);
  equal(words("要約担当者"), ["要約担当者"]);
  equal(words(""), [""]);
});

test("a name of another program is text", () => {
  equal(words("a_<img src=x>"), ["a_", "&lt;img src=x&gt;"]);
});

test("a word that is wider than its place ends in an ellipsis, and does not break", () => {
  const narrow = document.createElement("div");
  narrow.className = "node";
  narrow.style.width = "90px";
  const name = document.createElement("span");
  name.className = "name";
  name.append(...breakable("SummariserOfDonaudampfschifffahrtsgesellschaften"));
  narrow.append(name);
  show(narrow);
  equal(getComputedStyle(name).textOverflow, "ellipsis");
  const lines = [...name.childNodes].filter((node) => node.nodeType === 3).map((word) => {
    const range = document.createRange();
    range.selectNodeContents(word);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
  equal(lines, [1, 1, 1]);
});
