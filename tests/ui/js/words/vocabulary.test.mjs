import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { driftWords, loadingWords, protocolWords, retryWords } from "../../../../ui/session_view/js/words/models.js";
import {
  caseWords,
  faultWords,
  forkWords,
  iterationLabel,
  loopEnding,
  recordedWords,
  routeWords,
  transcriptNoteWords,
  transferWords,
  triedWords,
} from "../../../../ui/session_view/js/words/records.js";
import { phrase, phraseParts, said } from "../../../../ui/session_view/js/words/vocabulary.js";

const CASES = JSON.parse(readFileSync(new URL("../../trace_cases.json", import.meta.url), "utf8"));

const SHOWN = {
  loop_iteration: iterationLabel,
  loop_finished: (body) => loopEnding(body, null),
  route_decided: (body) => {
    const { who, verb, key, about } = routeWords(body);
    return [who, verb, key, about && `(${about})`].filter(Boolean).join(" ");
  },
  transfer: transferWords,
  fault_injected: faultWords,
  replay_drifted: driftWords,
  model_retry: retryWords,
  tool_recorded: recordedWords,
  tool_protocol: protocolWords,
  forked: forkWords,
  transcript_note: transcriptNoteWords,
  case_run: caseWords,
  cases_tried: triedWords,
  model_loading: loadingWords,
  model_loaded: loadingWords,
};

for (const { kind, body, says } of CASES) {
  test(`as in the terminal: ${says}`, () => {
    assert.equal(SHOWN[kind](body), says);
  });
}

test("a phrase that there is not is none, whatever it is called", () => {
  assert.deepEqual([phrase("weather", "x"), phrase("transfer", "toString"), said("transfer", "x")], [null, null, ""]);
  assert.equal(said("transfer", "done", { agent: "$&", to: "{agent}" }), "$& handed over to {agent}", "fields are text");
});

test("a phrase comes in parts where its fields are drawn", () => {
  const drawn = { agent: ["A"], to: ["B"] };
  assert.deepEqual(phraseParts("transfer", "done", drawn), ["", drawn.agent, " handed over to ", drawn.to, ""]);
  assert.deepEqual(phraseParts("transfer", "no such phrase", drawn), [""]);
});
