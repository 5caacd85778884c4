/** Calls that wait for a person, and what became of them. A fold over the log; knows no page and sends nothing. */

export const CONFIRMATION = "adk_request_confirmation";
const USER_CHOICE = "get_user_choice";

export function emptyPending() {
  return { calls: new Map(), waiting: new Set() };
}

/**
 * Takes in one entry. A call: `{id, seq, agent, invocation, asksApproval, tool, args, hint, payload, state, answer, version}`;
 * `state` is "waiting", "answered" or "over" (a later message gave it up, or its run ended), `version` grows with every change.
 */
export function foldPending(pending, entry) {
  const { kind, body } = entry;
  if (kind === "run_started" ? !body.resumed : kind === "run_finished" && body.status !== "paused") {
    for (const id of pending.waiting) change(pending.calls.get(id), { state: "over" });
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

function pendingCall(call, { seq, body }) {
  const asksApproval = call.name === CONFIRMATION;
  const { originalFunctionCall: original, toolConfirmation: asked } = (asksApproval && call.args) || {};
  return {
    id: call.id, seq, agent: body.author, invocation: body.invocation_id, asksApproval,
    tool: (asksApproval ? original?.name : call.name) ?? "", args: (asksApproval ? original?.args : call.args) ?? {},
    hint: asked?.hint ?? "", payload: asked?.payload ?? null, state: "waiting", answer: null, version: 0,
  };
}

/** The options that a call offers to choose from; none for any other call. */
export function optionsOf({ tool, args, asksApproval }) {
  const options = !asksApproval && tool === USER_CHOICE && Array.isArray(args.options) ? args.options : [];
  return options.every((option) => typeof option === "string") ? [...new Set(options)] : [];
}

function takeAnswers(pending, { seq, body }) {
  for (const { function_response: given } of body.content?.parts ?? []) {
    const call = given && pending.calls.get(given.id);
    if (!call || call.state === "answered") continue;
    change(call, { state: "answered", answer: { seq, by: body.author, response: given.response ?? {} } });
    pending.waiting.delete(given.id);
  }
}

function change(call, what) {
  Object.assign(call, what);
  call.version += 1;
}

/** The calls that wait, in the order in which they were made. */
export function waitingCalls(pending) {
  return [...pending.waiting].map((id) => pending.calls.get(id));
}

/**
 * What was decided on an answered call.
 * @returns {{verdict: "approved" | "rejected" | "answered", by: string, reason: string, edits: Array, said: *}}
 */
export function decisionOf({ asksApproval, args, payload, answer }) {
  const response = unwrapped(answer.response);
  const by = answer.by === "user" ? "the person" : answer.by;
  if (!asksApproval) return { verdict: "answered", by, reason: "", edits: [], said: response };
  const verdict = response.confirmed === true ? "approved" : "rejected";
  const edits = response.args && typeof response.args === "object" ? editsOf(args, response.args) : [];
  const added = response.payload == null || same(response.payload, payload) ? null : response.payload;
  return { verdict, by, reason: String(response.reason ?? ""), edits, said: added };
}

/** ADK's own page sends its answer as a text of JSON. */
function unwrapped(response) {
  if (typeof response.response !== "string" || Object.keys(response).length > 1) return response;
  try {
    return JSON.parse(response.response) ?? response;
  } catch {
    return response;
  }
}

/** What differs between two sets of arguments: `[{name, before, after, had, has}]`. */
export function editsOf(before, after) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => !(name in before && name in after && same(before[name], after[name])))
    .map((name) => ({ name, before: before[name], after: after[name], had: name in before, has: name in after }));
}

function same(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
