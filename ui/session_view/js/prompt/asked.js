// @ts-check
/** The prompt of a call that the user answers as a model: it is in the question, whole, before any model was asked. */

import { writeJson } from "../../../browser/js/json.js";
import { promptOf } from "./prompt.js";

/** @import { RecordEntry } from "../log/entries.d.ts" */
/** @import { Log, PendingCall } from "../log/folds.d.ts" */

/**
 * @param {Log} log
 * @param {PendingCall} call
 */
export function promptAsked(log, { seq, agent, branch, invocation, args }) {
  const { instruction, tools = [], schema, settings, select, contents, filled } = args;
  /** @type {Record<string, string | undefined>} */
  const texts = {
    instruction: instruction ?? "",
    contents: contents && writeJson(contents),
    config: settings && writeJson(settings),
    declarations: tools.length ? writeJson([{ function_declarations: tools }]) : undefined,
    schema: schema && writeJson(schema),
  };
  const named = (/** @type {string} */ name) => texts[name] === undefined ? undefined : name;
  const body = {
    agent,
    branch,
    invocation_id: invocation,
    contents: select ? { select, until: seq - 1 } : { text: "contents" },
    instruction: "instruction",
    config: named("config"),
    declarations: named("declarations"),
    schema: named("schema"),
    filled,
    quoted: true,
    joined: true,
  };
  const started =
    /** @type {RecordEntry<"model_started">} */ (/** @type {unknown} */ ({ seq, kind: "model_started", body }));
  return promptOf(log, { started, finished: null, answer: null }, (name) => texts[name]);
}
