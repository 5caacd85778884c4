import { KeyedViews } from "../../../ui/session_list/js/keyed_views.js";
import { equal, ok, show, test, textOf } from "../js/stage.mjs";

function stage() {
  const parent = document.createElement("ul");
  let made = 0;
  const views = new KeyedViews(parent, () => ({ element: document.createElement("li"), number: ++made }));
  show(parent);
  const draw = (...keys) => {
    views.draw(keys, (view, index) => (view.element.textContent = `${keys[index]}${view.number}`));
    return [...parent.children].map(textOf);
  };
  return { views, draw };
}

test("views stand in the order of their keys, and a key that stays keeps its element", () => {
  const { views, draw } = stage();
  equal(draw("a", "b", "c"), ["a1", "b2", "c3"]);
  const { element } = views.get("b");
  equal(draw("c", "b", "d"), ["c3", "b2", "d4"]);
  ok(views.get("b").element === element);
  equal([views.get("a"), draw()], [undefined, []]);
  equal(draw("a"), ["a5"], "one that was gone is made anew");
});
