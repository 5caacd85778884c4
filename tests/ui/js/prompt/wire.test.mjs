import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "../../../../ui/browser/js/json.js";
import { asCommand, asJson, asText } from "../../../../ui/session_view/js/prompt/wire.js";

const PROMPT = {
  record: { started: { body: { model: "m-1" } } },
  instruction: "Don't say '$HOME' or `id`.",
  contents: [
    { role: "user", author: "user", seq: 1, parts: [{ text: "灯台\nEOF" }] },
    { role: "model", author: "A", seq: 2, parts: [{ text: "Wait." }, { function_call: { name: "f", args: { x: 1 } } }] },
    { role: "user", author: "A", seq: 3, parts: [{ function_response: { name: "f", response: { y: 2 } } }] },
  ],
  declarations: [{ function_declarations: [{ name: "f", description: "F.", parameters_json_schema: { type: "object" } }] }],
  schema: null,
  config: { temperature: 0.2 },
};

test("as text it reads from top to bottom", () => {
  assert.match(
    asText(PROMPT),
    /^# Instruction\n\nDon't say[^]*# user\n\n灯台\nEOF\n\n# A\n\nWait\.\nf\(\{"x":1\}\)[^]*# Tools/,
  );
});

test("as JSON it is the request: model, instruction, contents, tools, settings, schema", () => {
  const sent = JSON.parse(asJson({ ...PROMPT, schema: { type: "object" } }));
  assert.deepEqual(Object.keys(sent), ["model", "system_instruction", "contents", "tools", "config"]);
  assert.deepEqual(sent.config, { temperature: 0.2, response_schema: { type: "object" } });
  assert.deepEqual(sent.contents[1], { role: "model", parts: PROMPT.contents[1].parts });
});

test("as curl it has no key, a quoted body, and calls with their answers", () => {
  const command = asCommand(PROMPT);
  assert.match(command, /^curl "\$MODEL_URL\/chat\/completions" \\\n {2}-H "Authorization: Bearer \$MODEL_API_KEY"/);
  const body = command.slice(command.indexOf("'") + 1, -1);
  assert.doesNotMatch(body.replaceAll("'\\''", ""), /'/, "nothing ends the quotes");
  const { messages, tools, temperature } = JSON.parse(body.replaceAll("'\\''", "'"));
  assert.deepEqual(messages, [
    { role: "system", content: PROMPT.instruction },
    { role: "user", content: "灯台\nEOF" },
    {
      role: "assistant",
      content: "Wait.",
      tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: '{"x":1}' } }],
    },
    { role: "tool", tool_call_id: "call_1", content: '{"y":2}' },
  ]);
  assert.deepEqual([tools[0].function.parameters, temperature], [{ type: "object" }, 0.2]);
});

test("the smallest request is one, too", () => {
  const empty = { ...PROMPT, instruction: "", contents: [], declarations: [], config: {} };
  assert.equal(asText(empty), "");
  assert.deepEqual(JSON.parse(asJson(empty)), { model: "m-1", contents: [], config: {} });
});

test("numbers keep every digit in what is copied", () => {
  const numbers = parseJson('{"account":1234567890123456789,"amount":5.0}');
  const [call, answer] = [{ function_call: { name: "f", args: numbers } }, {
    function_response: { name: "f", response: numbers },
  }];
  const contents = [{ role: "model", author: "A", seq: 2, parts: [call] }, {
    role: "user",
    author: "A",
    seq: 3,
    parts: [answer],
  }];
  const tools = [{ function_declarations: [{ name: "f", parameters_json_schema: { const: numbers.account } }] }];
  const prompt = { ...PROMPT, contents, declarations: tools, schema: { const: numbers.account } };
  for (const copied of [asText(prompt), asJson(prompt), asCommand(prompt)]) {
    assert.ok(!copied.includes("number-"), copied);
    assert.equal(copied.match(/1234567890123456789/g).length, 4);
    assert.equal(copied.match(/\b5\.0\b/g).length, 2);
  }
});
