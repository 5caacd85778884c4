// @ts-check
/** Calls that wait for a user, and what became of them. A fold over the log. */

import { isObject, parseJson, sameJson } from "../../../../browser/js/json.js";

/** @import { Json } from "../../../../browser/js/types.d.ts" */
/** @import { Entry, EventEntry, FunctionCall } from "../entries.d.ts" */
/** @import { AnsweredCall, Option, Pending, PendingCall } from "../folds.d.ts" */
/** @typedef {"approved" | "rejected" | "answered" | "passed" | "refused"} Verdict */
/** @typedef {{ name: string; before: Json; after: Json; had: boolean; has: boolean }} Edit */

export const CONFIRMATION = "adk_request_confirmation";
export const AS_MODEL = "playground_request_answer";
/** How a node of a graph asks. */
export const REQUEST_INPUT = "adk_request_input";
/** Calls that ask the user; no model is ever sent them. */
export const QUESTIONS = new Set([CONFIRMATION, AS_MODEL, REQUEST_INPUT]);
const USER_CHOICE = "get_user_choice";
/** @type {Option[]} */
const APPROVE_OR_REJECT = [{ label: "Approve", response: { confirmed: true } }, {
  label: "Reject",
  response: { confirmed: false },
}];
/** @type {Option[]} */
const YES_OR_NO = [{ label: "Yes", response: { result: true } }, { label: "No", response: { result: false } }];

/** @returns {Pending} */
export function emptyPending() {
  return { calls: new Map(), waiting: new Set() };
}

/**
 * Takes in one entry.
 * @param {Pending} pending
 * @param {Entry} entry
 */
export function foldPending(pending, entry) {
  const { kind, body } = entry;
  if (kind === "run_started" ? !body.resumed : kind === "run_finished" && body.status !== "paused") {
    for (const call of waitingCalls(pending)) change(call, { state: "over" });
    pending.waiting.clear();
  }
  if (kind !== "event") return;
  if (pending.calls.size) takeAnswers(pending, entry);
  const later = body.long_running_tool_ids;
  if (!later?.length) return;
  for (const { function_call: call } of body.content?.parts ?? []) {
    if (!call?.id || !later.includes(call.id)) continue;
    pending.calls.set(call.id, pendingCall(call, entry));
    pending.waiting.add(call.id);
  }
}

/**
 * @param {FunctionCall} call
 * @param {EventEntry} eventEntry
 * @returns {PendingCall}
 */
function pendingCall(call, { seq, body }) {
  const asksApproval = call.name === CONFIRMATION;
  const { originalFunctionCall: original, toolConfirmation: asked } = (asksApproval && call.args) || {};
  const input = call.name === REQUEST_INPUT ? inputAsked(call.args ?? {}) : null;
  return {
    id: call.id,
    seq,
    at: body.timestamp,
    agent: body.author,
    branch: body.branch ?? null,
    invocation: body.invocation_id,
    asksApproval,
    asModel: call.name === AS_MODEL,
    tool: (asksApproval ? original?.name : input ? body.author : call.name) ?? "",
    args: (asksApproval ? original?.args : input ? input.args : call.args) ?? {},
    ...(input && { options: input.options, question: input.question }),
    hint: asked?.hint ?? "",
    payload: asked?.payload ?? null,
    state: "waiting",
    answer: null,
    version: 0,
  };
}

/**
 * The answers that a call offers to choose from; none for any other call.
 * @param {Pick<PendingCall, "tool" | "args" | "asksApproval" | "options">} call
 * @returns {Option[]}
 */
export function optionsOf({ tool, args, asksApproval, options }) {
  return options ?? (!asksApproval && tool === USER_CHOICE ? textsIn(args.options).map(asOption) : []);
}

/** @param {string} text @returns {Option} */
function asOption(text) {
  return { label: text, response: { result: text } };
}

/**
 * What a node of a graph asks: its words, what it shows with them, and the answers that its schema lists.
 * @param {Record<string, Json>} args
 */
function inputAsked({ message, payload, response_schema: schema }) {
  /** @type {Record<string, Json>} */
  const args = payload == null ? {} : { payload };
  return { question: String(message ?? ""), args, options: isObject(schema) ? optionsIn(schema) : [] };
}

/**
 * @param {Record<string, Json>} schema
 * @returns {Option[]}
 */
function optionsIn(schema) {
  if (schema.title === "ToolConfirmation") return APPROVE_OR_REJECT;
  return schema.type === "boolean" ? YES_OR_NO : textsIn(schema.enum).map(asOption);
}

/**
 * A list of texts without repetitions; [] for anything else.
 * @param {Json | undefined} list
 * @returns {string[]}
 */
function textsIn(list) {
  return Array.isArray(list) && list.every((item) => typeof item === "string") ? [...new Set(list)] : [];
}

/**
 * @param {Pending} pending
 * @param {EventEntry} eventEntry
 */
function takeAnswers(pending, { seq, body }) {
  for (const { function_response: given } of body.content?.parts ?? []) {
    const call = given && pending.calls.get(given.id);
    if (!call || call.state === "answered") continue;
    change(call, { state: "answered", answer: { seq, by: body.author, response: given.response ?? {} } });
    pending.waiting.delete(given.id);
  }
}

/**
 * @param {PendingCall} call
 * @param {Partial<PendingCall>} what
 */
function change(call, what) {
  Object.assign(call, what);
  call.version += 1;
}

/**
 * The calls that wait, in the order in which they were made.
 * @param {Pending} pending
 */
export function waitingCalls(pending) {
  return [...pending.calls.values()].filter(({ id }) => pending.waiting.has(id));
}

/**
 * @param {PendingCall} call
 * @returns {call is AnsweredCall}
 */
export function isAnswered(call) {
  return call.answer !== null;
}

/**
 * What was decided on an answered call.
 * @param {AnsweredCall} call
 * @returns {{ verdict: Verdict; by: string; reason: string; edits: Edit[]; said: Json }}
 */
export function decisionOf({ asksApproval, asModel, args, payload, answer }) {
  const response = unwrapped(answer.response);
  const by = answer.by === "user" ? "the person" : answer.by;
  if (asModel) {
    const verdict = response.pass === true ? "passed" : response.refuse === undefined ? "answered" : "refused";
    const reason = response.late === true ? "nobody answered in time" : String(response.refuse ?? "");
    return { verdict, by: response.late === true ? "the time limit" : by, reason, edits: [], said: null };
  }
  if (!asksApproval) return { verdict: "answered", by, reason: "", edits: [], said: response };
  const verdict = response.confirmed === true ? "approved" : "rejected";
  const edits = isObject(response.args) ? editsOf(args, response.args) : [];
  const added = response.payload == null || sameJson(response.payload, payload) ? null : response.payload;
  return { verdict, by, reason: String(response.reason ?? ""), edits, said: added };
}

/**
 * ADK's own page sends its answer as a text of JSON.
 * @param {Record<string, Json>} response
 * @returns {Record<string, Json>}
 */
function unwrapped(response) {
  if (typeof response.response !== "string" || Object.keys(response).length > 1) return response;
  try {
    return parseJson(response.response) ?? response;
  } catch {
    return response;
  }
}

/**
 * What differs between two sets of arguments: `[{name, before, after, had, has}]`.
 * @param {Record<string, Json>} before
 * @param {Record<string, Json>} after
 * @returns {Edit[]}
 */
export function editsOf(before, after) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => !(name in before && name in after && sameJson(before[name], after[name])))
    .map((name) => ({ name, before: before[name], after: after[name], had: name in before, has: name in after }));
}
