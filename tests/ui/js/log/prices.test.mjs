import assert from "node:assert/strict";
import { test } from "node:test";
import { cost, dollars, firstPrice, priceOf, searchFee } from "../../../../ui/session_view/js/log/prices.js";

const TABLE = [
  ["gemini-2.5-flash-lite", 0.1, 0.4, null],
  ["gemini-2.5-flash", 0.3, 2.5, 0.075],
  ["local/dear", 1, 2, null],
  ["simulated*", 0, 0, null],
  ["local/*", 0, 0, null],
  ["*.gguf", 0, 0, null],
];

test("a price is that of the first row whose name begins the model's", () => {
  const input = (name) => priceOf(name, TABLE)?.input ?? null;
  assert.deepEqual(
    ["gemini-2.5-flash", "models/gemini-2.5-flash", "gemini-2.5-flash-001", "gemini-2.5-flash:batch", "gemini-2.5-flash@v2"]
      .map(input),
    [0.3, 0.3, 0.3, 0.3, 0.3],
  );
  assert.deepEqual(["gemini-2.5-flash-lite", "gemini-2.5-flash-lite-001"].map(input), [0.1, 0.1]);
  assert.deepEqual(["gemini-2.5-flashy", "gemini-2.5", "llama/qwen", ""].map(input), [null, null, null, null]);
});

test("a star stands for anything at the end that has it; rows before it count first", () => {
  assert.deepEqual(
    ["simulated", "simulated-quick", "local/smol", "/models/a.gguf", "a.gguf.old", "a-simulated"].map((name) =>
      priceOf(name, TABLE)?.output
    ),
    [0, 0, 0, 0, undefined, undefined],
  );
  assert.equal(priceOf("local/dear", TABLE).output, 2);
});

test("of several names the first with a price counts, a price of nothing too", () => {
  assert.equal(firstPrice(["qwen", "gemini-2.5-flash"], TABLE).input, 0.3);
  assert.equal(firstPrice(["simulated", "gemini-2.5-flash"], TABLE).input, 0);
  assert.equal(firstPrice(["qwen"], TABLE), null);
});

test("tokens cost by the million; what was kept is a part of the input, thoughts come besides the output", () => {
  const flash = priceOf("gemini-2.5-flash", TABLE);
  assert.equal(cost({ input: 1e6, output: 1e6 }, flash), 2.8);
  assert.equal(cost({ input: 1e6, cached: 1e6 }, flash), 0.075);
  assert.equal(cost({ output: 3e5, thoughts: 1e5 }, flash), 1);
  assert.equal(
    cost({ input: 10, cached: 99 }, flash),
    cost({ input: 10, cached: 10 }, flash),
    "more than all cannot have been kept",
  );
  assert.equal(cost({ input: 1e6, cached: 1e6 }, priceOf("gemini-2.5-flash-lite", TABLE)), 0.1, "no price of its own");
});

test("searches cost by the thousand: by the call that made them, by each, or both", () => {
  const fee = (searches, grounded, prompts, queries) =>
    searchFee({ searches, grounded }, priceOf("m", [["m", 1, 1, null, prompts, queries]]));
  assert.equal(fee(4, 2, 35, null), 0.07);
  assert.equal(fee(4, 2, null, 14), 0.056);
  assert.equal(fee(4, 2, 35, 14), 0.126);
  assert.equal(fee(4, 2, 0, null), 0);
  assert.equal(fee(4, 2, null, null), null, "no fee is known");
  assert.equal(fee(0, 0, null, null), 0, "none is needed");
  assert.equal(searchFee({ searches: 1, grounded: 1 }, priceOf("gemini-2.5-flash", TABLE)), null, "a row without fees");
});

test("dollars", () => {
  assert.deepEqual([0, 0.00001, 0.00005, 0.000412, 0.0412, 0.99996, 1.5, 1234].map((amount) => dollars(amount)), [
    "$0",
    "<$0.0001",
    "$0.0001",
    "$0.0004",
    "$0.0412",
    "$1.00",
    "$1.50",
    "$1,234.00",
  ]);
  assert.equal(dollars(0.000412, 6), "$0.000412");
});
