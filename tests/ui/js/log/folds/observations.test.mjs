import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { contains, emptySightings, foldSightings } from "../../../../../ui/session_view/js/log/folds/observations.js";
import { entry, event, startAt } from "../../log_entries.mjs";

beforeEach(() => startAt());

const look = (kind, body = {}, count = 1) => ({ text: "", kind, body, count });

function seen(observations, ...batches) {
  const sightings = emptySightings(observations);
  for (const entries of batches) foldSightings(sightings, entries);
  return sightings.map(({ seq }) => seq);
}

test("a value contains another if it has all of its members, at any depth", () => {
  const body = { author: "A", actions: { escalate: true, state_delta: { n: null, "app:x": 0 } } };
  assert.equal(contains(body, { author: "A", actions: { escalate: true } }), true);
  assert.equal(contains(body, { author: "A", actions: { escalate: false } }), false);
  assert.equal(contains(body, { author: "B", actions: { escalate: true } }), false);
  assert.equal(contains(body, { actions: { missing: { deeper: 1 } } }), false);
  assert.equal(contains(body, { actions: { state_delta: { "app:x": 0 } } }), true);
  assert.equal(contains(body, { actions: { state_delta: { "app:x": "0" } } }), false);
});

test("an empty object is anything that is there, null and false too", () => {
  assert.equal(contains({ n: null, f: false }, { n: {}, f: {} }), true);
  assert.equal(contains({}, { n: {} }), false);
  assert.equal(contains({ n: [] }, { n: {} }), false, "nothing is in it");
  assert.equal(contains({ n: [null] }, { n: {} }), true);
});

test("of a list on either side one match is enough", () => {
  const parts = [{ text: "x" }, { function_call: { name: "f", args: { a: 1 } } }];
  assert.equal(contains({ parts }, { parts: { function_call: { name: "f", args: { a: {} } } } }), true);
  assert.equal(contains({ parts }, { parts: { function_call: { name: "g" } } }), false);
  assert.equal(contains({ parts }, { parts: { text: "x", function_call: {} } }), false, "both of one part");
  assert.equal(contains({ author: "B" }, { author: ["A", "B"] }), true);
  assert.equal(contains({ author: "C" }, { author: ["A", "B"] }), false);
  assert.equal(contains({ failed: ["one", "two"] }, { failed: "two" }), true);
  assert.equal(contains({ failed: [] }, { failed: "two" }), false);
});

test("an observation is seen with the first entry of its kind that contains its body, and stays so", () => {
  const entries = [
    entry("loop_iteration", { iteration: 1 }),
    event("A", "x", { delta: { iteration: 2 } }),
    entry("loop_iteration", { iteration: 2 }),
    entry("loop_iteration", { iteration: 2 }),
  ];
  assert.deepEqual(seen([look("loop_iteration", { iteration: 2 }), look("transfer"), look("event")], entries), [3, null, 2]);
});

test("entries may come one by one; a count is of entries", () => {
  const entries = [event("A", "x"), event("B", "x"), event("A", "x"), event("A", "x")];
  const thrice = look("event", { author: "A" }, 3);
  assert.deepEqual(seen([thrice], ...entries.map((one) => [one])), seen([thrice], entries));
  assert.deepEqual(seen([thrice], entries), [4]);
  assert.deepEqual(seen([thrice], entries.slice(0, 3)), [null]);
});
