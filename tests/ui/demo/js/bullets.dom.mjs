import { Bullets } from "../../../../ui/demo/stage/bullets.js";
import { all, equal, show, test, textOf } from "../../js/stage.mjs";
import { learned } from "./pictures.mjs";

function news(element) {
  return all(element, ".new").map(textOf);
}

test("a bullet that was not there is marked as new, but not the first ones of a place", () => {
  const bullets = new Bullets();
  show(bullets.element);
  bullets.update(learned("a = b"));
  equal(news(bullets.element), []);
  bullets.update(learned("a = b", "c = d"));
  equal(news(bullets.element), ["b-2 c = d"]);
  bullets.update({ ...learned("a = b", "c = d", "e = f"), place: "demo 2" });
  equal(news(bullets.element), []);
  equal(textOf(bullets.kept), "3 bullets");
});

test("a bullet that was taken away is struck out", () => {
  const bullets = new Bullets();
  show(bullets.element);
  const picture = learned("a = b");
  bullets.update({ ...picture, bullets: picture.bullets.map((bullet) => ({ ...bullet, taken: true })) });
  equal(all(bullets.element, ".taken").length, 1);
});
