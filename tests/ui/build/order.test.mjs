import assert from "node:assert/strict";
import { test } from "node:test";
import { Order } from "../../../ui/build/js/tree/order.js";
import { agent, AGENTS, KINDS } from "./teams.mjs";

const order = new Order(AGENTS, KINDS);

test("what is below a folded agent is not seen", () => {
  assert.deepEqual(order.visible(new Set()), ["team", "loop", "writer", "critic", "joiner"]);
  assert.deepEqual(order.visible(new Set(["loop"])), ["team", "loop", "joiner"]);
  assert.deepEqual(order.visible(new Set(["team"])), ["team"]);
});

test("a step moves an agent among its siblings, out of its parent, or below the one before it", () => {
  assert.deepEqual(order.step("critic", "up"), { parent: "loop", position: 0 });
  assert.equal(order.step("critic", "down"), null);
  assert.deepEqual(order.step("critic", "out"), { parent: "team", position: 1 });
  assert.deepEqual(order.step("joiner", "in"), { parent: "loop", position: 2 });
  assert.deepEqual(["up", "down", "out", "in"].map((way) => order.step("team", way)), [null, null, null, null]);
});

test("positions of a drop do not count the agent that is moved", () => {
  assert.deepEqual(order.drop("writer", "critic", "after"), { parent: "loop", position: 1 });
  assert.deepEqual(order.drop("joiner", "writer", "before"), { parent: "loop", position: 0 });
  assert.deepEqual(order.drop("writer", "loop", "inside"), { parent: "loop", position: 1 });
});

test("no agent goes below itself, beside the first one, or away from the tool that calls it", () => {
  const called = new Order([...AGENTS, agent("helper", "writer", { called: true })], KINDS);
  assert.equal(order.drop("loop", "writer", "inside"), null);
  assert.equal(order.drop("loop", "loop", "after"), null);
  assert.equal(order.drop("writer", "team", "before"), null);
  assert.equal(called.drop("helper", "team", "inside"), null);
  assert.equal(called.drop("critic", "helper", "after"), null);
  assert.equal(called.step("helper", "out"), null);
  assert.deepEqual(called.drop("critic", "writer", "inside"), { parent: "writer", position: 0 });
});

test("a new agent usually goes below what runs others, and after what does not", () => {
  const words = (name) => order.spots(name).map((spot) => spot.words);
  assert.deepEqual(words("team"), ["below team"]);
  assert.deepEqual(words("loop"), ["below loop", "after loop"]);
  assert.deepEqual(words("writer"), ["after writer", "below writer"]);
  assert.deepEqual(order.spots("writer")[0].position, 1);
});

test("names that stand twice make no endless way up", () => {
  const twice = new Order([agent("a", null), agent("a", "a"), agent("b", "a")], KINDS);
  assert.deepEqual([twice.level("b"), twice.isWithin("b", "c")], [2, false]);
});

test("below a class that is not known nothing is added", () => {
  const own = new Order([agent("mine", null, { kind: "" }), agent("writer", "mine")], KINDS);
  assert.deepEqual(own.spots("mine"), []);
  assert.equal(own.drop("writer", "mine", "inside"), null);
});
