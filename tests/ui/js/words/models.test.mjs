import assert from "node:assert/strict";
import { test } from "node:test";
import {
  codeWords,
  driftWords,
  loadingWords,
  protocolWords,
  retryWords,
  stoppedWords,
  tryingWords,
} from "../../../../ui/session_view/js/words/models.js";

test("a try that failed, and the next one", () => {
  assert.equal(retryWords({ model: "m", attempt: 1, delay: 1.3, code: "503" }), "The model m failed (503). Try 2 in 1.3 s");
  assert.equal(
    retryWords({ model: "m", attempt: 2, delay: 0, code: "CONNECTION_CUT" }),
    "The model m failed (connection cut). Try 3 at once",
  );
  assert.equal(
    retryWords({ model: "m", attempt: 1, delay: 4, code: "503", replayed: true }),
    "The model m failed (503) when this was recorded, and was tried again",
  );
  assert.equal(codeWords("RESOURCE_EXHAUSTED"), "resource exhausted");
});

test("while a try is waited for, and then made", () => {
  const held = { agent: "A", model: "m", attempt: 1, delay: 4, code: "503", at: 100 };
  assert.equal(tryingWords(held, 101.5), "A: m failed (503), try 2 in 3 s");
  assert.equal(tryingWords(held, 50), "A: m failed (503), try 2 in 4 s", "clocks differ");
  assert.equal(tryingWords(held, 104), "A: try 2 of m");
});

test("a call that was stopped", () => {
  assert.equal(stoppedWords({ first_token: 0.2, duration: 1.9 }), "was stopped in the middle of its answer, after 1.9 s");
  assert.equal(stoppedWords({ duration: 1.9 }), "was stopped before its first word, after 1.9 s");
});

test("what drifted, how tools are called, what is loaded", () => {
  assert.equal(
    driftWords({ drifted: ["instruction", "conversation", "tools"] }),
    "The request is not the recorded one: instruction, conversation and tools changed",
  );
  assert.equal(driftWords({}), "The request is not the recorded one");
  assert.equal(protocolWords({ protocol: "json" }), "Tools are called by JSON that the model writes");
  assert.equal(protocolWords({ protocol: "of tomorrow" }), "Tools are called by the protocol of tomorrow");
  assert.equal(loadingWords({ model: "m", seconds: null, bytes: 98e6 }), "Loading the model m (98 MB) …");
  assert.equal(loadingWords({ model: "m", progress: 0.42 }), "Loading the model m (42 %) …");
  assert.equal(loadingWords({ model: "m", seconds: 1.04, bytes: 98e6 }), "Loaded the model m in 1.0 s, 98 MB");
  assert.equal(loadingWords({ model: "m", over: true }), "The model m was not loaded");
});
