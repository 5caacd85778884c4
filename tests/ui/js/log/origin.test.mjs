import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isRealAnswer,
  isReplay,
  modelsOf,
  originAfter,
  originOf,
  replayIn,
  wordsOf,
} from "../../../../ui/session_view/js/log/origin.js";

const said = ({ simulated, partly }) => (simulated ? (partly ? "partly" : "simulated") : "");

test("a run says whether its answers are simulated, all or some of them", () => {
  const of = (model, own, simulated = model === "simulated") =>
    said(originOf({ model, simulated, ...(own && { agent_models: own }) }));
  assert.equal(of("simulated"), "simulated");
  assert.equal(of("gemini-2.5-flash"), "");
  assert.equal(of("gemini-2.5-flash", { A: "simulated" }), "partly");
  assert.equal(of("simulated", { A: "llama/qwen" }), "partly");
  assert.equal(of("gemini-2.5-flash", null, true), "partly", "an agent brings its simulation along");
  assert.equal(of(null, null, true), "simulated");
  assert.equal(of("tiny", null, true), "simulated", "a simulation of one's own");
});

test("models that agents bring along are known once they are asked", () => {
  const start = originOf({ model: "simulated", simulated: true });
  const real = originAfter(start, "gemini-2.5-pro");
  const both = originAfter(real, "simulated");
  assert.deepEqual([start, real, both].map(said), ["simulated", "", "partly"]);
  assert.equal(said(originAfter(start, "quick-or-careful")), "simulated");
  assert.equal(originAfter(both, "gemini-2.5-flash"), both, "nothing new is the same object");
  assert.equal(said(originAfter(originOf({ model: "gemini-2.5-flash" }), "simulated-quick")), "");
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
