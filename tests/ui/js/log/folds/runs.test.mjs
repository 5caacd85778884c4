import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { foldRuns, workedInAll, workedSeconds } from "../../../../../ui/session_view/js/log/folds/runs.js";
import { entry, startAt } from "../../log_entries.mjs";

beforeEach(() => startAt());

function runsOf(...entries) {
  const runs = [];
  for (const one of entries) foldRuns(runs, one);
  return runs;
}

const call = () => entry("model_finished", { usage: { input: 10, output: 1 } });
const paused = [
  entry("run_started", { timestamp: 100 }),
  call(),
  entry("run_finished", { status: "paused", timestamp: 104, calls: 1, tokens: { input: 10, output: 1 }, duration: 4 }),
];
const resumed = entry("run_started", { resumed: true, timestamp: 9000 });

test("a run that pauses and goes on is one run; calls and tokens go on counting", () => {
  assert.deepEqual(runsOf(...paused).map((run) => [run.status, run.duration]), [["paused", 4]]);
  const [run, ...others] = runsOf(...paused, resumed, call());
  assert.deepEqual([others.length, run.number, run.status, run.calls, run.tokens], [0, 1, "running", 2, {
    input: 20,
    output: 2,
  }]);
  const [done] = runsOf(
    ...paused,
    resumed,
    call(),
    entry("run_finished", { status: "completed", calls: 2, tokens: { input: 20, output: 2 }, duration: 7 }),
  );
  assert.deepEqual([done.status, done.calls, done.duration], ["completed", 2, 7]);
});

test("paused time is not worked", () => {
  const [run] = runsOf(...paused, resumed);
  assert.equal(workedSeconds(run, 9003), 7);
  assert.equal(workedSeconds(runsOf(...paused)[0], 9999), 4);
  const [unmeasured] = runsOf(...paused, resumed, entry("run_finished", { status: "stopped", timestamp: 9002 }));
  assert.equal(unmeasured.duration, 6);
});

test("a later message leaves a paused run as it is; of another invocation nothing goes on", () => {
  assert.deepEqual(runsOf(...paused, entry("run_started", { invocation_id: "b" })).map((run) => run.status), [
    "paused",
    "running",
  ]);
  assert.deepEqual(runsOf(...paused, entry("run_started", { invocation_id: "b", resumed: true })).length, 2);
});

test("faults, the limit of calls and the error that ended a run are known", () => {
  const [run] = runsOf(
    entry("run_started", { faults: ["A:refuse:1"], max_llm_calls: 12 }),
    entry("run_finished", { status: "failed", error_code: "X" }),
  );
  assert.deepEqual([run.faults, run.limit, run.error], [["A:refuse:1"], 12, "X"]);
});

test("all runs together: what each worked, the last one up to now", () => {
  const next = entry("run_started", { invocation_id: "b", timestamp: 200 });
  assert.equal(workedInAll([], 1), null);
  assert.equal(workedInAll(runsOf(...paused), 9999), 4);
  assert.equal(workedInAll(runsOf(...paused, next), 203), 7);
  assert.equal(
    workedInAll(runsOf(...paused, next, entry("run_started", { invocation_id: "c", timestamp: 300 })), 301),
    5,
    "of a run that broke off nobody knows",
  );
});

test("thoughts are tokens that came back; a resumed run may have other models", () => {
  const [run] = runsOf(entry("run_started"), entry("model_finished", { usage: { input: 1, output: 2, thoughts: 3 } }));
  assert.deepEqual(run.tokens, { input: 1, output: 5 });
  const [went] = runsOf(...paused, entry("run_started", { resumed: true, simulated: true, model: "simulated" }));
  assert.equal(went.origin.simulated, true);
});
