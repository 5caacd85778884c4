// @ts-check
/** Rows about models that are no events: failed tries, stopped calls, loading, drift, how tools are called. */

import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { drawReplayed } from "../parts/badges.js";
import { clip } from "../words/format.js";
import { driftWords, loadingWords, protocolWords, retryWords, stoppedWords } from "../words/models.js";
import { coloured, drawMore, fill } from "./lines.js";
import { writeJson } from "../../../browser/js/json.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { Draw } from "../rows/types.d.ts" */

/**
 * A row's body: a line, and below it what is one click away.
 * @param {string} sign
 * @param {Child} by whose model it is about; null where that says nothing
 * @param {string} title
 * @param {Child} more the rest of the line
 * @param {Child} below
 */
function body(sign, by, title, more = null, below = null) {
  return h("div.body", {}, h("div.rule.wraps", {}, icon(sign), by, h("span.title", {}, title), more), below);
}

/** @type {Draw<"retry">} */
export function drawRetry(element, row, { index, open, onToggle }) {
  const { agent, error, replayed } = row.entry.body;
  const words = retryWords(row.entry.body);
  const more = error && drawMore(row, open ? "hide the error" : "show the error", onToggle);
  const cause = error && open && h("div.cause", {}, clip(error, 2000));
  const line = body("again", coloured(index, agent), words, [drawReplayed({ replayed }), more], cause);
  fill(element, `${agent}: ${words}. ${open ? error : ""}`, line);
}

/** @type {Draw<"cut">} */
export function drawCut(element, { entry }, { index }) {
  const { agent, first_token: first } = entry.body;
  const words = stoppedWords(entry.body);
  const more = [
    h("span.tag", {}, "stopped"),
    first != null && h("span.quiet", {}, "What it had said so far is not kept."),
  ];
  fill(element, `${agent} ${words}`, body("stop", coloured(index, agent), words, more));
}

/** @type {Draw<"loading">} */
export function drawLoading(element, { live }) {
  const words = loadingWords(live);
  element.classList.toggle("busy", live.seconds == null && !live.over);
  fill(element, words, body("load", null, words));
}

/** @type {Draw<"drift">} */
export function drawDrift(element, row, { index, open, onToggle }) {
  const { agent } = row.entry.body;
  const words = driftWords(row.entry.body);
  const detail = textOf(row.entry.body.detail);
  const more = detail && drawMore(row, open ? "hide what changed" : "show what changed", onToggle);
  const cause = detail && open && h("div.cause.pre", {}, clip(detail, 4000));
  const line = body("alert", coloured(index, agent), words, more, cause);
  fill(element, `${agent}: ${words}. ${open ? detail : ""}`, line);
}

/** @type {Draw<"protocol">} */
export function drawProtocol(element, { entry }, { index }) {
  const { agent, reason = "", replayed } = entry.body;
  const words = protocolWords(entry.body);
  const more = [drawReplayed({ replayed }), reason && h("span.quiet", {}, clip(reason, 300))];
  fill(element, `${agent}: ${words}. ${reason}`, body("tool", coloured(index, agent), words, more));
}

/** @param {Json} detail */
function textOf(detail) {
  return typeof detail === "string" ? detail : detail == null ? "" : writeJson(detail, null, 2);
}
