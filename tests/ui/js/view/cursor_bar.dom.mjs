import { CursorBar } from "../../../../ui/session_view/js/view/cursor_bar.js";
import { all, equal, frame, ok, show, test, textOf } from "../stage.mjs";

const POSITION = {
  at: null,
  events: 40,
  who: "",
  marks: [{ at: 1, kind: "user" }, { at: 12, kind: "pass" }, { at: 30, kind: "error" }],
  pinned: null,
  arrived: 0,
  running: false,
  playing: false,
  speed: "1",
};

function stage(position = {}) {
  const done = [];
  const note = (name) => (...values) => done.push([name, ...values].join(" "));
  const bar = new CursorBar({ onMove: note("move"), onPlay: note("play"), onSpeed: note("speed"), onLive: note("live") });
  show(bar.element);
  const tell = (more) => bar.show({ ...POSITION, ...position, ...more });
  tell({});
  const find = (selector) => bar.element.querySelector(selector);
  return { bar, done, tell, find, range: find("input") };
}

test("at the end it is calm, and says how many events there are", () => {
  const { bar, find, range } = stage();
  equal([bar.element.hidden, bar.element.classList.contains("past"), find(".to-live").disabled], [false, false, true]);
  equal([textOf(find(".where-at")), textOf(find(".to-live")), range.value], ["40 events", "End", "40"]);
  equal(range.getAttribute("aria-valuetext"), "the end, after 40 events");
});

test("in the past it says where, by whom, and how many came since", () => {
  const { bar, find, range, tell } = stage({ at: 12, who: "Critic, pass 2 of Loop", running: true, arrived: 3 });
  equal([bar.element.classList.contains("past"), textOf(find(".where-at")), range.value], [true, "12 of 40", "12"]);
  equal([textOf(find(".to-live")), find(".to-live").disabled], ["Live · 3 new", false]);
  equal([range.getAttribute("aria-label"), range.getAttribute("aria-valuetext")], [
    "Cursor",
    "event 12 of 40, Critic, pass 2 of Loop",
  ]);
  tell({ at: 0, who: "" });
  equal(range.getAttribute("aria-valuetext"), "before the first event");
});

test("buttons, the speed and the thumb are told; a drag once a frame, at its last place", async () => {
  const { done, find, range } = stage({ at: 5 });
  find(".play").click();
  find(".to-live").click();
  find(".speed").value = "16";
  find(".speed").onchange();
  for (const value of ["7", "9", "11"]) {
    range.value = value;
    range.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  await frame();
  equal(done, ["play", "live", "speed 16", "move 11"]);
});

test("the thumb stays under the hand until the move is shown", async () => {
  const { range, tell } = stage({ at: 5 });
  range.value = "20";
  range.dispatchEvent(new InputEvent("input", { bubbles: true }));
  tell({ at: 5 });
  equal(range.value, "20");
  await frame();
  tell({ at: 20 });
  equal(range.value, "20");
});

test("the track marks messages, passes, errors and a pinned event, each in a shape of its own", () => {
  const { bar, find, tell } = stage({ pinned: 20 });
  equal(all(bar.element, ".marks i").map((mark) => mark.className).sort(), ["error", "pass", "pin", "user"]);
  const first = find(".marks .user");
  tell({ pinned: 20, at: 3 });
  ok(find(".marks .user") === first, "marks are drawn again for nothing");
  tell({ pinned: null, events: 41 });
  equal(all(bar.element, ".marks .pin").length, 0);
});

test("play turns into pause, and nothing is there for a session without events", () => {
  const { bar, find, tell } = stage();
  equal(find(".play").ariaLabel, "Play");
  tell({ playing: true });
  equal(find(".play").ariaLabel, "Pause");
  tell({ events: 0 });
  equal(bar.element.hidden, true);
});
