import { h } from "../../../../ui/browser/js/elements.js";
import { listenToKeys } from "../../../../ui/browser/js/keyboard.js";
import { equal, press, root, show, test } from "../../js/stage.mjs";

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
    move: (by) => void done.push(`move ${by}`),
    turn: (by) => void done.push(`turn ${by}`),
    play: () => done.push("play"),
  });
  return { done, list, field, view, letGo };
}

test("j and k work anywhere, arrows only inside the list", () => {
  const { done, list, letGo } = stage();
  press(document.body, "j");
  press(document.body, "k");
  press(document.body, "ArrowDown");
  list.focus();
  for (const key of ["ArrowDown", "ArrowUp", "Home", "End", "Enter"]) press(list, key);
  letGo();
  equal(done, ["step 1", "step -1", "step 1", "step -1", "edge false", "edge true", "open"]);
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

test("left, right and space move the cursor and play, in the view and where nothing is focused", () => {
  const { done, list, letGo } = stage();
  press(document.body, "ArrowRight");
  press(document.body, "ArrowLeft", { shiftKey: true });
  press(document.body, "K", { shiftKey: true });
  equal(press(document.body, " ").defaultPrevented, true);
  list.focus();
  press(list, "ArrowLeft");
  press(list, " ");
  letGo();
  equal(done, ["move 1", "turn -1", "turn -1", "play", "move -1", "play"]);
});

test("a slider of the view is moved by event, by turn and played; what has arrows of its own keeps them", () => {
  const { done, view, letGo } = stage();
  const range = h("input", { type: "range" });
  const tab = h("button", { role: "tab" }, "State");
  const outside = h("input", { type: "range" });
  view.append(range, tab);
  root().append(outside);
  for (const element of [range, tab, outside]) {
    element.focus();
    for (const key of ["ArrowRight", " "]) press(element, key);
  }
  letGo();
  equal(done, ["move 1", "play"]);
});
