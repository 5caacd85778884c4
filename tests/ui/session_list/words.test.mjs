import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ago, fullTime, timeOf } from "../../../ui/session_list/js/words.js";

const NOW = new Date(2026, 5, 15, 12, 0, 0).getTime() / 1000;
const CASES = JSON.parse(readFileSync(new URL("../age_cases.json", import.meta.url), "utf-8"));

test("how long ago reads as in Python", () => {
  for (const [passed, words] of CASES) assert.equal(ago(NOW - passed, NOW), words);
});

test("a time has the date if that is not today, and seconds where minutes are not enough", () => {
  const today = NOW - 3600 + 5;
  assert.equal(timeOf(today, { now: NOW, precision: "minute" }), "11:00");
  assert.equal(timeOf(today, { now: NOW, precision: "second" }), "11:00:05");
  assert.equal(timeOf(today - 86400, { now: NOW, precision: "minute" }), "14 Jun, 11:00");
  assert.equal(timeOf(today - 365 * 86400, { now: NOW, precision: "minute" }), "15 Jun 2025, 11:00");
});

test("the tooltip has the whole time", () => {
  assert.equal(fullTime(NOW + 7), "Last change: 15 Jun 2026, 12:00:07");
});
