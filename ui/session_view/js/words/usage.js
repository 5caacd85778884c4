// @ts-check
/** What tokens, cost and time of model calls read as. */

import { costOfCall, costOfSums, meanSpeed, searchesOf, speedOf, tokensOf } from "../log/folds/usage.js";
import { dollars } from "../log/prices.js";
import { count, duration, plural } from "./format.js";
import { codeWords } from "./models.js";

/** @import { ModelRetry, Tokens } from "../log/entries.d.ts" */
/** @import { CallFacts, Cost, Sums } from "../log/folds.d.ts" */
/** @import { PriceRow } from "../log/prices.js" */

/**
 * A cost as text: "" where no tokens are known, "no price" where none has one, "≥$…" where some have none.
 * @param {Pick<Cost, "known" | "priced" | "unpriced">} cost
 * @param {number} [places]
 */
export function costWords({ known, priced, unpriced }, places) {
  if (!priced) return unpriced.length ? "no price" : "";
  return `${unpriced.length ? "≥" : ""}${dollars(known, places)}`;
}

/**
 * What is not in a cost for want of a price; "" for nothing.
 * @param {Pick<Cost, "unpriced">} cost
 */
export function unpricedWords({ unpriced }) {
  return unpriced.length ? `No price is known for ${unpriced.join(", ")}.` : "";
}

/**
 * What is not in a cost for want of tokens; "" for nothing.
 * @param {Pick<Cost, "silent">} cost
 */
export function silentWords({ silent }) {
  return silent
    ? `${
      plural(silent, "call")
    } told no tokens, as happens where a call fails or is stopped: what that may have cost is not in here.`
    : "";
}

/**
 * Both.
 * @param {Pick<Cost, "unpriced" | "silent">} found
 */
export function missingWords(found) {
  return [unpricedWords(found), silentWords(found)].filter(Boolean).join(" ");
}

/**
 * "412 in, 96 out, 20 thinking, 100 cached".
 * @param {Tokens} tokens
 */
function tokenWords({ input = 0, output = 0, thoughts = 0, cached = 0 }) {
  if (!input && !output && !thoughts) return "";
  return [
    `${count(input)} in`,
    `${count(output)} out`,
    thoughts > 0 && `${count(thoughts)} thinking`,
    cached > 0 && `${count(cached)} of the input cached`,
  ].filter(Boolean).join(", ");
}

/** @param {number | null} speed */
export function speedWords(speed) {
  if (speed == null) return "";
  return `${speed < 9.95 ? speed.toFixed(1) : count(Math.round(speed))} tokens/s`;
}

/**
 * How many tries a call took; "" where the first one did.
 * @param {Pick<ModelRetry, "code" | "error">[]} retries
 */
export function tryWords(retries) {
  return retries.length
    ? `${retries.length + 1}, after ${
      retries.map(({ code, error }) => (code ? codeWords(code) : error ? "an error" : "a failure")).join(", ")
    }`
    : "";
}

/**
 * One call, fact by fact.
 * @param {CallFacts} body its `model_finished`
 * @param {Pick<ModelRetry, "code" | "error">[]} retries the tries of it that failed
 * @param {PriceRow[]} prices
 */
export function callWords(body, retries, prices) {
  const found = costOfCall(body, prices);
  return {
    tokens: tokenWords(body.usage ?? {}),
    searches: body.searches ? count(body.searches) : "",
    cost: costWords(found, found.known < 0.01 ? 6 : 4),
    unpriced: unpricedWords(found),
    first: duration(body.first_token),
    took: duration(body.duration),
    speed: speedWords(speedOf(body)),
    tries: tryWords(retries),
  };
}

/**
 * Sums on one line: "1,204 tokens · $0.0004".
 * @param {Sums} sums
 * @param {PriceRow[]} prices
 */
export function sumsLine(sums, prices) {
  const { input, output, thoughts } = tokensOf(sums);
  const all = input + output + thoughts;
  return all ? [plural(all, "token"), costWords(costOfSums(sums, prices))] : [];
}

/**
 * Sums as the cells of a table.
 * @param {Sums} sums
 * @param {PriceRow[]} prices
 */
export function sumsCells(sums, prices) {
  const { input, output, thoughts } = tokensOf(sums);
  const found = costOfSums(sums, prices);
  return {
    calls: count(sums.calls),
    input: input ? count(input) : "",
    output: output + thoughts ? count(output + thoughts) : "",
    cost: costWords(found),
    missing: missingWords(found),
    first: sums.first.calls ? duration(sums.first.seconds / sums.first.calls) : "",
    took: sums.seconds ? duration(sums.seconds) : "",
    trouble: troubleWords(sums),
  };
}

/**
 * What went wrong: "2 failed, 1 stopped, 3 more tries".
 * @param {Pick<Sums, "failed" | "stopped" | "retries">} sums
 */
export function troubleWords({ failed, stopped, retries }) {
  return [
    failed > 0 && `${count(failed)} failed`,
    stopped > 0 && `${count(stopped)} stopped`,
    retries > 0 && plural(retries, "more try", "more tries"),
  ].filter(Boolean).join(", ");
}

/**
 * All of a session, fact by fact: [name, text].
 * @param {Sums} sums
 * @param {number | null} worked
 * @returns {[string, string | false][]}
 */
export function totalFacts(sums, worked) {
  const { input, output, thoughts, cached } = tokensOf(sums);
  const { first } = sums;
  const searches = searchesOf(sums);
  const some = input + output + thoughts > 0;
  return [
    ["model calls", [count(sums.calls), troubleWords(sums)].filter(Boolean).join(", ")],
    ["tokens in", some && `${count(input)}${cached ? `, ${count(cached)} of them cached` : ""}`],
    ["tokens out", some && `${count(output + thoughts)}${thoughts ? `, ${count(thoughts)} of them thinking` : ""}`],
    ["Google searches", searches > 0 && count(searches)],
    [
      "first word",
      first.calls > 0 &&
      (first.calls > 1
        ? `${duration(first.seconds / first.calls)} on average, ${duration(first.longest)} at most`
        : `after ${duration(first.seconds)}`),
    ],
    ["speed", speedWords(meanSpeed(sums))],
    [
      "time",
      [worked != null && `${duration(worked)} in all`, sums.seconds > 0 && `${duration(sums.seconds)} in models`].filter(
        Boolean,
      ).join(", "),
    ],
  ];
}
