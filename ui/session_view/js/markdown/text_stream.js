// @ts-check
/** A text that is still being written, as Markdown: blocks that are finished keep their elements. */

import { h } from "../../../browser/js/elements.js";
import { piecesOf } from "./blocks.js";
import { divided, drawPiece, drawRest } from "./markdown_view.js";
import { patch, writeOn } from "./patch.js";
import { isPlainCode } from "./plain_code.js";

/** The last line of a text may yet turn out to belong to the block before its own. */
const UNFINISHED = 2;
const BLOCKS = "p, li, ul, ol, blockquote, .table, table, tbody, thead, tr, td, th, pre, pre code, .fenced, .heading";

export class TextStream {
  #blocks = h("div.text.markdown", { dir: "auto" });
  #plain = document.createTextNode("");
  #rest = document.createTextNode("");
  #beyond = h("div", { hidden: true }, drawRest(this.#rest));
  #caret = h("span.caret", { "aria-hidden": "true" });
  element = h("div", {}, this.#blocks, this.#beyond);
  #text = "";
  /** @type {{ source: string; node: HTMLElement }[]} */
  #shown = [];
  #raw;

  /** @param {boolean} raw whether it is shown as it is written */
  constructor(raw) {
    this.#raw = raw;
    this.#blocks.append(this.#caret);
  }

  /** @param {string} text */
  update(text) {
    if (text === this.#text) return;
    const longer = text.startsWith(this.#text);
    this.#text = text;
    this.#caret.remove();
    if (this.#raw || isPlainCode(text)) this.#showPlain(text);
    else this.#showBlocks(text, longer);
  }

  /** @param {string} text */
  #showPlain(text) {
    if (!this.#plain.parentNode) this.#blocks.replaceChildren(this.#plain);
    this.#shown = [];
    this.#showRest("");
    writeOn(this.#plain, text);
    this.#blocks.append(this.#caret);
  }

  /**
   * @param {string} text
   * @param {boolean} longer whether it begins with what is shown
   */
  #showBlocks(text, longer) {
    const { read, rest } = divided(text);
    this.#plain.remove();
    const kept = longer ? Math.max(0, this.#shown.length - UNFINISHED) : 0;
    const before = this.#shown.splice(kept);
    const from = this.#shown.reduce((sum, { source }) => sum + source.length, 0);
    const pieces = piecesOf(read.slice(from));
    for (const [i, piece] of pieces.entries()) {
      const old = before[i];
      const node = old?.source === piece.source ? old.node : this.#place(drawPiece(piece, false), old?.node);
      this.#shown.push({ source: piece.source, node });
    }
    for (const { node } of before.slice(pieces.length)) node.remove();
    this.#showRest(rest);
    endOf(this.#blocks).append(this.#caret);
  }

  /**
   * @param {HTMLElement} fresh
   * @param {HTMLElement | undefined} old what is in its place
   */
  #place(fresh, old) {
    if (old) return patch(old, fresh);
    this.#blocks.append(fresh);
    return fresh;
  }

  /** @param {string} rest */
  #showRest(rest) {
    this.#beyond.hidden = !rest;
    writeOn(this.#rest, rest);
  }
}

/**
 * The block in which a text ends.
 * @param {Element} element
 */
function endOf(element) {
  let at = element;
  while (at.lastElementChild?.matches(BLOCKS) && at.lastElementChild === at.lastChild) at = at.lastElementChild;
  return at;
}
