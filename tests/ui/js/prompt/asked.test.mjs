import assert from "node:assert/strict";
import { test } from "node:test";
import { append, emptyLog } from "../../../../ui/session_view/js/log/log.js";
import { promptAsked } from "../../../../ui/session_view/js/prompt/asked.js";
import { call } from "../cards/desk.mjs";

const LOG = emptyLog();
append(LOG, [
  event(1, "user", "user", [{ text: "a story" }]),
  event(2, "A", "model", [{ function_call: { id: "q", name: "playground_request_answer", args: {} } }]),
  event(3, "A", "model", [{ text: "later" }]),
]);

function event(seq, author, role, parts) {
  return {
    seq,
    kind: "event",
    body: { id: `e${seq}`, author, invocation_id: "run", timestamp: seq, content: { role, parts } },
  };
}

/** Kind, name and text of each part of a question's prompt. */
function parts(args) {
  return promptAsked(LOG, call({ seq: 2, args })).parts.map(({ kind, name, text }) => [kind, name, text]);
}

test("the history is that before the question, by the rule that it names", () => {
  assert.deepEqual(parts({ instruction: "Judge.", select: "default" }), [
    ["instruction", "", "Judge."],
    ["history", "user", "a story"],
  ]);
});

test("messages, tools, settings and a schema that the question holds are shown as they are", () => {
  const prompt = promptAsked(
    LOG,
    call({
      seq: 2,
      args: {
        contents: [{ role: "user", parts: [{ text: "written" }] }],
        tools: [{ name: "pay", parameters: {} }],
        schema: { type: "object" },
        settings: { temperature: 0 },
      },
    }),
  );
  assert.deepEqual(prompt.parts.map(({ kind }) => kind), ["history", "tools", "schema"]);
  assert.deepEqual([prompt.parts[0].text, prompt.config], ["written", { temperature: 0 }]);
});

test("a question of another program, without what is asked, is an empty prompt", () => {
  assert.deepEqual(parts({}), []);
});
