import { searchBox } from "../../../ui/session_list/js/search_box.js";
import { equal, press, show, test, type } from "../js/stage.mjs";

test("it tells what is typed, and the arrow down leads out of it", () => {
  const done = [];
  const box = searchBox({ placeholder: "Search", onInput: () => done.push(box.value), onDown: () => done.push("down") });
  show(box);
  type(box, "lamp");
  equal([press(box, "a").defaultPrevented, press(box, "ArrowDown").defaultPrevented], [false, true]);
  equal(done, ["lamp", "down"]);
});
