// @ts-check
/** What the roles around a playbook answer: objects, of which a user wants to read one thing first. */

import { isAnswer } from "../log/folds/verdicts.js";
import { isObject } from "../../../browser/js/json.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { EventBody } from "../log/entries.d.ts" */

/**
 * @param {EventBody} body
 * @returns {{ text: string; thought: string; cited: string[] } | null} null for an event that sets no such output.
 */
export function outputOf(body) {
  const delta = body.author === "user" ? null : body.actions?.state_delta;
  if (!delta) return null;
  /** @param {string} key */
  const spoken = (key) => (isObject(delta[key]) && isSpoken(body) ? delta[key] : null);
  const answer = isAnswer(body) && spoken("generator_output");
  if (answer) {
    return {
      text: String(answer.final_answer ?? ""),
      thought: listed(answer.reasoning).join("\n"),
      cited: listed(answer.bullet_ids),
    };
  }
  const reflection = spoken("reflector_output");
  if (reflection) {
    return {
      text: insight(reflection),
      thought: [reflection.reasoning, reflection.root_cause_analysis].filter(Boolean).join("\n"),
      cited: [],
    };
  }
  const curation = spoken("curator_output");
  return curation ? { text: String(curation.reasoning ?? ""), thought: "", cited: [] } : null;
}

/**
 * Whether an event's text is the object that it sets, and not a sentence about it.
 * @param {Pick<EventBody, "content">} body
 */
function isSpoken({ content }) {
  const text = (content?.parts ?? []).map((part) => (part.thought ? "" : (part.text ?? ""))).join("").trim();
  return text === "" || /^(```|[{[])/.test(text);
}

/** @param {Record<string, Json>} reflection */
function insight({ error_identification: error, correct_approach: approach, key_insight: key }) {
  const wrong = error && !/^none\.?$/i.test(String(error).trim());
  const said = [
    wrong && `Wrong: ${error}`,
    approach && `${wrong ? "Right" : "Next time"}: ${approach}`,
    key && `To remember: ${key}`,
  ];
  return said.filter(Boolean).join("\n") || "Nothing was found wrong.";
}

/**
 * @param {Json} value
 * @returns {string[]}
 */
export function listed(value) {
  return Array.isArray(value) ? value.map(String) : value ? [String(value)] : [];
}
