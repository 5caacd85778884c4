// @ts-check
/** The turn of an agent that works with a model: THINK (the model), ACT (its calls), OBSERVE (their responses). */

import { hasError } from "../log/failures.js";

/** @import { EventBody } from "../log/entries.d.ts" */
/** @import { Step } from "./types.d.ts" */

/**
 * The step that an event is, or null for one outside of the loop.
 * @param {number | null} turn which THINK of the agent's turn it came from, if known
 * @param {EventBody} body
 * @returns {Step | null}
 *   `plain`: one answer without tools, of which only the stop reason is worth a word.
 */
export function stepOf(body, turn = null) {
  if (body.author === "user" || hasError(body)) return null;
  const parts = body.content?.parts ?? [];
  if (parts.some((part) => part.function_response)) {
    return { word: "OBSERVE", turn: null, reason: null, acts: false, plain: false };
  }
  if (!body.stop_reason) return null;
  const acts = parts.some((part) => part.function_call);
  return { word: "THINK", turn, reason: body.stop_reason, acts, plain: !acts && (turn ?? 1) <= 1 };
}
