// @ts-check
/** What a run came to, below the line of its end: a sentence, the result, and what else was saved. */

import { h } from "../../../browser/js/elements.js";
import { drawRefusal } from "../cards/refusal.js";
import { drawArtifacts } from "../parts/files.js";
import { learns, resultsOf } from "../rows/outcome.js";
import { oneLine, pretty, stateImage } from "../words/format.js";
import { outcomeWords } from "../rows/outcome_words.js";
import { coloured } from "./lines.js";
import { drawLongText } from "./long_text.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { Drawing, EndRow, Output, Saved } from "../rows/types.d.ts" */

const MOST_KEYS = 6;
const MOST_PICTURES = 2;

/**
 * The element, and the same as words for who listens; null where there is nothing to tell, as of a run that went on.
 * @param {EndRow} row
 * @param {Drawing} drawing
 */
export function drawOutcome(row, drawing) {
  const { entry: { body }, outcome, live } = row;
  if (body.cut || live?.over || live?.waited != null) return null;
  const paused = body.status === "paused";
  const results = paused ? [] : resultsOf(outcome, drawing.index);
  const words = outcomeWords(row, results.map(({ author }) => author));
  const title = body.status === "completed" ? "Result" : "So far";
  const parts = [
    words && h("p.outcome-words", {}, words),
    ...results.map((result) => drawResult(title, result, row, drawing)),
    ...(paused ? [] : drawPictures(row, drawing)),
    !paused && !learns(outcome) && drawSaved(row, results, drawing),
  ].filter(Boolean);
  if (!parts.length) return null;
  return {
    element: h("div.run-outcome", {}, parts),
    spoken: [words, ...results.map(({ text }) => oneLine(text))].join(" "),
  };
}

/**
 * @param {string} title
 * @param {Output} result
 * @param {EndRow} row
 * @param {Drawing} drawing
 */
function drawResult(title, result, row, drawing) {
  const { author, key, text, response } = result;
  const label = h(
    "div.outcome-label",
    {},
    h("b", {}, title),
    h("span", {}, "by ", coloured(drawing.index, author)),
    key && h("span", {}, "in the state key ", h("code", {}, key)),
    drawLink(`event ${result.ordinal}`, result, drawing),
  );
  const instead = learns(row.outcome) && drawRefusal(result); // its event stands far above, with the same buttons
  return h("section.outcome-result", {}, label, drawLongText(text || pretty(response ?? ""), row, drawing), instead);
}

/**
 * @param {Child} words
 * @param {Output} to
 * @param {Drawing} drawing
 */
function drawLink(words, { seq, ordinal }, { onSelect }) {
  const attributes = { type: "button", title: `Select event ${ordinal}`, onclick: () => onSelect(seq) };
  return h("button.plain.outcome-link", attributes, words);
}

/**
 * @param {EndRow} row
 * @param {Drawing} drawing
 * @returns {Child[]}
 */
function drawPictures({ outcome }, { place, onResize }) {
  const files = drawArtifacts({ artifact_delta: outcome.files }, place, onResize);
  const kept = [...outcome.pictures.values()].slice(-MOST_PICTURES);
  const images = kept.map(({ key, value }) => h("img", { src: stateImage(value), alt: `Picture in the state key ${key}` }));
  const pictures = [...images, ...files.pictures.slice(-MOST_PICTURES)];
  return [
    pictures.length > 0 && h("div.pictures", {}, pictures),
    files.chips.length > 0 && h("div.chips", {}, files.chips),
  ];
}

/**
 * What else the agents saved: keys that lead to the event, with their values where there is no text to read.
 * @param {EndRow} row
 * @param {Output[]} results
 * @param {Drawing} drawing
 */
function drawSaved({ outcome }, results, drawing) {
  const shown = new Set(results.map(({ key }) => key));
  const all = [...outcome.saved.values()].filter(({ key }) => !shown.has(key));
  const kept = all.slice(-MOST_KEYS);
  if (!kept.length) return null;
  const more = all.length > kept.length && ` and ${all.length - kept.length} more`;
  if (results.length) {
    const keys = kept.map((saved, i) => [i > 0 && ", ", drawLink(h("code", {}, saved.key), saved.by, drawing)]);
    return h("div.outcome-saved", {}, "Also in state: ", keys, more);
  }
  const values = kept.map((saved) => drawValue(saved, drawing));
  return h("div.outcome-saved", {}, "In state: ", h("ul", {}, values), more);
}

/**
 * @param {Saved} saved
 * @param {Drawing} drawing
 */
function drawValue({ key, value, by }, drawing) {
  return h("li", {}, drawLink(h("code", {}, key), by, drawing), ": ", oneLine(value));
}
