// @ts-check
/** An exception's traceback: folded, the author's own frames first, those of the runtime and of libraries in a fold. */

import { h } from "../../../browser/js/elements.js";
import { isObject } from "../../../browser/js/json.js";
import { plural } from "../words/format.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { EventBody } from "../log/entries.d.ts" */
/** @typedef {{ path: string; file: string; line: string; name: string; source: string; own: boolean }} Frame */
/** @typedef {{ type: string; message: string; frames: Frame[]; leftOut: number; cause: Json; context: boolean }} Found */

/** Causes of causes; of more, the first are shown. */
const DEEPEST = 5;

/**
 * The tracebacks that an event keeps: its own, and those of the tools that it answers for.
 * @param {Pick<EventBody, "custom_metadata">} body
 * @returns {Json[]}
 */
export function tracebacksIn({ custom_metadata: more }) {
  const ofTools = isObject(more?.tracebacks) ? Object.values(more.tracebacks) : [];
  return [more?.traceback, ...ofTools].filter(isObject);
}

/**
 * @param {Json} value as `agents.tools.tracebacks` writes it
 * @param {() => void} [onResize] called when it was opened or closed
 */
export function drawTraceback(value, onResize) {
  const found = read(value);
  const summary = h("summary", {}, `Traceback: ${found.type}${whereWords(found)}`);
  return h("details.traceback", { ontoggle: onResize }, summary, drawInside(found, DEEPEST, onResize));
}

/**
 * Where it was raised: in the author's code, if that is known.
 * @param {Found} traceback
 */
function whereWords({ frames }) {
  const at = frames.findLast(({ own }) => own) ?? frames.at(-1);
  return at ? ` in ${at.name}, ${at.file} line ${at.line}` : "";
}

/**
 * @param {Found} found
 * @param {number} depth
 * @param {(() => void) | undefined} onResize
 * @returns {HTMLElement}
 */
function drawInside(found, depth, onResize) {
  const own = found.frames.filter((frame) => frame.own);
  const rest = found.frames.filter((frame) => !frame.own);
  const others = `${plural(rest.length, "frame")} of the runtime and of libraries`;
  const left = found.leftOut > 0 && h("p.quiet", {}, `${plural(found.leftOut, "frame")} in between left out.`);
  const cause = isObject(found.cause) && depth > 0 ? read(found.cause) : null;
  return h(
    "div.frames",
    {},
    h("p", {}, h("b", {}, found.type), found.message && `: ${found.message}`),
    own.length > 0 && drawFrames(own),
    rest.length > 0 && h("details", { ontoggle: onResize }, h("summary", {}, others), drawFrames(rest)),
    left,
    cause && h("p.quiet", {}, found.context ? "Raised while this was handled:" : "Caused by:"),
    cause && drawInside(cause, depth - 1, onResize),
  );
}

/** @param {Frame[]} frames the outermost first */
function drawFrames(frames) {
  const lines = [...frames].reverse().map(({ path, file, line, name, source }) =>
    h("li", {}, h("span", { title: path }, `${file}, line ${line}, in ${name}`), source && h("code", { dir: "ltr" }, source))
  );
  return h("ol", {}, lines);
}

/**
 * A traceback as it should be; a file that was imported may hold anything.
 * @param {Record<string, Json>} value
 * @returns {Found}
 */
function read({ type, message, frames, left_out: leftOut, cause, context }) {
  return {
    type: textOf(type) || "Error",
    message: textOf(message),
    frames: (Array.isArray(frames) ? frames : []).filter(isObject).map((frame) => ({
      path: textOf(frame.path),
      file: textOf(frame.file),
      line: textOf(frame.line),
      name: textOf(frame.function),
      source: textOf(frame.source),
      own: frame.own === true,
    })),
    leftOut: Number(leftOut) || 0,
    cause,
    context: context === true,
  };
}

/** @param {Json} value */
function textOf(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
