import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { emptyUsage, foldUsage } from "../../../../ui/session_view/js/log/folds/usage.js";
import {
  callWords,
  costWords,
  missingWords,
  speedWords,
  sumsCells,
  sumsLine,
  totalFacts,
  troubleWords,
  tryWords,
} from "../../../../ui/session_view/js/words/usage.js";
import { entry, startAt } from "../log_entries.mjs";

beforeEach(() => startAt());

const TABLE = [["dear", 1, 2, 0.5]];
const call = (usage, more = {}) =>
  entry("model_finished", { agent: "A", call: 1, model: "dear", duration: 2, first_token: 1, usage, ...more });

function sumsOf(...entries) {
  const usage = emptyUsage();
  for (const one of entries) foldUsage(usage, one);
  return usage.total;
}

test("a cost says what it leaves out; what is not known is never nothing", () => {
  assert.equal(costWords({ known: 0, priced: true, unpriced: [] }), "$0");
  assert.equal(costWords({ known: 0.00041, priced: true, unpriced: ["x"] }), "≥$0.0004");
  assert.equal(costWords({ known: 0, priced: false, unpriced: ["x"] }), "no price");
  assert.equal(costWords({ known: 0, priced: false, unpriced: [] }), "");
});

test("what is missing in a cost is said", () => {
  assert.equal(missingWords({ unpriced: [], silent: 0 }), "");
  assert.equal(missingWords({ unpriced: ["a", "b"], silent: 0 }), "No price is known for a, b.");
  assert.match(missingWords({ unpriced: [], silent: 2 }), /^2 calls told no tokens/);
});

test("one call, fact by fact", () => {
  const words = callWords(call({ input: 1204, output: 30, thoughts: 10, cached: 204 }).body, [{ code: "503" }, {
    code: "CONNECTION_CUT",
  }, { error: "x" }], TABLE);
  assert.deepEqual(words, {
    tokens: "1,204 in, 30 out, 10 thinking, 204 of the input cached",
    searches: "",
    cost: "$0.001182",
    unpriced: "",
    first: "1.0 s",
    took: "2.0 s",
    speed: "40 tokens/s",
    tries: "4, after 503, connection cut, an error",
  });
  assert.deepEqual(callWords({ model: "dear", usage: {}, error: "no" }, [], TABLE), {
    tokens: "",
    searches: "",
    cost: "",
    unpriced: "",
    first: "",
    took: "",
    speed: "",
    tries: "",
  });
  assert.equal(callWords(call({ input: 1e6 }).body, [], TABLE).cost, "$1.00");
  assert.equal(callWords(call({ input: 5 }).body, [], []).cost, "no price");
});

test("a call that searched with Google costs its fee, too; an unknown fee is said", () => {
  const { body } = call({ input: 1e6 }, { searches: 2 });
  const paid = callWords(body, [], [["dear", 1, 2, null, null, 14]]);
  assert.deepEqual([paid.searches, paid.cost, paid.unpriced], ["2", "$1.03", ""]);
  const unknown = callWords(body, [], [["dear", 1, 2, null]]);
  assert.deepEqual([unknown.cost, unknown.unpriced], ["≥$1.00", "No price is known for Google searches of dear."]);
});

test("a session on one line", () => {
  assert.deepEqual(sumsLine(sumsOf(call({ input: 1200, output: 3, thoughts: 1 })), TABLE), ["1,204 tokens", "$0.0012"]);
  assert.deepEqual(sumsLine(sumsOf(call({}, { error: "no" })), TABLE), []);
});

test("the cells of a row: empty where nothing is known", () => {
  assert.deepEqual(
    sumsCells(
      sumsOf(
        call({ input: 1000, output: 4, thoughts: 6 }),
        call({}, { error: "cancelled", first_token: undefined, duration: 3 }),
      ),
      TABLE,
    ),
    {
      calls: "2",
      input: "1,000",
      output: "10",
      cost: "$0.0010",
      missing: "1 call told no tokens, as happens where a call fails or is stopped: what that may have cost is not in here.",
      first: "1.0 s",
      took: "5.0 s",
      trouble: "1 stopped",
    },
  );
  const { input, output, cost, first } = sumsCells(sumsOf(call({}, { error: "no", first_token: undefined })), TABLE);
  assert.deepEqual([input, output, cost, first], ["", "", "", ""]);
});

test("all of a session, fact by fact", () => {
  const facts = Object.fromEntries(
    totalFacts(
      sumsOf(call({ input: 10, output: 20, thoughts: 20, cached: 5 }), call({ input: 1 }, { first_token: 1.5 })),
      7.5,
    ),
  );
  assert.deepEqual(facts, {
    "model calls": "2",
    "tokens in": "11, 5 of them cached",
    "tokens out": "40, 20 of them thinking",
    "Google searches": false,
    "first word": "1.3 s on average, 1.5 s at most",
    speed: "40 tokens/s",
    time: "7.5 s in all, 4.0 s in models",
  });
  assert.equal(Object.fromEntries(totalFacts(sumsOf(call({ input: 1 })), null))["first word"], "after 1.0 s");
  const searched = totalFacts(sumsOf(call({ input: 1 }, { searches: 3 }), call({}, { searches: 1 })), null);
  assert.equal(Object.fromEntries(searched)["Google searches"], "4");
});

test("trouble, tries and speed", () => {
  assert.equal(troubleWords({ failed: 2, stopped: 1, retries: 1 }), "2 failed, 1 stopped, 1 more try");
  assert.equal(troubleWords({ failed: 0, stopped: 0, retries: 0 }), "");
  assert.equal(tryWords([]), "");
  assert.deepEqual([4.25, 40.4, 1200, null].map(speedWords), ["4.3 tokens/s", "40 tokens/s", "1,200 tokens/s", ""]);
});
