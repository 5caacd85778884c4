import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  isRealAnswer,
  isReplay,
  modelsOf,
  originAfter,
  originOf,
  replayIn,
  shownModel,
  wordsOf,
} from "../../../../ui/session_view/js/log/origin.js";

const CASES = JSON.parse(readFileSync(new URL("../../origin_cases.json", import.meta.url), "utf8"));

const said = ({ simulated, partly }) => (simulated ? (partly ? "partly" : "simulated") : "");

for (const { started, says } of CASES) {
  test(`as in the terminal, a run of ${JSON.stringify(started)} is ${says || "not"} simulated`, () => {
    assert.equal(said(originOf(started)), says);
  });
}

test("models that agents bring along are known once they answer", () => {
  const answer = { author: "A", stop_reason: "end_turn" };
  const simulation = { ...answer, custom_metadata: { simulated: true } };
  const start = originOf({ model: "simulated", simulated: true });
  const real = originAfter(start, answer);
  const both = originAfter(real, simulation);
  assert.deepEqual([start, real, both].map(said), ["simulated", "", "partly"]);
  assert.equal(said(originAfter(start, simulation)), "simulated");
  assert.equal(originAfter(start, { author: "user" }), start, "what a person says is no answer");
  assert.equal(originAfter(both, answer), both, "nothing new is the same object");
  assert.equal(said(originAfter(originOf({ model: "gemini-2.5-flash" }), simulation)), "");
});

test("the simulation is not shown as the model of a run without simulated answers: no agent asks it", () => {
  assert.equal(shownModel({ model: "simulated", simulated: false, agent_models: { A: "llama/qwen" } }), null);
  assert.equal(shownModel({ model: "simulated", simulated: true }), "simulated");
  assert.deepEqual([shownModel({ model: "tiny", simulated: false }), shownModel({})], ["tiny", null]);
});

test("records that answer are named, each once", () => {
  const { replays } = originOf({
    model: "replay/writing/s/1",
    agent_models: { A: "replay/writing/s/1", B: "replay/other/t", C: "simulated", D: null },
  });
  assert.deepEqual(replays, [{ pipeline: "writing", session: "s/1" }, { pipeline: "other", session: "t" }]);
  assert.deepEqual([isReplay("replay/p/s"), isReplay("replay/p"), isReplay("simulated")], [true, false, false]);
  assert.deepEqual(modelsOf({ agent_models: { A: "x", B: null } }), { model: null, own: [["A", "x"]] });
});

test("an event says that it was replayed, and what drifted", () => {
  assert.deepEqual(replayIn({ custom_metadata: { replay: { session: "s", run: 2, position: 3, drifted: ["tools"] } } }), {
    session: "s",
    where: "run 2, call 3 of this agent",
    drifted: ["tools"],
  });
  assert.deepEqual(replayIn({ custom_metadata: { replay: { session: "s", drifted: [] } } }), {
    session: "s",
    where: "",
    drifted: [],
  });
  assert.deepEqual([replayIn({}), replayIn({ custom_metadata: { replay: "x" } }), replayIn({ custom_metadata: null })], [
    null,
    null,
    null,
  ]);
  assert.deepEqual([wordsOf("tools"), wordsOf(["a", 1]), wordsOf(null)], [["tools"], ["a", "1"], []]);
});

test("a model's own answer is no simulation, no error, no fault and nothing that a person said", () => {
  const answer = { author: "A", stop_reason: "end_turn" };
  assert.equal(isRealAnswer(answer), true);
  for (
    const more of [
      { author: "user" },
      { stop_reason: null },
      { error_code: "X" },
      { custom_metadata: { simulated: true } },
      { custom_metadata: { injected_fault: "refuse" } },
    ]
  ) {
    assert.equal(isRealAnswer({ ...answer, ...more }), false);
  }
});
