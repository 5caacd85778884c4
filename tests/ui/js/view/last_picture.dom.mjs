import { Curtain } from "../../../../ui/session_view/js/view/curtain.js";
import { equal, ok, root, test } from "../stage.mjs";

function stage() {
  const view = document.createElement("div");
  view.innerHTML = "<div id=list><p>one</p></div>";
  view.firstChild.style.cssText = "height: 40px; overflow: auto";
  view.querySelector("p").style.height = "400px";
  root().append(view);
  view.firstChild.scrollTop = 120;
  return { view, curtain: new Curtain() };
}

test("a picture stays over the view until it is taken away, and can neither be used nor heard", () => {
  const { view, curtain } = stage();
  curtain.draw(view);
  const [, picture] = view.children;
  equal(picture.textContent, "one");
  equal(picture.firstChild.scrollTop, 120);
  equal([picture.inert, picture.getAttribute("aria-hidden"), picture.querySelector("[id]")], [true, "true", null]);
  equal(view.firstChild.id, "list");
  curtain.lift();
  equal(view.children.length, 1);
});

test("a second picture takes the place of the first", () => {
  const { view, curtain } = stage();
  curtain.draw(view);
  curtain.draw(view);
  equal(view.children.length, 2);
  ok(!view.lastChild.querySelector(".curtain"), "and is not a picture of it");
  curtain.lift();
});
