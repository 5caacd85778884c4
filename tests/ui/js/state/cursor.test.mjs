import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { nextStop } from "../../../../ui/session_view/js/rows/stops.js";
import { Choices } from "../../../../ui/session_view/js/state/choices.js";
import { Cursor } from "../../../../ui/session_view/js/state/cursor.js";
import { Session } from "../../../../ui/session_view/js/state/session.js";
import { entry, event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

/** A session of a loop; what the bar was told last is in `bar`. */
function stage(entries = loop()) {
  const session = new Session();
  const receive = (more) => session.receive({ type: "log", entries: more, more: false });
  receive(entries);
  const choices = new Choices();
  const bar = {};
  const navigation = {
    select: (seq) => (choices.selected = seq),
    step: (by) => {
      const { rows } = session.book;
      choices.selected = nextStop(rows, rows.findIndex(({ key }) => key === choices.selected), by)?.seq ?? choices.selected;
    },
  };
  const cursor = new Cursor({
    session: () => session,
    choices,
    navigation,
    bar: () => ({ show: (position) => Object.assign(bar, position) }),
    toEnd: () => {},
    ask: () => cursor.paint(),
  });
  cursor.paint();
  return { cursor, choices, session, bar, receive, paint: () => (cursor.paint(), bar) };
}

function loop() {
  return [
    entry("run_started"),
    event("user", "tea"), // event 1, seq 2
    entry("agent_started", { agent: "Loop" }),
    entry("loop_iteration", { agent: "Loop", iteration: 1 }),
    entry("agent_started", { agent: "Critic" }),
    event("Critic", "one"), // 2, seq 6
    event("Critic", "one, said"), // 3, seq 7
    entry("loop_iteration", { agent: "Loop", iteration: 2 }),
    entry("agent_started", { agent: "Critic" }),
    event("Critic", "two"), // 4, seq 10
  ];
}

test("at the end it is live; an event's number moves it, and the last number is the end again", () => {
  const { cursor, choices, bar, paint } = stage();
  assert.deepEqual([bar.at, bar.events, bar.running], [null, 4, true]);
  cursor.toEvent(2);
  assert.deepEqual([choices.selected, paint().at, bar.who], [6, 2, "Critic, pass 1 of Loop"]);
  cursor.toEvent(-5);
  assert.equal(choices.selected, 2);
  cursor.toEvent(4);
  assert.equal(choices.selected, null);
});

test("steps go by event; forward from the last one is the end", () => {
  const { cursor, choices } = stage();
  cursor.step(-1);
  assert.equal(choices.selected, 10);
  cursor.step(-1);
  assert.equal(choices.selected, 7);
  cursor.step(1);
  cursor.step(1);
  assert.equal(choices.selected, null);
  cursor.step(1);
  assert.equal(choices.selected, null);
});

test("turns go to where an agent began, and past the last one to the end", () => {
  const { cursor, choices } = stage();
  const seen = [];
  for (const by of [-1, -1, -1, -1, 1, 1, 1]) {
    cursor.turn(by);
    seen.push(choices.selected);
  }
  assert.deepEqual(seen, [10, 6, 2, 2, 6, 10, null]);
});

test("new events do not move it, and are counted until it is back at the end", () => {
  const { cursor, choices, receive, paint } = stage();
  cursor.toEvent(2);
  paint();
  receive([event("Critic", "three"), event("Critic", "four")]);
  assert.deepEqual([choices.selected, paint().arrived, paint().at, paint().events], [6, 2, 2, 6]);
  cursor.toLive();
  assert.deepEqual([choices.selected, paint().arrived, paint().at], [null, 0, null]);
});

test("a link to the past of a stored session counts nothing as new", () => {
  const { cursor, choices, bar, session } = stage([]);
  session.caughtUp = false;
  cursor.paint();
  choices.selected = 6;
  session.receive({ type: "log", entries: loop(), more: false });
  cursor.paint();
  assert.deepEqual([bar.at, bar.arrived], [2, 0]);
});

test("nothing to move in: every key is left to the page", () => {
  const { cursor, bar } = stage([]);
  assert.deepEqual([cursor.step(1), cursor.turn(-1), cursor.toggle(), bar.events], [false, false, false, 0]);
});

test("it plays from where it is to the end, and who goes elsewhere stops it", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { cursor, choices, paint } = stage();
  cursor.setSpeed("event");
  cursor.toggle();
  mock.timers.tick(0);
  assert.deepEqual([choices.selected, paint().playing, paint().speed], [2, true, "event"], "from the beginning");
  mock.timers.tick(1000);
  assert.equal(choices.selected, 6);
  choices.selected = 10; // a click
  mock.timers.tick(1000);
  assert.deepEqual([choices.selected, paint().playing], [10, false]);
  cursor.toggle();
  assert.deepEqual([choices.selected, cursor.playing], [null, false], "after the last event there is the end");
  cursor.toEvent(3);
  cursor.toggle();
  mock.timers.tick(5000);
  assert.deepEqual([choices.selected, cursor.playing], [null, false]);
  mock.timers.reset();
});

test("a pinned event is where the bar marks it; a link to one that is not there marks nothing", () => {
  const { choices, paint } = stage();
  choices.since = "3";
  assert.equal(paint().pinned, 3);
  choices.since = "99";
  assert.equal(paint().pinned, null);
  choices.since = "start";
  assert.equal(paint().pinned, null);
});

test("a log that is still loading has no bar", () => {
  const { session, bar, cursor } = stage();
  session.caughtUp = false;
  cursor.paint();
  assert.equal(bar.events, 0);
});
