import assert from "node:assert/strict";
import { test } from "node:test";
import { FILTERS, filtersIn, filterWords, matcherOf, sameFilters } from "../../../../ui/session_view/js/filters/filters.js";
import { indexTree } from "../../../../ui/session_view/js/log/agent_tree.js";

const INDEX = indexTree(null);
const row = (author) => ({ type: "partial", partial: { author } });

test("an address sets those that it names with sense, and nothing else", () => {
  const read = (query) => filtersIn(new URLSearchParams(query));
  assert.deepEqual(read("agent=%3Cb%3E&tab=json"), { agent: "<b>" });
  for (const query of ["", "agent=", `agent=${"a".repeat(101)}`, "__proto__=x"]) assert.deepEqual(read(query), {});
});

test("each has a name of its own, which no other part of the address has", () => {
  const names = FILTERS.map(({ name }) => name);
  assert.equal(new Set([...names, "at", "event", "tab", "folds", "since", "stage"]).size, names.length + 6);
});

test("without a filter nothing is looked at; those that are set are said", () => {
  assert.deepEqual([matcherOf({}, INDEX), filterWords({})], [null, null]);
  assert.equal(filterWords({ agent: "Critic" }), "Critic");
  const matches = matcherOf({ agent: "Critic" }, INDEX);
  assert.deepEqual([matches(row("Critic")), matches(row("Refiner"))], [true, false]);
});

test("filters are the same where each is set to the same", () => {
  assert.ok(sameFilters({}, {}) && sameFilters({ agent: "A" }, { agent: "A" }));
  assert.ok(!sameFilters({ agent: "A" }, {}) && !sameFilters({ agent: "A" }, { agent: "B" }));
});
