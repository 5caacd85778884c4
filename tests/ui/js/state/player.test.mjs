import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { gapBetween, nextShown, Player } from "../../../../ui/session_view/js/state/player.js";
import { event, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

/** Events at seconds of a record, and the one after each. */
function record(...seconds) {
  const entries = seconds.map((timestamp) => event("A", "x", { timestamp }));
  return { entries, following: (entry) => entries[entry ? entries.indexOf(entry) + 1 : 0] ?? null };
}

test("gaps are those of the record, divided by the speed; long ones are shortened, and time never goes back", () => {
  const [a, b, c] = record(10, 11, 100).entries;
  assert.deepEqual(["1", "4", "16"].map((speed) => gapBetween(a, b, speed)), [1000, 250, 62.5]);
  assert.deepEqual(["1", "16"].map((speed) => gapBetween(b, c, speed)), [2000, 125]);
  assert.deepEqual([gapBetween(c, a, "1"), gapBetween(null, a, "1"), gapBetween(c, a, "event")], [0, 0, 1000]);
  assert.equal(gapBetween({ body: {} }, a, "1"), 0, "a record without times");
});

test("events closer than a frame are shown together, at their last one", () => {
  const { entries, following } = record(0, 0.004, 0.008, 1);
  assert.deepEqual(nextShown(null, following, "1"), { entry: entries[2], wait: 8 });
  assert.deepEqual(nextShown(entries[2], following, "1").entry, entries[3]);
  assert.deepEqual(nextShown(null, following, "event"), { entry: entries[0], wait: 0 });
  assert.equal(nextShown(entries[3], following, "1"), null);
});

test("a player shows one after another, and tells of the end", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { entries, following } = record(0, 1, 90);
  const shown = [];
  let at = null;
  const player = new Player({
    at: () => at,
    following,
    show: (entry) => shown.push(entries.indexOf(at = entry)),
    onEnd: () => (shown.push("end"), player.pause()),
  });
  player.speed = "4";
  player.play();
  assert.equal(player.playing, true);
  mock.timers.tick(0);
  mock.timers.tick(249);
  assert.deepEqual(shown, [0]);
  mock.timers.tick(1);
  assert.deepEqual(shown, [0, 1]);
  player.pause();
  mock.timers.tick(5000);
  assert.deepEqual([shown, player.playing], [[0, 1], false]);
  player.play();
  mock.timers.tick(500);
  assert.deepEqual([shown, player.playing], [[0, 1, 2, "end"], false]);
  mock.timers.reset();
});

test("who pauses while an event is shown has paused", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { following } = record(0, 1);
  let at = null;
  const player = new Player({ at: () => at, following, show: (entry) => (at = entry, player.pause()), onEnd: () => {} });
  player.play();
  mock.timers.tick(10000);
  assert.equal(player.playing, false);
  mock.timers.reset();
});
