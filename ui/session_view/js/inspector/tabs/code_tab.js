// @ts-check
/** The Code tab: the session as a Python file, on this project's API and on google-adk. */

import { drawCopy } from "../../dom/clipboard.js";
import { h } from "../../../../browser/js/elements.js";
import { highlight } from "../../markdown/highlight.js";

/** @import { Code } from "../../code/types.d.ts" */
/** @import { Child } from "../../../../browser/js/types.d.ts" */
/** @import { Look } from "../types.d.ts" */

const ADK = "code:adk";
/** @type {WeakMap<Code, Map<string, HTMLElement>>} what was drawn, so that a run that goes on does not draw it anew */
const drawn = new WeakMap();

/**
 * @param {Look} look
 * @returns {Child}
 */
export function drawCodeTab(look) {
  const { log, place, codes } = look;
  if (place.session === null) return drawLesson();
  const runs = log.entries.filter(({ kind }) => kind === "run_started").length;
  const { code, error } = codes.of({ pipeline: place.pipeline, session: place.session, runs });
  if (error) return drawProblem(error, look);
  if (!code) return h("p.quiet.note", { role: "status" }, "Writing the code …");
  const adk = look.isOpen(ADK);
  const text = adk ? code.adk : code.playground;
  return [
    drawChoice(adk, look.toggle),
    text ? drawFile(text, fileName(code, adk), code) : drawLacks(adk, adk ? code.adk_lacks : code.playground_lacks),
  ];
}

function drawLesson() {
  return h(
    "div.lesson",
    {},
    h("b", {}, "There is no session yet."),
    h(
      "p",
      {},
      "Send a message: here is then a Python file that builds these agents and runs the session's messages with its " +
        "settings, on this playground's API or on google-adk.",
    ),
  );
}

/**
 * @param {boolean} adk
 * @param {Look["toggle"]} toggle
 */
function drawChoice(adk, toggle) {
  const choice = (/** @type {string} */ label, /** @type {boolean} */ on, /** @type {string} */ key) =>
    h(
      "button.plain.choice",
      { type: "button", "aria-pressed": String(on), "data-fold": key, onclick: () => on || toggle(ADK) },
      label,
    );
  return h(
    "div.choices",
    { role: "group", "aria-label": "API" },
    choice("This playground", !adk, "code:playground"),
    choice("google-adk", adk, ADK),
  );
}

/**
 * @param {string} text
 * @param {string} name
 * @param {Code} code
 */
function drawFile(text, name, code) {
  const lines = text.split("\n").length - 1;
  return [
    h(
      "div.code-actions",
      {},
      h("span.quiet", {}, `${lines.toLocaleString("en")} lines`),
      drawCopy("Copy", () => text),
      h("button.plain.copy", { type: "button", onclick: () => download(text, name) }, "Download"),
    ),
    drawText(text, name, code),
  ];
}

/**
 * @param {string} text
 * @param {string} name
 * @param {Code} code
 */
function drawText(text, name, code) {
  const kept = drawn.get(code) ?? new Map();
  drawn.set(code, kept);
  const before = kept.get(name);
  if (before) return before;
  const tokens = highlight(text, "python").map(({ kind, text }) => kind === "plain" ? text : h(`span.${kind}`, {}, text));
  const box = h("pre.python", { tabindex: "0", role: "region", "aria-label": name }, h("code", {}, tokens));
  kept.set(name, box);
  return box;
}

/**
 * @param {string} text
 * @param {string} name
 */
function download(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/x-python" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address));
}

/**
 * @param {Code} code
 * @param {boolean} adk
 */
function fileName({ pipeline }, adk) {
  return `${pipeline}${adk ? "_adk" : ""}.py`;
}

/**
 * @param {boolean} adk
 * @param {string[]} lacks
 */
function drawLacks(adk, lacks) {
  const said = adk
    ? "This pipeline cannot be written for google-adk 2.13, because it uses what ADK lacks:"
    : "This pipeline cannot be written as a file:";
  return [h("p.note", {}, said), h("ul.lacks", {}, lacks.map((sentence) => h("li", {}, sentence)))];
}

/**
 * @param {string} error
 * @param {Look} look
 */
function drawProblem(error, { codes }) {
  const again = h("button.plain", { type: "button", onclick: () => codes.retry() }, "Try again");
  return h("p.note.problem", { role: "alert" }, error, " ", again);
}
