/** Rows about models that are no events: tries that failed, calls that were stopped, loading, drift, how tools are called. */

import { drawReplayed } from "./chips.js";
import { h, icon } from "./dom.js";
import { clip } from "./format.js";
import { markOf } from "./tree.js";
import { driftWords, loadingWords, protocolWords, retryWords, stoppedWords } from "./wording.js";

/** By type: fills `element` with a row, given the tree's `index`, whether it is `open`, and `onToggle(key)`. */
export const MODEL_ROWS = { retry: drawRetry, cut: drawCut, loading: drawLoading, drift: drawDrift, protocol: drawProtocol };

/** @param by whose model it is about, as an element; null where that says nothing */
function line(sign, by, title, ...more) {
  return h("div.rule.wraps", {}, icon(sign), by, h("span.title", {}, title), more);
}

/** A row of one line, and below it what is one click away. */
function fill(element, spoken, first, below = null) {
  element.append(h("div.body", {}, first, below));
  element.setAttribute("aria-label", spoken);
}

function drawRetry(element, row, { index, open, onToggle }) {
  const { body } = row.entry;
  const words = retryWords(body);
  const why = body.error && (open ? h("div.cause", {}, clip(String(body.error), 2000)) : null);
  fill(element, `${body.agent}: ${words}. ${open ? body.error : ""}`, line("again", who(index, body.agent), words, drawReplayed(body), body.error && toggle(row, open ? "hide the error" : "show the error", onToggle)), why);
}

function drawCut(element, { entry: { body } }, { index }) {
  const words = stoppedWords(body);
  fill(element, `${body.agent} ${words}`, line("stop", who(index, body.agent), words, h("span.tag", {}, "stopped"), body.first_token != null && h("span.quiet", {}, "What it had said so far is not kept.")));
}

function drawLoading(element, { live }) {
  const words = loadingWords(live);
  element.classList.toggle("busy", live.seconds == null && !live.over);
  fill(element, words, line("load", null, words));
}

function drawDrift(element, row, { index, open, onToggle }) {
  const { body } = row.entry;
  const words = driftWords(body);
  const detail = textOf(body.detail);
  fill(element, `${body.agent}: ${words}. ${open ? detail : ""}`, line("alert", who(index, body.agent), words, detail && toggle(row, open ? "hide what changed" : "show what changed", onToggle)), open && detail ? h("div.cause.pre", {}, clip(detail, 4000)) : null);
}

function drawProtocol(element, { entry: { body } }, { index }) {
  const words = protocolWords(body);
  fill(element, `${body.agent}: ${words}. ${body.reason ?? ""}`, line("tool", who(index, body.agent), words, drawReplayed(body), body.reason && h("span.quiet", {}, clip(String(body.reason), 300))));
}

function who(index, name) {
  return h(`b.who.c-${markOf(index, name).colour}`, {}, name);
}

/** Not a control of its own: the row is the option, and Enter on it does the same. */
function toggle(row, label, onToggle) {
  return h("span.more", { onclick: (event) => (event.stopPropagation(), onToggle(row.key)) }, label);
}

function textOf(detail) {
  return typeof detail === "string" ? detail : detail == null ? "" : JSON.stringify(detail, null, 2);
}
