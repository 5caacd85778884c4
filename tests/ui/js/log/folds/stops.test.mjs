import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { CALLS_LIMIT } from "../../../../../ui/session_view/js/log/failures.js";
import { emptyStops, foldStops, marksOnTrack, turnFrom } from "../../../../../ui/session_view/js/log/folds/stops.js";
import { append, emptyLog } from "../../../../../ui/session_view/js/log/log.js";
import { entry, event, startAt } from "../../log_entries.mjs";

beforeEach(() => startAt());

function stopsOf(entries) {
  const log = emptyLog();
  append(log, entries);
  return log.stops;
}

const begins = (agent, branch) => entry("agent_started", { agent, branch });

test("a turn begins where another agent speaks, or the same one has started again", () => {
  const stops = stopsOf([
    event("user", "go"),
    begins("A"),
    event("A", "calls a tool"),
    event("A", "answers"),
    begins("A"),
    event("A", "second pass"),
    event("B", "left", { branch: "x" }),
    event("B", "right", { branch: "y" }),
  ]);
  assert.deepEqual(stops.turns, [1, 2, 4, 5, 6]);
  assert.deepEqual([turnFrom(stops, 2, 1), turnFrom(stops, 3, -1), turnFrom(stops, 1, -1), turnFrom(stops, 6, 1)], [
    4,
    2,
    null,
    null,
  ]);
});

test("user messages, passes and errors are marked, where the pass's first event will be", () => {
  const stops = stopsOf([
    event("user", "go"),
    entry("loop_iteration", { agent: "L", iteration: 1 }),
    event("A", "one"),
    entry("loop_iteration", { agent: "L", iteration: 2 }),
    event("A", null, { error_code: "X" }),
    entry("run_finished", { status: "failed" }),
  ]);
  assert.deepEqual(stops.marks, [
    { at: 1, kind: "user" },
    { at: 2, kind: "pass" },
    { at: 3, kind: "pass" },
    { at: 3, kind: "error" },
  ]);
});

test("a limit of calls is no error, nor is an agent's request to its tool a user's message", () => {
  assert.deepEqual(stopsOf([event("user", "do", { branch: "A.call:1.B" })]).marks, []);
  const stops = emptyStops();
  const limit = { error_code: CALLS_LIMIT, error_message: "enough" };
  foldStops(stops, event("A", null, limit), 1);
  foldStops(stops, entry("run_finished", { status: "failed", ...limit }), 1);
  assert.deepEqual(stops.marks, []);
});

test("a track shows one mark a place, errors first, however many there are", () => {
  const many = Array.from({ length: 5000 }, (_, i) => ({ at: i + 1, kind: i === 700 ? "error" : "pass" }));
  const shown = marksOnTrack(many, 5000, 100);
  assert.equal(shown.length, 101);
  assert.deepEqual([shown[0].share, shown.at(-1).share], [0, 1]);
  assert.equal(shown.filter(({ kind }) => kind === "error").length, 1);
  assert.deepEqual(marksOnTrack([{ at: 0, kind: "pass" }, { at: 2, kind: "pass" }], 1, 100).map(({ share }) => share), [1]);
});
