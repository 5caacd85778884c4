import { h } from "../../../../ui/session_view/js/dom/elements.js";
import { listenToKeys } from "../../../../ui/session_view/js/dom/keyboard.js";
import { equal, press, root, show, test } from "../stage.mjs";

function stage() {
  const done = [];
  const list = h("div", { tabindex: "0" }, h("button", {}, "b"));
  const field = h("input", {});
  const view = show(list, field);
  const letGo = listenToKeys(view, list, {
    step: (by) => done.push(`step ${by}`),
    toEdge: (end) => done.push(`edge ${end}`),
    open: () => done.push("open"),
    escape: () => (done.push("escape"), false),
  });
  return { done, list, field, view, letGo };
}

test("j and k work anywhere, arrows only inside the list", () => {
  const { done, list, letGo } = stage();
  press(document.body, "j");
  press(document.body, "k");
  press(document.body, "ArrowDown");
  list.focus();
  for (const key of ["ArrowDown", "ArrowUp", "Home", "End", "Enter", " "]) press(list, key);
  letGo();
  equal(done, ["step 1", "step -1", "step 1", "step -1", "edge false", "edge true", "open", "open"]);
});

test("a key that does something is taken from the page; one that does not is left to it", () => {
  const { letGo } = stage();
  equal([press(document.body, "j").defaultPrevented, press(document.body, "Escape").defaultPrevented], [true, false]);
  equal(press(document.body, "x").defaultPrevented, false);
  letGo();
});

test("who types, holds another key, uses a button or looks at a dialog is left alone", () => {
  const { done, list, field, letGo } = stage();
  field.focus();
  press(field, "j");
  field.blur();
  press(document.body, "j", { ctrlKey: true });
  list.firstChild.focus();
  press(list.firstChild, "Enter");
  const dialog = h("div", { role: "dialog" });
  document.body.append(dialog);
  press(document.body, "j");
  dialog.remove();
  letGo();
  equal(done, []);
});

test("a slash goes to the chat input of the page", () => {
  const { letGo } = stage();
  equal(press(document.body, "/").defaultPrevented, false);
  const input = h("textarea", { "data-testid": "stChatInputTextArea" });
  document.body.append(input);
  equal(press(document.body, "/").defaultPrevented, true);
  equal(document.activeElement === input, true);
  input.remove();
  letGo();
});

test("nothing is done once it is let go of, or out of the page", () => {
  const { done, view, letGo } = stage();
  view.remove();
  press(document.body, "j");
  root().append(view);
  letGo();
  press(document.body, "j");
  equal(done, []);
});
