import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseJson } from "../../../../ui/browser/js/json.js";
import { append, emptyLog, entryAt } from "../../../../ui/session_view/js/log/log.js";
import { callAt } from "../../../../ui/session_view/js/prompt/calls.js";
import { partText, promptOf } from "../../../../ui/session_view/js/prompt/prompt.js";
import { countTokens } from "../../../../ui/session_view/js/prompt/tokens.js";
import { entry, event, startAt } from "../log_entries.mjs";

const CASES = JSON.parse(readFileSync(new URL("../../cursor_cases.json", import.meta.url), "utf8"));

function caseOf(name) {
  const found = CASES.find(({ pipeline }) => pipeline === name);
  const log = emptyLog();
  append(log, found.entries);
  const prompt = (seq) => promptOf(log, callAt(log, entryAt(log, seq)), (text) => found.texts[text]);
  const calls = log.entries.filter(({ kind }) => kind === "model_started").map(({ seq }) => seq);
  return { ...found, log, prompt, calls };
}

for (const { pipeline } of CASES) {
  test(`what models of ${pipeline} were sent is what Python works out`, () => {
    const { prompts, prompt } = caseOf(pipeline);
    for (const { seq, contents, tokens } of prompts) {
      const found = prompt(seq);
      assert.deepEqual(found.contents.map(({ role, parts }) => ({ parts, role })), contents.map(plain));
      assert.deepEqual([found.inexact, countTokens(found.instruction)], [false, tokens]);
    }
  });

  test(`every character of an instruction of ${pipeline} is in one part`, () => {
    const { prompt, calls } = caseOf(pipeline);
    for (const seq of calls) {
      const { instruction, parts } = prompt(seq);
      const told = parts.filter(({ kind }) => ["identity", "instruction", "state", "playbook"].includes(kind));
      const squeezed = (text) => text.replace(/\s+/g, "");
      assert.equal(squeezed(told.map(({ text }) => text).join("")), squeezed(instruction));
    }
  });
}

/** A content of Python's; ids that the runtime gave are left out by both. */
const plain = ({ role, parts = [] }) => ({ parts, role });

test("a value of state names its key and the event that wrote it", () => {
  const { log, prompt, calls } = caseOf("iterative_writing");
  const critic = calls.find((seq) => entryAt(log, seq).body.agent === "CriticAgent");
  const { parts } = prompt(critic);
  const value = parts.find(({ kind }) => kind === "state");
  assert.equal(value.name, "current_document");
  assert.deepEqual([entryAt(log, value.seq).body.author, value.text], [
    "InitialWriterAgent",
    entryAt(log, value.seq).body.actions.state_delta.current_document,
  ]);
  assert.equal(parts[0].kind, "identity");
});

test("a message is measured once, however many calls are sent it", () => {
  const { prompt, calls } = caseOf("tool_loop");
  const [earlier, later] = calls.slice(-2).map((seq) => prompt(seq).parts.filter(({ kind }) => kind === "history"));
  assert.ok(earlier.length > 0 && later.length > earlier.length);
  assert.equal(later[0], earlier[0]);
});

test("each bullet that a generator was given is a part of its own", () => {
  const { log, prompt, calls } = caseOf("ace");
  const given = log.entries.filter(({ kind }) => kind === "playbook_given").at(-1);
  const later = calls.find((seq) => seq > given.seq);
  const bullets = prompt(later).parts.filter(({ kind }) => kind === "playbook");
  assert.deepEqual(bullets.map(({ name }) => name), given.body.bullet_ids);
  assert.ok(bullets.length > 0);
  assert.deepEqual(new Set(bullets.map(({ seq }) => seq)), new Set([given.seq]));
});

test("tools are declared with what they take, and a schema says what the answer has to be", () => {
  const { prompt, calls } = caseOf("tool_loop");
  const tools = prompt(calls[0]).parts.filter(({ kind }) => kind === "tools");
  assert.ok(tools.length > 0 && tools.every(({ text, name }) => JSON.parse(text).name === name));
  const withSchema = CASES.map(({ pipeline }) => caseOf(pipeline)).flatMap(({ prompt, calls }) => calls.map(prompt));
  assert.ok(withSchema.some(({ schema, parts }) => schema && parts.some(({ kind }) => kind === "schema")));
});

test("numbers in contents that a callback changed keep every digit", () => {
  startAt();
  const log = emptyLog();
  append(log, [entry("run_started"), entry("model_started", { agent: "A", call: 1, contents: { text: "c", count: 1 } })]);
  const contents = '[{"role":"user","parts":[{"function_response":{"name":"f","response":{"n":1234567890123456789}}}]}]';
  const { parts } = promptOf(log, callAt(log, entryAt(log, 2)), (name) => ({ c: contents })[name]);
  assert.equal(parts.at(-1).text, 'f → {"n":1234567890123456789}');
});

test("messages that a callback left out are shown with their events, of equal ones the earlier", () => {
  startAt();
  const log = emptyLog();
  const said = ["hello", "yes", "yes", "bye"].map((text) => event("user", text));
  const contents = { text: "c", count: 2, chosen_from: "default", until: said.at(-1).seq };
  append(log, [...said, entry("model_started", { agent: "A", call: 1, contents, quoted: true, joined: true })]);
  const sent = JSON.stringify(["yes", "bye"].map((text) => ({ role: "model", parts: [{ text }] })));
  const { parts, leftOut } = promptOf(log, callAt(log, null), () => sent);
  assert.deepEqual(leftOut.map(({ text, seq }) => [text, seq]), [["hello", said[0].seq], ["yes", said[1].seq]]);
  assert.deepEqual(parts.map(({ text }) => text), ["yes", "bye"]);
});

test("without its texts a call is what the record alone says", () => {
  const { log, calls } = caseOf("tool_loop");
  const { instruction, parts } = promptOf(log, callAt(log, entryAt(log, calls[0])), () => undefined);
  assert.equal(instruction, "");
  assert.ok(parts.some(({ kind, tokens }) => kind === "tools" && tokens === 0));
});

test("a part of a message as text", () => {
  assert.equal(partText({ text: "a" }), "a");
  assert.equal(partText({ function_call: { name: "f", args: { x: 1 } } }), 'f({"x":1})');
  assert.equal(partText({ function_response: { name: "f", response: { y: "<b>" } } }), 'f → {"y":"<b>"}');
  const args = parseJson('{"account":1234567890123456789,"amount":5.0}');
  assert.equal(partText({ function_call: { name: "f", args } }), 'f({"account":1234567890123456789,"amount":5.0})');
  assert.equal(partText({ inline_data: { mime_type: "image/png", data: "AAAA" } }), "[image/png, 4 characters of base64]");
  assert.equal(partText({ executable_code: { code: "1" } }), '{"executable_code":{"code":"1"}}');
});

test("a log from elsewhere may hold nonsense: what can be read is shown", () => {
  const nonsense = ["{", "null", "[]", "[1, null]", '"x"', "7", '{"a": 1}', "x".repeat(100_000)];
  for (const text of nonsense) {
    const log = emptyLog();
    const body = {
      invocation_id: "r",
      agent: "A",
      timestamp: 1,
      call: 1,
      model: "m",
      instruction: "i",
      contents: { text: "c", count: 1 },
      config: "s",
      declarations: "d",
      schema: "j",
      filled: [null, [0], ["a", "b", "c"], [5, 1, "k"], [0, 1e9, "k"], [-3, 2, "k"]],
      tools: ["t"],
    };
    append(log, [{ seq: 1, kind: "model_started", body }]);
    const { parts, contents } = promptOf(log, callAt(log, null), () => text);
    assert.ok(parts.length > 0 && Array.isArray(contents), text.slice(0, 20));
    assert.ok(parts.every((part) => typeof part.text === "string"));
  }
});
