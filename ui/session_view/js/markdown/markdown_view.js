// @ts-check
/** How a text of a model is shown: as Markdown, or as it was written. */

import { h } from "../../../browser/js/elements.js";
import { piecesOf } from "./blocks.js";
import { drawBlock, LONGEST_BLOCK } from "./blocks_view.js";
import { inlinesOf } from "./inlines.js";
import { isPlainCode } from "./plain_code.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { Piece } from "./types.d.ts" */

/** So many characters of a text are read as Markdown; the rest is shown as it was written. */
export const MOST_READ = 50_000;

/**
 * A text as Markdown. One without any Markdown, or with code outside of fences, is shown as it was written.
 * @param {string} text
 * @param {{ raw?: boolean; live?: boolean }} how `raw`: as it was written; `live`: addresses of the web can be opened
 */
export function drawMarkdown(text, { raw = false, live = false } = {}) {
  if (raw || isPlainCode(text)) return h("div.text", {}, text);
  const { read, rest } = divided(text);
  const pieces = piecesOf(read);
  if (pieces.every(isPlain)) return h("div.text", {}, text);
  const shown = h("div.text.markdown", {}, pieces.map((piece) => drawPiece(piece, live)));
  return rest ? h("div", {}, shown, drawRest(rest)) : shown;
}

/**
 * Whether a text would look other than it was written.
 * @param {string} text
 */
export function hasMarkdown(text) {
  return !isPlainCode(text) && !piecesOf(divided(text).read).every(isPlain);
}

/**
 * @param {Piece} piece
 * @param {boolean} live
 */
export function drawPiece({ block, source }, live) {
  return source.length > LONGEST_BLOCK ? h("p", {}, source) : drawBlock(block, live);
}

/**
 * What is read, up to the end of a line, and what is too much.
 * @param {string} text
 */
export function divided(text) {
  if (text.length <= MOST_READ) return { read: text, rest: "" };
  const end = text.lastIndexOf("\n", MOST_READ) + 1;
  return { read: text.slice(0, end), rest: text.slice(end) };
}

/**
 * What comes after the part that is read.
 * @param {Child} rest
 */
export function drawRest(rest) {
  return h("div.text", {}, h("p.quiet", {}, "The rest is shown as it was written:"), rest);
}

/** @param {Piece} piece */
function isPlain({ block }) {
  if (block.type !== "paragraph") return false;
  if (block.text.length > LONGEST_BLOCK) return true;
  const inlines = inlinesOf(block.text);
  return inlines.length <= 1 && inlines.every((inline) => inline.type === "text" && inline.text === block.text);
}
