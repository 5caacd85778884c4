import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import {
  costOfCall,
  costOfSums,
  emptyUsage,
  foldUsage,
  meanSpeed,
  modelName,
  pricedNames,
  retriesOf,
  searchesOf,
  speedOf,
  tokensOf,
} from "../../../../../ui/session_view/js/log/folds/usage.js";
import { entry, startAt } from "../../log_entries.mjs";

beforeEach(() => startAt());

const CASES = JSON.parse(readFileSync(new URL("../../../../agents/models/price_cases.json", import.meta.url), "utf8"));
const TABLE = [["dear", 1, 2, 0.5], ["cheap", 0.1, 0.2, null], ["simulated*", 0, 0, null]];

function usageOf(...entries) {
  const usage = emptyUsage();
  for (const one of entries) foldUsage(usage, one);
  return usage;
}

const started = (agent, call, more = {}) => entry("model_started", { agent, call, model: "dear", ...more });
const finished = (agent, call, usage, more = {}) =>
  entry("model_finished", { agent, call, model: "dear", duration: 2, first_token: 1, usage, ...more });
const retry = (agent, call, more = {}) =>
  entry("model_retry", { agent, call, model: "dear", attempt: 1, delay: 1, code: "503", error: "busy", ...more });
const tokens = (sums) => Object.values(tokensOf(sums));

test("tokens, calls and times are summed by agent, model, run and for all", () => {
  const usage = usageOf(
    started("A", 1),
    finished("A", 1, { input: 10, output: 4, thoughts: 3, cached: 6 }),
    started("B", 2),
    finished("B", 2, { input: 1, output: 2 }, { model: "cheap", first_token: 0.5 }),
    finished("A", 1, { input: 100, output: 0 }, { invocation_id: "next", first_token: undefined }),
  );
  assert.deepEqual(tokens(usage.total), [111, 6, 3, 6]);
  assert.deepEqual([...usage.agents].map(([name, sums]) => [name, sums.calls, ...tokens(sums)]), [["A", 2, 110, 4, 3, 6], [
    "B",
    1,
    1,
    2,
    0,
    0,
  ]]);
  assert.deepEqual([...usage.models].map(([name, sums]) => [name, sums.calls]), [["dear", 2], ["cheap", 1]]);
  assert.deepEqual([...usage.runs].map(([name, sums]) => [name, sums.calls, sums.seconds]), [["run", 2, 4], ["next", 1, 2]]);
  assert.deepEqual(usage.total.first, { calls: 2, seconds: 1.5, longest: 1 });
});

test("each prefix of a log folds to what that prefix alone says", () => {
  const entries = [
    started("A", 1),
    retry("A", 1),
    finished("A", 1, { input: 10, output: 4 }),
    started("B", 2),
    finished("B", 2, {}, { error: "no" }),
  ];
  const whole = emptyUsage();
  entries.forEach((one, i) => {
    foldUsage(whole, one);
    assert.deepEqual(whole, usageOf(...entries.slice(0, i + 1)));
  });
});

test("calls that failed or were stopped are calls, and tell no tokens; tries that failed are none", () => {
  const { total, agents, open } = usageOf(
    started("A", 1),
    retry("A", 1),
    retry("A", 1),
    finished("A", 1, {}, { error: "ProviderError: 503" }),
    started("B", 2),
    finished("B", 2, {}, { error: "cancelled" }),
  );
  assert.deepEqual([total.calls, total.failed, total.stopped, total.retries, open.size], [2, 1, 1, 2, 0]);
  assert.deepEqual([agents.get("A").retries, agents.get("B").stopped], [2, 1]);
  assert.deepEqual(costOfSums(total, TABLE), { known: 0, priced: false, unpriced: [], silent: 2 });
});

test("a call whose end nobody wrote down counts once its run is over, and not before", () => {
  const cut = [started("A", 1)];
  assert.equal(usageOf(...cut).total.calls, 0);
  for (const end of [entry("run_finished", { status: "interrupted" }), entry("run_started", { invocation_id: "next" })]) {
    const { total, runs, open } = usageOf(...cut, end);
    assert.deepEqual([total.calls, total.stopped, runs.get("run").calls, open.size], [1, 1, 1, 0]);
  }
});

test("tries of one call are kept for it alone; what a record tells again was no try", () => {
  const usage = usageOf(started("A", 1), retry("A", 1), retry("A", 1, { code: "429" }), retry("A", 2, { replayed: true }));
  assert.deepEqual(retriesOf(usage, { invocation_id: "run", call: 1 }).map(({ code }) => code), ["503", "429"]);
  assert.deepEqual(retriesOf(usage, { invocation_id: "run", call: 2 }), []);
  assert.equal(usage.total.retries, 2);
});

test("tokens are priced by the model that has them", () => {
  const { total } = usageOf(
    finished("A", 1, { input: 1e6, output: 0 }),
    finished("A", 2, { input: 0, output: 1e6 }, { model: "cheap" }),
  );
  assert.deepEqual(costOfSums(total, TABLE), { known: 1.2, priced: true, unpriced: [], silent: 0 });
  assert.deepEqual(costOfSums(total, [["cheap", 0, 0.2, null]]), {
    known: 0.2,
    priced: true,
    unpriced: ["dear"],
    silent: 0,
  });
  assert.deepEqual(costOfSums(total, []), { known: 0, priced: false, unpriced: ["dear", "cheap"], silent: 0 });
});

test("what was kept is kept of its own call only", () => {
  const { total } = usageOf(finished("A", 1, { input: 10, cached: 1000 }), finished("A", 2, { input: 1000 }));
  assert.equal(costOfSums(total, TABLE).known, (10 * 0.5 + 1000) / 1e6);
});

test("a call that told no tokens may have cost something only where its model does", () => {
  const { total } = usageOf(
    finished("A", 1, {}, { model: "simulated", error: "no" }),
    finished("A", 2, { input: 0, output: 0 }),
    finished("A", 3, {}, { model: "unheard-of" }),
  );
  assert.deepEqual(costOfSums(total, TABLE), { known: 0, priced: false, unpriced: [], silent: 2 });
});

test("one call costs what sums of it alone do", () => {
  const call = finished("A", 1, { input: 300, output: 20, thoughts: 5, cached: 100 });
  assert.deepEqual(costOfCall(call.body, TABLE), costOfSums(usageOf(call).total, TABLE));
  assert.equal(costOfCall(call.body, TABLE).known, (200 + 100 * 0.5 + 25 * 2) / 1e6);
});

test("who answered has the price and the row; a version of who was asked, or a server's own name, has not", () => {
  const named = (model, answered_by) => [modelName({ model, answered_by }), pricedNames({ model, answered_by })[0]];
  assert.deepEqual(named("quick-or-careful", "gemini-2.5-pro"), ["gemini-2.5-pro", "gemini-2.5-pro"]);
  assert.deepEqual(named("models/gemini-2.5-flash", "gemini-2.5-flash-001"), ["gemini-2.5-flash", "gemini-2.5-flash-001"]);
  assert.deepEqual(named("llama/qwen", "/models/qwen.gguf"), ["llama/qwen", "llama/qwen"]);
  assert.deepEqual(named("replay/p/s", "gemini-2.5-pro"), ["replay/p/s", "replay/p/s"]);
  assert.deepEqual(named("dear", undefined), ["dear", "dear"]);
  const routed = { model: "dear", answered_by: "of-nobody", usage: { input: 1e6 } };
  assert.equal(costOfCall(routed, TABLE).known, 1, "without a price of its own, by who was asked");
});

for (const { asked, answered, names } of CASES.names) {
  test(`Python's case: ${asked} answered by ${answered} is priced by ${names}`, () => {
    assert.deepEqual(pricedNames({ model: asked, answered_by: answered }), names);
  });
}

for (const { model, calls, cost, unpriced } of CASES.costs) {
  test(`Python's case: calls of ${model} with ${calls} searches cost ${cost}${unpriced ? `, ${unpriced} unknown` : ""}`, () => {
    const rows = Object.entries(CASES.table).map(([name, row]) => [name, ...row]).sort((a, b) => b[0].length - a[0].length);
    const million = { input: 1e6, output: 1e6 };
    const made = calls.map((searches, call) => finished("A", call, million, { model, ...(searches && { searches }) }));
    const { total } = usageOf(...made);
    const found = costOfSums(total, [...rows, ["simulated*", 0, 0, null, 0, 0]]);
    assert.ok(Math.abs(found.known - cost) < 1e-9, String(found.known));
    assert.deepEqual(found.unpriced, unpriced ? [unpriced] : []);
    assert.equal(searchesOf(total), calls.reduce((sum, searches) => sum + searches));
  });
}

test("searches cost something without tokens, too", () => {
  const { total } = usageOf(finished("A", 1, {}, { searches: 2 }));
  assert.equal(costOfSums(total, [["dear", 1, 2, null, null, 500]]).known, 1);
  assert.deepEqual(costOfSums(total, TABLE).unpriced, ["Google searches of dear"]);
});

test("speed counts from the first word, or over all where all came at once, and not at all in an instant", () => {
  assert.equal(speedOf({ usage: { output: 10, thoughts: 10 }, duration: 3, first_token: 1 }), 10);
  assert.equal(speedOf({ usage: { output: 10 }, duration: 2, first_token: 1.999 }), 5);
  assert.equal(speedOf({ usage: { output: 10 }, duration: 2 }), 5);
  assert.equal(speedOf({ usage: { output: 10 }, duration: 0.004, first_token: 0.001 }), null);
  assert.equal(speedOf({ usage: {}, duration: 2 }), null);
  assert.equal(
    meanSpeed(usageOf(finished("A", 1, { output: 30 }), finished("A", 2, { output: 10 }), finished("A", 3, {})).total),
    20,
  );
  assert.equal(meanSpeed(usageOf().total), null);
});
