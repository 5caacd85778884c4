import { h } from "../../../ui/browser/js/elements.js";
import { listenToKeys } from "../../../ui/session_list/js/keys.js";
import { equal, press, show, test } from "../js/stage.mjs";

function stage() {
  const done = [];
  const list = h("div", { tabindex: "0" }, h("button", {}, "b"));
  const other = h("input", {});
  show(list, other);
  const letGo = listenToKeys(list, {
    step: (by) => done.push(by),
    toEdge: (end) => done.push(end ? "last" : "first"),
    open: () => done.push("open"),
    type: (letter) => done.push(`type ${letter}`),
  });
  return { done, list, other, letGo };
}

test("each key does its part, and is taken from the rest of the page", () => {
  const { done, list, letGo } = stage();
  const heard = [];
  const hear = (event) => heard.push(event.key);
  document.addEventListener("keydown", hear, true);
  const keys = ["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", "Enter", " ", "j", "K", "ä", "7"];
  const taken = keys.map((key) => press(list, key).defaultPrevented);
  document.removeEventListener("keydown", hear, true);
  letGo();
  equal(done, [1, -1, 10, -10, "first", "last", "open", "open", "type j", "type K", "type ä", "type 7"]);
  equal([taken.every(Boolean), heard], [true, []]);
});

test("keys of the page, of shortcuts, of other elements and of a method of input are left alone", () => {
  const { done, list, other, letGo } = stage();
  for (const key of ["/", "?", "Escape", "Tab", "F5"]) equal(press(list, key).defaultPrevented, false, key);
  press(list, "j", { ctrlKey: true });
  press(list, "j", { metaKey: true });
  press(list, "j", { altKey: true });
  press(list, "Enter", { isComposing: true });
  press(list.firstChild, "Enter");
  press(other, "j");
  letGo();
  press(list, "Enter");
  equal(done, []);
});
