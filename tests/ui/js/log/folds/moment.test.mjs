import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { callOf, emptyMoment, foldMoment } from "../../../../../ui/session_view/js/log/folds/moment.js";
import { stateAt } from "../../../../../ui/session_view/js/log/folds/state.js";
import { append, emptyLog, entryAt, momentAt } from "../../../../../ui/session_view/js/log/log.js";
import { PLAYBOOK } from "../../../../../ui/session_view/js/log/references.js";
import { entry, event, startAt } from "../../log_entries.mjs";

const CASES = JSON.parse(readFileSync(new URL("../../../cursor_cases.json", import.meta.url), "utf8"));

beforeEach(() => startAt());

function logOf(entries) {
  const log = emptyLog();
  append(log, entries);
  return log;
}

/** A moment as the cases have it. */
function shown(log, seq) {
  const moment = momentAt(log, seq);
  const { running, playbook, spent } = moment;
  const call = callOf(moment, entryAt(log, seq));
  const state = [...stateAt(log, seq).state].filter(([key]) => key !== PLAYBOOK); // its bullets are in no log
  return {
    seq,
    state: Object.fromEntries(state.map(([key, held]) => [key, [held.seq, held.author]])),
    running: running.map(({ agent, branch, since, iteration }) => [agent, branch, since, iteration]),
    call: call && [call.agent, call.started, call.finished, call.answer],
    playbook: playbook && [playbook.playbook, playbook.revision],
    spent: [spent.calls, spent.input, spent.output],
  };
}

for (const { pipeline, entries, moments, values } of CASES) {
  test(`moments of ${pipeline} are those that Python finds`, () => {
    const log = logOf(entries);
    for (const expected of moments) {
      assert.deepEqual(shown(log, expected.seq), expected);
      for (const [key, held] of stateAt(log, expected.seq).state) {
        if (key !== PLAYBOOK) assert.deepEqual(held.value, values[`${key}@${held.seq}`]);
      }
    }
  });
}

test("a moment of a whole log is the end of the log that stops there", () => {
  for (const { entries } of CASES) {
    const whole = logOf(entries);
    const growing = emptyLog();
    for (const one of entries) {
      append(growing, [one]);
      assert.deepEqual(momentAt(whole, one.seq), growing.moment);
      assert.deepEqual(new Map(stateAt(whole, one.seq).state), growing.state);
    }
  }
});

test("a call is of its agent and branch, and over with its run", () => {
  const moment = emptyMoment();
  const call = (one) => (foldMoment(moment, one, []), callOf(moment, one)?.started ?? null);
  assert.deepEqual([
    call(entry("model_started", { agent: "A" })),
    call(entry("model_started", { agent: "A", branch: "x" })),
    call(event("A", "answers")),
    call(event("A", "answers", { branch: "x" })),
    call(event("B", "answers")),
    call(entry("run_finished", { status: "completed" })),
    call(event("A", "later")),
  ], [1, 2, 1, 2, null, null, null]);
});

test("agents that a killed process left open end with the run's end", () => {
  const log = logOf([
    entry("run_started"),
    entry("agent_started", { agent: "Loop" }),
    entry("loop_iteration", { agent: "Loop", iteration: 1 }),
    entry("agent_started", { agent: "A", branch: "x" }),
    entry("run_finished", { status: "interrupted" }),
  ]);
  assert.deepEqual(momentAt(log, 4).running.map(({ agent, iteration }) => [agent, iteration]), [["Loop", 1], ["A", 0]]);
  assert.deepEqual(momentAt(log, 5).running, []);
});
