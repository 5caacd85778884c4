// @ts-check
/** Draws what was read of Markdown: elements of a fixed set, and text as text nodes. */

import { h } from "../dom/elements.js";
import { clip } from "../words/format.js";
import { webLink } from "../words/sources.js";
import { highlight } from "./highlight.js";
import { inlinesOf } from "./inlines.js";

/** @import { Child } from "../dom/types.d.ts" */
/** @import { Align, Block, Inline } from "./types.d.ts" */

/** More is shown as it was written: a block is read and drawn as a whole. */
export const LONGEST_BLOCK = 20_000;
/** Of headings: those of the page stand above them. */
const DEEPEST_HEADING = 6;

/**
 * @param {Block} block
 * @param {boolean} live whether addresses of the web may be opened: in an option of a list they may not
 * @returns {HTMLElement}
 */
export function drawBlock(block, live) {
  switch (block.type) {
    case "paragraph":
      return h("p", {}, drawText(block.text, live));
    case "heading": {
      const level = String(Math.min(DEEPEST_HEADING, block.level + 3));
      return h(`div.heading.level-${block.level}`, { role: "heading", "aria-level": level }, drawText(block.text, live));
    }
    case "code":
      return drawCode(block);
    case "quote":
      return h("blockquote", {}, block.blocks.map((inside) => drawBlock(inside, live)));
    case "list":
      return drawList(block, live);
    case "table":
      return drawTable(block, live);
    case "rule":
      return h("hr");
  }
}

/** @param {Extract<Block, { type: "code" }>} block */
function drawCode({ info, text }) {
  const [language] = info.toLowerCase().split(/\s/, 1);
  const tokens = highlight(text, language).map(({ kind, text }) => (kind === "plain" ? text : h(`span.${kind}`, {}, text)));
  return h("div.fenced", {}, info && h("span.info", {}, clip(info, 100)), h("pre", {}, h("code", {}, tokens)));
}

/**
 * @param {Extract<Block, { type: "list" }>} list
 * @param {boolean} live
 */
function drawList({ start, items }, live) {
  const drawn = items.map((blocks) => h("li", {}, blocks.map((block) => drawBlock(block, live))));
  return start === null ? h("ul", {}, drawn) : h("ol", { start: start === 1 ? null : start }, drawn);
}

/**
 * @param {Extract<Block, { type: "table" }>} table
 * @param {boolean} live
 */
function drawTable({ align, head, rows }, live) {
  /** @type {(tag: "th" | "td", cells: string[]) => HTMLElement} */
  const row = (tag, cells) => h("tr", {}, cells.map((text, i) => h(cellOf(tag, align[i]), {}, drawText(text, live))));
  return h("table", {}, h("thead", {}, row("th", head)), h("tbody", {}, rows.map((cells) => row("td", cells))));
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
  return inlines.map((inline) => {
    switch (inline.type) {
      case "text":
        return inline.text;
      case "code":
        return h("code", {}, inline.text);
      case "emphasis":
        return h("em", {}, drawInlines(inline.children, live));
      case "strong":
        return h("strong", {}, drawInlines(inline.children, live));
      case "strike":
        return h("s", {}, drawInlines(inline.children, live));
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
