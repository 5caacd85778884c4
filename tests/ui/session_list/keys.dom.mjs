import { h } from "../../../ui/browser/js/elements.js";
import { listenToKeys } from "../../../ui/session_list/js/keys.js";
import { equal, press, show, test } from "../js/stage.mjs";

function stage() {
  const done = [];
  const list = h("div", {}, h("a", { href: "#" }, "b"));
  const other = h("input", {});
  show(list, other);
  const letGo = listenToKeys(list, {
    step: (by) => done.push(by),
    toEdge: (end) => done.push(end ? "last" : "first"),
    space: () => done.push("space"),
    letter: (letter) => letter !== "z" && Boolean(done.push(letter)),
  });
  return { done, link: list.firstChild, other, letGo };
}

test("each key does its part, and is taken from the rest of the page", () => {
  const { done, link, letGo } = stage();
  const heard = [];
  const hear = (event) => heard.push(event.key);
  document.addEventListener("keydown", hear, true);
  const keys = ["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", " ", "j", "K", "ä", "7"];
  const taken = keys.map((key) => press(link, key).defaultPrevented);
  document.removeEventListener("keydown", hear, true);
  letGo();
  equal(done, [1, -1, 10, -10, "first", "last", "space", "j", "K", "ä", "7"]);
  equal([taken.every(Boolean), heard], [true, []]);
});

test("keys of the page, of shortcuts, of other elements and of a method of input are left alone", () => {
  const { done, link, other, letGo } = stage();
  for (const key of ["/", "?", "Enter", "Escape", "Tab", "F5", "z"]) equal(press(link, key).defaultPrevented, false, key);
  press(link, "j", { ctrlKey: true });
  press(link, "j", { metaKey: true });
  press(link, "j", { altKey: true });
  press(link, " ", { isComposing: true });
  press(other, "j");
  letGo();
  press(link, " ");
  equal(done, []);
});
