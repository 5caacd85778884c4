import { focusedIn, h, replace, setAttribute, setText } from "../../../../ui/browser/js/elements.js";
import { equal, ok, show, test } from "../../js/stage.mjs";

test("an element has its tag, classes, attributes, handlers and children", () => {
  let clicked = 0;
  const button = h(
    "button.chip.on",
    { title: "T", hidden: false, disabled: null, "data-x": true, onclick: () => (clicked += 1) },
    "one ",
    h("b", {}, "two"),
    [null, false, [" three", 4]],
  );
  equal(
    button.outerHTML,
    '<button class="chip on" title="T" data-x="" dir="auto">one <b dir="auto">two</b> three4</button>',
  );
  button.click();
  equal(clicked, 1);
});

test("markup in data stays text, in children, attributes and replacements", () => {
  const bad = '<img src=x onerror="window.broken = 1">';
  const element = show(h("p", { title: bad }, bad)).firstChild;
  equal([element.children.length, element.textContent, element.title], [0, bad, bad]);
  replace(element, bad, h("i", {}, bad));
  equal([element.querySelectorAll("img").length, element.children.length], [0, 1]);
  setText(element, bad);
  equal([element.children.length, element.textContent, window.broken], [0, bad, undefined]);
});

test("a text that is the same is not written again", () => {
  const element = h("p", {}, "same");
  const node = element.firstChild;
  setText(element, "same");
  ok(element.firstChild === node);
  setText(element, "other");
  equal(element.textContent, "other");
});

test("an attribute goes with null, undefined and false, and is empty with true", () => {
  const element = h("p", {});
  for (const value of [null, undefined, false]) {
    element.setAttribute("x", "1");
    setAttribute(element, "x", value);
    ok(!element.hasAttribute("x"));
  }
  setAttribute(element, "x", true);
  setAttribute(element, "n", 0);
  equal([element.getAttribute("x"), element.getAttribute("n")], ["", "0"]);
});

test("an element takes its direction from its text; code, and what says otherwise, do not", () => {
  const arabic = "مرحبا";
  equal([h("b", {}, arabic), h("p", {}, [[arabic]]), h("input", {}), h("textarea", {})].map(({ dir }) => dir), [
    "auto",
    "auto",
    "auto",
    "auto",
  ]);
  equal(
    [h("pre", {}, arabic), h("p", { dir: null }, arabic), h("ul", {}, h("li", {}, arabic)), h("i", {}, "")].map((e) =>
      e.dir
    ),
    [
      "",
      "",
      "",
      "",
    ],
  );
  const later = h("i");
  setText(later, arabic);
  equal([later.dir, getComputedStyle(show(h("p", {}, arabic)).firstChild).direction], ["auto", "rtl"]);
});

test("the element with the focus is found in what holds it, also in a shadow root, and nowhere else", () => {
  const button = h("button", { type: "button" });
  const [full, empty] = [h("div", {}, button), h("div")];
  show(full, empty);
  equal([focusedIn(full), focusedIn(h("div"))], [null, null]);
  button.focus();
  ok(focusedIn(full) === button && focusedIn(button) === button);
  equal(focusedIn(empty), null);
});
