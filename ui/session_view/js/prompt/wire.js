// @ts-check
/** A prompt as text, as the JSON of a request, and as a `curl` command that sends it. */

import { partText } from "./prompt.js";
import { writeJson } from "../../../browser/js/json.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { Prompt, SentContent } from "./types.d.ts" */

/** @param {Prompt} prompt */
export function asText({ instruction, contents, declarations, schema }) {
  return [
    instruction && `# Instruction\n\n${instruction}`,
    ...contents.map(({ author, parts }) => `# ${author}\n\n${parts.map(partText).join("\n")}`),
    declarations.length && `# Tools\n\n${writeJson(declarations, null, 2)}`,
    schema && `# Schema of the answer\n\n${writeJson(schema, null, 2)}`,
  ].filter(Boolean).join("\n\n");
}

/** @param {Prompt} prompt */
export function asJson({ record, instruction, contents, declarations, schema, config }) {
  return writeJson(
    {
      model: record.started.body.model,
      ...(instruction && { system_instruction: instruction }),
      contents: contents.map(({ role, parts }) => ({ role, parts })),
      ...(declarations.length && { tools: declarations }),
      config: { ...config, ...(schema && { response_schema: schema }) },
    },
    null,
    2,
  );
}

/**
 * The request in the form that most servers read, chat completions. Address and key are variables of the shell.
 * @param {Prompt} prompt
 */
export function asCommand(prompt) {
  const body = writeJson(chatRequest(prompt), null, 2).replaceAll("'", "'\\''");
  return [
    'curl "$MODEL_URL/chat/completions" \\',
    '  -H "Authorization: Bearer $MODEL_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  --data-raw '${body}'`,
  ].join("\n");
}

/** @param {Prompt} prompt */
function chatRequest({ record, instruction, contents, declarations, schema, config }) {
  const functions = declarations.flatMap((tool) => tool?.function_declarations ?? []).filter(Boolean);
  return {
    model: record.started.body.model,
    messages: [...(instruction ? [{ role: "system", content: instruction }] : []), ...chatMessages(contents)],
    ...(functions.length && { tools: functions.map((one) => ({ type: "function", function: declaredFunction(one) })) }),
    ...(config.temperature != null && { temperature: config.temperature }),
    ...(config.max_output_tokens != null && { max_tokens: config.max_output_tokens }),
    ...(schema && { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } }),
  };
}

/** @param {Json} declared */
function declaredFunction({ name, description, parameters_json_schema: schema, parameters }) {
  return { name, description, parameters: schema ?? parameters ?? { type: "object", properties: {} } };
}

/**
 * Each call gets an id by its place, and its answer the same.
 * @param {SentContent[]} contents
 */
function chatMessages(contents) {
  let calls = 0;
  let answers = 0;
  return contents.flatMap(({ role, parts }) => {
    const responses = parts.flatMap(({ function_response: one }) => one ?? []);
    const called = parts.flatMap(({ function_call: one }) => one ?? []);
    const said = parts.filter((one) => !one.function_call && !one.function_response).map(partText).join("\n");
    const toolCalls = called.map(({ name, args }) => ({
      id: `call_${++calls}`,
      type: "function",
      function: { name, arguments: writeJson(args ?? {}) },
    }));
    const name = role === "model" ? "assistant" : "user";
    return [
      ...responses.map(({ response }) => ({
        role: "tool",
        tool_call_id: `call_${++answers}`,
        content: writeJson(response ?? null),
      })),
      ...(said || toolCalls.length
        ? [{ role: name, content: said || null, ...(toolCalls.length && { tool_calls: toolCalls }) }]
        : []),
    ];
  });
}
