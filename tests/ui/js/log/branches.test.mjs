import assert from "node:assert/strict";
import { test } from "node:test";
import {
  contains,
  lastSegment,
  parentOf,
  requestTo,
  toolAgent,
  toolBranches,
} from "../../../../ui/session_view/js/log/branches.js";

test("a branch is in another by whole segments", () => {
  assert.ok(contains("P.A", "P.A.Q.B") && contains("", "P") && contains("P", "P") && !contains("P.A", "P.AB"));
  assert.deepEqual([lastSegment("P.A"), parentOf("P.A"), parentOf("P"), lastSegment("")], ["A", "P", "", ""]);
});

test("the agents at work as tools around a branch, outermost first", () => {
  assert.deepEqual(toolBranches("P.A.helper:1a2b3c.Q.B"), ["P.A.helper:1a2b3c"]);
  assert.deepEqual(toolBranches("x:111111.y:222222"), ["x:111111", "x:111111.y:222222"]);
  assert.deepEqual([toolBranches("P.A"), toolBranches("")], [[], []]);
  assert.equal(toolAgent("P.A.helper:1a2b3c"), "helper");
});

test("a user's event is a request only inside such a branch", () => {
  assert.equal(requestTo({ author: "user", branch: "x:111111.Q.B" }), "x");
  assert.equal(requestTo({ author: "user", branch: "P.A" }), null);
  assert.equal(requestTo({ author: "user" }), null);
  const answer = { parts: [{ function_response: { id: "1", name: "ask", response: {} } }] };
  assert.equal(requestTo({ author: "user", branch: "x:@111111", content: answer }), null);
  assert.equal(requestTo({ author: "x", branch: "x:111111" }), null);
});
