import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  CONFIRMATION,
  decisionOf,
  editsOf,
  emptyPending,
  foldPending,
  optionsOf,
  waitingCalls,
} from "../../../../../ui/session_view/js/log/folds/pending.js";
import { entry, event, startAt } from "../../log_entries.mjs";

beforeEach(() => startAt());

function pendingOf(...entries) {
  const pending = emptyPending();
  for (const one of entries) foldPending(pending, one);
  return pending;
}

const ask = (id = "q", more = {}) =>
  event("A", null, {
    long_running_tool_ids: [id],
    parts: [{
      function_call: {
        id,
        name: CONFIRMATION,
        args: {
          originalFunctionCall: { id: "o", name: "pay", args: { to: "x", amount: 5 } },
          toolConfirmation: { hint: "really?", confirmed: false, ...more },
        },
      },
    }],
  });
const later = () =>
  event("A", null, {
    long_running_tool_ids: ["l"],
    parts: [{ function_call: { id: "s", name: "short", args: {} } }, {
      function_call: { id: "l", name: "slow", args: { q: 1 } },
    }],
  });
const answer = (id, response, author = "user") =>
  event(author, null, { parts: [{ function_response: { id, name: "x", response } }] });

test("a confirmation waits as the call that it asks about; another call as itself; ordinary ones do not", () => {
  const calls = waitingCalls(pendingOf(ask(), later()));
  assert.deepEqual(
    calls.map(({ id, tool, args, hint, payload, asksApproval, agent }) => ({
      id,
      tool,
      args,
      hint,
      payload,
      asksApproval,
      agent,
    })),
    [
      { id: "q", tool: "pay", args: { to: "x", amount: 5 }, hint: "really?", payload: null, asksApproval: true, agent: "A" },
      { id: "l", tool: "slow", args: { q: 1 }, hint: "", payload: null, asksApproval: false, agent: "A" },
    ],
  );
});

test("an answer settles its call, and the first one counts", () => {
  const pending = pendingOf(ask(), later(), answer("l", { result: 4 }), answer("l", { result: 5 }), answer("unknown", {}));
  assert.deepEqual(waitingCalls(pending).map((call) => call.id), ["q"]);
  const call = pending.calls.get("l");
  assert.deepEqual([call.state, call.version, decisionOf(call)], ["answered", 1, {
    verdict: "answered",
    by: "the person",
    reason: "",
    edits: [],
    said: { result: 4 },
  }]);
});

test("a tool that answers its own long call leaves nothing waiting", () => {
  const pending = pendingOf(later(), answer("l", { status: "begun" }, "A"));
  assert.equal(pending.waiting.size, 0);
  assert.equal(decisionOf(pending.calls.get("l")).by, "A");
});

test("a later message gives calls up; a run that goes on does not, and an answer in a run of its own still counts", () => {
  const resumed = pendingOf(ask(), entry("run_started", { resumed: true }));
  assert.equal(resumed.waiting.size, 1);
  const given = pendingOf(ask(), entry("run_started"));
  assert.deepEqual([given.waiting.size, given.calls.get("q").state], [0, "over"]);
  assert.equal(pendingOf(ask(), entry("run_started"), answer("q", { confirmed: true })).calls.get("q").state, "answered");
});

test("a run that ended waits for nothing, one that paused does", () => {
  assert.equal(pendingOf(ask(), entry("run_finished", { status: "paused" })).waiting.size, 1);
  for (const status of ["failed", "stopped", "interrupted", "completed"]) {
    const ended = pendingOf(
      ask(),
      entry("run_finished", { status: "paused" }),
      entry("run_started", { resumed: true }),
      entry("run_finished", { status }),
    );
    assert.deepEqual([ended.waiting.size, ended.calls.get("q").state], [0, "over"]);
  }
});

test("decisions: with other arguments, with a reason, with a payload, and as ADK's page wraps them", () => {
  const decided = (response, more) => decisionOf(pendingOf(ask("q", more), answer("q", response)).calls.get("q"));
  assert.deepEqual(decided({ confirmed: true }), {
    verdict: "approved",
    by: "the person",
    reason: "",
    edits: [],
    said: null,
  });
  assert.deepEqual(decided({ confirmed: true, args: { to: "x", amount: 4, urgent: true } }).edits, [
    { name: "amount", before: 5, after: 4, had: true, has: true },
    { name: "urgent", before: undefined, after: true, had: false, has: true },
  ]);
  assert.deepEqual(
    [decided({ confirmed: false, reason: "no" }).verdict, decided({ confirmed: false, reason: "no" }).reason],
    ["rejected", "no"],
  );
  assert.deepEqual(decided({ confirmed: true, payload: { days: 3 } }, { payload: { days: 0 } }).said, { days: 3 });
  assert.equal(decided({ confirmed: true, payload: { days: 0 } }, { payload: { days: 0 } }).said, null);
  assert.equal(decided({ response: '{"confirmed": true}' }).verdict, "approved");
  assert.equal(decided({ response: "{not json" }).verdict, "rejected", "what is no yes is none");
});

test("edits are what differs, by value", () => {
  assert.deepEqual(editsOf({ a: [1], b: { c: 1 } }, { a: [1], b: { c: 1 } }), []);
  assert.deepEqual(editsOf({ a: 1 }, {}), [{ name: "a", before: 1, after: undefined, had: true, has: false }]);
});

const waitingFor = (name, args) =>
  waitingCalls(
    pendingOf(event("A", null, { long_running_tool_ids: ["c"], parts: [{ function_call: { id: "c", name, args } }] })),
  )[0];
const option = (label, response = { result: label }) => ({ label, response });

test("a call of get_user_choice offers its options, each once; no other call does", () => {
  const choice = (args, name = "get_user_choice") => waitingFor(name, args);
  assert.deepEqual(optionsOf(choice({ options: ["tea", "coffee", "tea"] })), [option("tea"), option("coffee")]);
  assert.deepEqual(optionsOf(choice({ options: ["tea"] }, "other")), []);
  for (const args of [{}, { options: "tea" }, { options: [1, "tea"] }, { options: [] }]) {
    assert.deepEqual(optionsOf(choice(args)), []);
  }
});

test("a node's question offers what its schema lists, and to approve or reject where a node needs a confirmation", () => {
  const offered = (schema) => optionsOf(waitingFor("adk_request_input", { message: "?", response_schema: schema }));
  assert.deepEqual(offered({ type: "string", enum: ["10", "9", "10"] }), [option("10"), option("9")]);
  assert.deepEqual(offered({ type: "boolean" }), [option("Yes", { result: true }), option("No", { result: false })]);
  assert.deepEqual(
    offered({ type: "object", title: "ToolConfirmation", properties: {} }),
    [option("Approve", { confirmed: true }), option("Reject", { confirmed: false })],
  );
  for (const schema of [null, "text", [], {}, { type: "integer" }, { enum: [1] }]) assert.deepEqual(offered(schema), []);
});
