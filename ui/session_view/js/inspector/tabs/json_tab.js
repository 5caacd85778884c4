// @ts-check
/** The JSON tab: the entry as it is stored, and an event's number in its session. */

import { drawCopy } from "../../dom/clipboard.js";
import { h } from "../../../../browser/js/elements.js";
import { writeJson } from "../../../../browser/js/json.js";
import { count, shortenData } from "../../words/format.js";
import { drawNothing } from "../facts.js";

/** @import { Look } from "../types.d.ts" */

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MOST_COLOURED = 30000;

/** @param {Look} look */
export function drawJsonTab({ selected, ordinal }) {
  if (!selected) return drawNothing();
  const isEvent = selected.kind === "event";
  const shown = isEvent ? { number: ordinal, ...selected } : selected;
  const where = isEvent ? `Event ${count(ordinal)}` : `Entry ${selected.seq}, ${selected.kind.replaceAll("_", " ")}`;
  const copy = drawCopy("Copy", () => writeJson(shown, null, 2));
  return [
    h("div.bar", {}, h("p.where", {}, where), copy),
    h("pre.json", {}, coloured(writeJson(shown, shortenData, 2))),
  ];
}

/** @param {string} text */
function coloured(text) {
  if (text.length > MOST_COLOURED) return text;
  const pieces = [];
  let at = 0;
  for (const match of text.matchAll(TOKENS)) {
    pieces.push(text.slice(at, match.index));
    const kind = match[2] ? "key" : match[1] ? "string" : "literal";
    pieces.push(h(`span.${kind}`, {}, match[1] ?? match[0]), match[2] ?? "");
    at = match.index + match[0].length;
  }
  pieces.push(text.slice(at));
  return pieces;
}
