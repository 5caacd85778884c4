import { h } from "../../../../ui/browser/js/elements.js";
import { patch, writeOn } from "../../../../ui/session_view/js/markdown/patch.js";
import { equal, ok, show, test } from "../stage.mjs";

test("what is alike stays, and takes the new texts", () => {
  const old = h("ul.a", {}, h("li", {}, "one"), h("li", {}, "tw"));
  show(old);
  const [first, second] = old.children;
  ok(patch(old, h("ul.a", {}, h("li", {}, "one"), h("li", {}, "two"), h("li", {}, "three"))) === old);
  equal([old.outerHTML, old.children[0] === first, old.children[1] === second], [
    '<ul class="a"><li dir="auto">one</li><li dir="auto">two</li><li dir="auto">three</li></ul>',
    true,
    true,
  ]);
  patch(old, h("ul.a", {}, h("li", {}, h("b", {}, "1"))));
  equal(old.outerHTML, '<ul class="a"><li><b dir="auto">1</b></li></ul>');
});

test("what is another element is exchanged", () => {
  const holder = h("div", {}, h("p", {}, "a"));
  const fresh = h("p.b", {}, "a");
  ok(patch(holder.firstChild, fresh) === fresh);
  equal(holder.innerHTML, '<p class="b" dir="auto">a</p>');
});

test("a text that is only longer is added to, so that a selection in it stays", () => {
  const node = document.createTextNode("One");
  const marked = document.createRange();
  marked.setStart(node, 0);
  marked.setEnd(node, 3);
  writeOn(node, "One two");
  equal([node.data, marked.toString()], ["One two", "One"]);
  writeOn(node, "Other");
  equal(node.data, "Other");
});
