// @ts-check
/** Draws what was read of Markdown: elements of a fixed set, and text as text nodes. */

import { h } from "../../../browser/js/elements.js";
import { clip } from "../words/format.js";
import { webLink } from "../words/sources.js";
import { highlight } from "./highlight.js";
import { inlinesOf } from "./inlines.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { Align, Block, Inline } from "./types.d.ts" */

/** More is shown as it was written: a block is read and drawn as a whole. */
export const LONGEST_BLOCK = 20_000;
/** Of headings: those of the page stand above them. */
const DEEPEST_HEADING = 6;

/**
 * @param {Block} block
 * @param {boolean} live whether addresses of the web may be opened: in an option of a list they may not
 * @param {"auto" | null} dir of a text; null inside of a list or a quote, which takes its direction from all that it holds
 * @returns {HTMLElement}
 */
export function drawBlock(block, live, dir = "auto") {
  switch (block.type) {
    case "paragraph":
      return h("p", { dir }, drawText(block.text, live));
    case "heading": {
      const level = String(Math.min(DEEPEST_HEADING, block.level + 3));
      return h(
        `div.heading.level-${block.level}`,
        { role: "heading", "aria-level": level, dir },
        drawText(block.text, live),
      );
    }
    case "code":
      return drawCode(block);
    case "quote":
      return h("blockquote", { dir }, block.blocks.map((inside) => drawBlock(inside, live, null)));
    case "list":
      return drawList(block, live, dir);
    case "table":
      return drawTable(block, live);
    case "math":
      return h("div.math", { dir: "ltr" }, block.text);
    case "rule":
      return h("hr");
  }
}

/** @param {Extract<Block, { type: "code" }>} block */
function drawCode({ info, text }) {
  const [language] = info.toLowerCase().split(/\s/, 1);
  const tokens = highlight(text, language).map(({ kind, text }) => (kind === "plain" ? text : h(`span.${kind}`, {}, text)));
  return h("div.fenced", {}, info && h("span.info", {}, clip(info, 100)), h("pre", {}, h("code", { dir: "ltr" }, tokens)));
}

/**
 * @param {Extract<Block, { type: "list" }>} list
 * @param {boolean} live
 * @param {"auto" | null} dir
 */
function drawList({ start, items }, live, dir) {
  const drawn = items.map((blocks) => h("li", {}, blocks.map((block) => drawBlock(block, live, null))));
  if (start === null) return h("ul", { dir }, drawn);
  const numbered = h("ol", { dir, start: start === 1 ? null : start }, drawn);
  numbered.style.setProperty("--digits", `${String(start + items.length - 1).length}`);
  return numbered;
}

/**
 * A table in a box of its own, which scrolls where the table is wider.
 * @param {Extract<Block, { type: "table" }>} table
 * @param {boolean} live
 */
function drawTable({ align, head, rows }, live) {
  /** @type {(tag: "th" | "td", cells: string[]) => HTMLElement} */
  const row = (tag, cells) =>
    h("tr", {}, cells.map((text, i) => h(cellOf(tag, align[i]), { dir: "auto" }, drawText(text, live))));
  const table = h("table", {}, h("thead", {}, row("th", head)), h("tbody", {}, rows.map((cells) => row("td", cells))));
  return h("div.table", { role: "group", "aria-label": "Table", tabindex: "0" }, table);
}

/**
 * @param {"th" | "td"} tag
 * @param {Align | undefined} align
 */
function cellOf(tag, align) {
  return align && align !== "left" ? `${tag}.${align}` : tag;
}

/**
 * @param {string} text
 * @param {boolean} live
 */
function drawText(text, live) {
  return text.length > LONGEST_BLOCK ? text : drawInlines(inlinesOf(text), live);
}

/**
 * @param {Inline[]} inlines
 * @param {boolean} live
 * @returns {Child[]}
 */
function drawInlines(inlines, live) {
  const dir = null; // a part of a sentence reads as the sentence does
  return inlines.map((inline) => {
    switch (inline.type) {
      case "text":
        return inline.text;
      case "break":
        return h("br");
      case "code":
        return h("code", {}, inline.text);
      case "math":
        return h("span.math", { dir: "ltr" }, inline.text);
      case "emphasis":
        return h("em", { dir }, drawInlines(inline.children, live));
      case "strong":
        return h("strong", { dir }, drawInlines(inline.children, live));
      case "strike":
        return h("s", { dir }, drawInlines(inline.children, live));
      case "link":
        return drawLink(inline, live);
      case "picture":
        return [drawInlines(inline.children, false), drawAddress(inline.address)];
    }
  });
}

/**
 * A link: what it says, and where it leads. Only an address of the web may be opened.
 * @param {Extract<Inline, { type: "link" }>} link
 * @param {boolean} live
 */
function drawLink({ address, children }, live) {
  const href = webLink(address);
  const words = drawInlines(children, false);
  const said = href && live
    ? h("a", { href, target: "_blank", rel: "noopener noreferrer" }, words)
    : href
    ? h("span.link", {}, words)
    : words;
  const [first] = children;
  return children.length === 1 && first.type === "text" && first.text === address ? said : [said, drawAddress(address)];
}

/** @param {string} address */
function drawAddress(address) {
  return h("span.address", {}, ` (${clip(address, 300)})`);
}
