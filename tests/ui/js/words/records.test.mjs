import assert from "node:assert/strict";
import { test } from "node:test";
import { CALLS_LIMIT } from "../../../../ui/session_view/js/log/failures.js";
import {
  endWords,
  faultWords,
  injectedInto,
  iterationLabel,
  leadsToSettings,
  limitWords,
  loopEnding,
  pauseWords,
  plannedFault,
  routeWords,
  settingValue,
  waitingWords,
} from "../../../../ui/session_view/js/words/records.js";

test("why a loop ended", () => {
  assert.equal(loopEnding({ reason: "max_iterations", iterations: 5 }, null), "the limit of 5 iterations was reached");
  assert.equal(loopEnding({ reason: "max_iterations", iterations: 1 }, null), "the limit of 1 iteration was reached");
  assert.equal(
    loopEnding({ reason: "escalated", by: "Checker" }, { author: "Checker", tool: null }),
    "Checker told it to end",
  );
  assert.equal(
    loopEnding({ reason: "escalated", by: "Checker" }, { author: "Checker", tool: "exit_loop" }),
    "Checker called exit_loop",
  );
  assert.equal(
    loopEnding({ reason: "escalated", by: "Checker" }, { author: "Other", tool: "exit_loop" }),
    "Checker told it to end",
  );
  assert.equal(loopEnding({ reason: "empty", iterations: 0 }, null), "it has no agents to run");
  assert.equal(loopEnding({ reason: "fell_over" }, null), "fell_over");
  assert.equal(iterationLabel({ iteration: 3, max_iterations: null }), "iteration 3");
  assert.equal(iterationLabel({ iteration: 2, max_iterations: 5 }), "iteration 2 of 5");
});

test("a route: chosen, chosen after failures, none, and of models", () => {
  const said = (body) => {
    const { who, verb, key, about } = routeWords(body);
    return [who, verb, key, about].filter(Boolean).join(" ");
  };
  assert.equal(said({ router: "R", level: "agent", key: "B", failed: [] }), "R chose B");
  assert.equal(said({ router: "R", level: "agent", key: "C", failed: ["A", "B"] }), "R chose C after A and B failed");
  assert.equal(said({ agent: "R", level: "agent", key: null }), "R chose none");
  assert.equal(said({ agent: "A", router: "Cost", level: "model", key: "m" }), "Cost chose m model of A");
  assert.equal(routeWords({ key: "B", error: "InjectedFaultError: asked" }).injected, true);
  assert.equal(routeWords({ key: "B", error: "ValueError: x" }).injected, false);
});

test("faults that happened and faults that were asked for", () => {
  assert.equal(faultWords({ fault: "fail_before", target: "A", agent: "A" }), "A fails before its first word");
  assert.equal(faultWords({ fault: "delay", target: "*", agent: "A", seconds: 3 }), "A is slow to begin: 3.0 s");
  assert.equal(faultWords({ fault: "of_tomorrow", target: "A" }), "A of tomorrow");
  assert.equal(plannedFault("A:refuse:2"), "A refuses to answer, call 2");
  assert.equal(plannedFault("A:delay:2:0.5"), "A is slow to begin for 0.5 s, call 2");
  assert.equal(plannedFault("*:refuse:0"), "every agent refuses to answer, every call");
});

test("what is the work of a fault says so", () => {
  assert.equal(injectedInto({ custom_metadata: { injected_fault: "malformed_json" } }), "answers with broken JSON");
  assert.equal(injectedInto({ custom_metadata: { injected_fault: "A:refuse:1" } }), "A refuses to answer, call 1");
  assert.ok(injectedInto({ error_code: "INJECTED_FAULT" }));
  assert.equal(injectedInto({ error_code: "X", custom_metadata: {} }), null);
});

test("ends: the limit of model calls is one, not a failure", () => {
  assert.deepEqual(endWords({ status: "failed", error_code: "X" }, 12), { title: "failed", look: "failed" });
  assert.deepEqual(endWords({ status: "failed", error_code: CALLS_LIMIT }, 12), {
    title: "stopped after 12 model calls, the limit of this run",
    look: "limit",
  });
  assert.equal(endWords({ status: "failed", error_code: CALLS_LIMIT }, 12, true).title, "stopped at the limit");
  assert.equal(limitWords(null), "stopped at the limit of model calls");
  const cutOff = { status: /** @type {const} */ ("paused"), cut_off: true };
  assert.deepEqual(endWords(cutOff, 12), { title: "cut off, as its server was gone", look: "interrupted" });
});

test("pauses and what waits", () => {
  assert.equal(waitingWords(1), "1 call waits for an answer");
  assert.equal(waitingWords(2), "2 calls wait for an answer");
  assert.equal(pauseWords({ waiting: 1, waited: null, over: false }), "1 call waits for an answer");
  assert.equal(pauseWords({ waiting: 1, waited: 0, over: false }), "went on after 0 ms");
  assert.equal(pauseWords({ waiting: 1, waited: null, over: true }), "given up by a later message");
});

test("settings read as switches and plain values", () => {
  assert.deepEqual([true, false, "dry", 3, null, undefined].map(settingValue), ["on", "off", "dry", "3", "null", "not set"]);
});

test("errors that are mended in Settings", () => {
  for (
    const code of [
      "API_KEY_MISSING",
      "API_KEY_INVALID",
      "401",
      "403",
      "404",
      "429",
      "CONNECTION_FAILED",
      "EXTRA_MISSING",
      "MODEL_FILE",
      429,
    ]
  ) assert.equal(leadsToSettings(code), true, String(code));
  for (const code of ["503", "TIMEOUT", "INJECTED_FAULT", "LLM_CALLS_LIMIT_EXCEEDED", null, undefined, ""]) {
    assert.equal(leadsToSettings(code), false, String(code));
  }
});
