import { LastPicture } from "../../../../ui/session_view/js/view/last_picture.js";
import { equal, ok, root, test } from "../stage.mjs";

function stage() {
  const view = document.createElement("div");
  view.innerHTML = "<div id=list><p>one</p></div>";
  view.firstChild.style.cssText = "height: 40px; overflow: auto";
  view.querySelector("p").style.height = "400px";
  root().append(view);
  view.firstChild.scrollTop = 120;
  return { view, lastPicture: new LastPicture() };
}

test("a picture stays over the view until it is taken away, and can neither be used nor heard", () => {
  const { view, lastPicture } = stage();
  lastPicture.draw(view);
  const [, picture] = view.children;
  equal(picture.textContent, "one");
  equal(picture.firstChild.scrollTop, 120);
  equal([picture.inert, picture.getAttribute("aria-hidden"), picture.querySelector("[id]")], [true, "true", null]);
  equal(view.firstChild.id, "list");
  lastPicture.remove();
  equal(view.children.length, 1);
});

test("a second picture takes the place of the first", () => {
  const { view, lastPicture } = stage();
  lastPicture.draw(view);
  lastPicture.draw(view);
  equal(view.children.length, 2);
  ok(!view.lastChild.querySelector(".last-picture"), "and is not a picture of it");
  lastPicture.remove();
});
