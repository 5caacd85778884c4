// @ts-check
/** Rows about cases: one that this session ran, and those that a delta was tried on. */

import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { clip } from "../words/format.js";
import { caseWords, triedWords } from "../words/records.js";
import { fill } from "./lines.js";

/** @import { Draw } from "../rows/types.d.ts" */

const MOST = 500;

/** @type {Draw<"case_run">} */
export function drawCaseRun(element, { entry: { body } }) {
  drawWords(element, caseWords(body), body.outcome === "held");
}

/** @type {Draw<"cases_tried">} */
export function drawCasesTried(element, { entry: { body } }) {
  drawWords(element, triedWords(body), !body.why && !body.broken?.length);
}

/**
 * @param {HTMLElement} element
 * @param {string} words
 * @param {boolean} good
 */
function drawWords(element, words, good) {
  const sign = icon(good ? "check" : "cross_out");
  fill(element, words, h("div.body", {}, h("div.rule.wraps", {}, sign, h("span.title", {}, clip(words, MOST)))));
}
