import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { append, emptyLog } from "../../../../ui/session_view/js/log/log.js";
import { stateAt } from "../../../../ui/session_view/js/log/state.js";
import { emptyTimeline, foldTimeline, momentAt } from "../../../../ui/session_view/js/log/timeline.js";
import { PLAYBOOK } from "../../../../ui/session_view/js/playbook/commits.js";
import { entry, event, startAt } from "../log_entries.mjs";

const CASES = JSON.parse(readFileSync(new URL("../../cursor_cases.json", import.meta.url), "utf8"));

beforeEach(() => startAt());

function logOf(entries) {
  const log = emptyLog();
  append(log, entries);
  return log;
}

/** A moment as the cases have it. */
function shown(log, seq) {
  const { running, call, playbook, spent } = momentAt(log, log.places.get(seq));
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
    entries.forEach((one, place) => {
      append(growing, [one]);
      const there = momentAt(whole, place);
      const call = there.call && { ...momentAt(growing, place).call };
      assert.deepEqual({ ...there, call }, { ...momentAt(growing, place), call });
      assert.deepEqual([...stateAt(whole, one.seq).state].sort(), [...growing.state].sort());
    });
  }
});

test("before the first entry, and after the last, there is no moment", () => {
  const log = { timeline: emptyTimeline(), entries: [event("A", "x")] };
  foldTimeline(log.timeline, log.entries[0], []);
  assert.deepEqual([momentAt(log, -1), momentAt(log, 1)], [null, null]);
  assert.deepEqual(momentAt(log, 0).running, []);
});

test("agents that a killed process left open end with the run's end", () => {
  const log = logOf([
    entry("run_started"),
    entry("agent_started", { agent: "Loop" }),
    entry("loop_iteration", { agent: "Loop", iteration: 1 }),
    entry("agent_started", { agent: "A", branch: "x" }),
    entry("run_finished", { status: "interrupted" }),
  ]);
  assert.deepEqual(momentAt(log, 3).running.map(({ agent, iteration }) => [agent, iteration]), [["Loop", 1], ["A", 0]]);
  assert.deepEqual(momentAt(log, 4).running, []);
});
