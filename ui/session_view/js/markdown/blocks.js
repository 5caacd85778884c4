// @ts-check
/**
 * Reads Markdown into blocks, in time linear in the text whatever the text: containers nest to a fixed depth, each line is
 * looked at once a level, and nothing is tried again.
 *
 * Why it is written here: marked 18 overflows the stack at 5,000 nested quotes and takes four times as long for twice as
 * many `_a__b`; markdown-it 15 stands both, but is 119 kB in a form that `bundle.py` does not join, and knows no block that
 * is still being written. What language models write is read: headings with `#`, lists, tables, fences, quotes, rules.
 * HTML, references and headings by underlines are text. A line break stays one.
 */

import { readTable, tableAt } from "./tables.js";

/** @import { Block, Piece } from "./types.d.ts" */

/** Lists and quotes in each other; what is nested deeper is text. */
const DEEPEST = 8;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const MARKER = /^( *)(?:[-*+]|(\d{1,3})[.)])(?:[ \t]|$)/;
/** A line with which a formula of several lines begins. */
const MATH = /^ {0,3}(?:\\\[|\$\$)(?!.*(?:\\\]|\$\$))/;
const QUOTE = /^ {0,3}> ?/;

/**
 * The blocks of a text with their sources: joined, the sources are the text.
 * @param {string} text
 * @returns {Piece[]}
 */
export function piecesOf(text) {
  const lines = text.split("\n");
  /** @type {{ block: Block; from: number }[]} */
  const found = [];
  let at = 0;
  while ((at = skipBlank(lines, at)) < lines.length) {
    const { block, next } = readBlock(lines, at, 0);
    found.push({ block, from: at });
    at = next;
  }
  return found.map(({ block, from }, i) => {
    const to = found[i + 1]?.from ?? lines.length;
    const source = lines.slice(i === 0 ? 0 : from, to).join("\n");
    return { block, source: to < lines.length ? `${source}\n` : source };
  });
}

/**
 * @param {string[]} lines
 * @param {number} depth
 */
function blocksOf(lines, depth) {
  const blocks = [];
  let at = 0;
  while ((at = skipBlank(lines, at)) < lines.length) {
    const { block, next } = readBlock(lines, at, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

/**
 * The block that begins in a line, and the line after it.
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{ block: Block; next: number }}
 */
function readBlock(lines, at, depth) {
  const line = lines[at];
  const fence = fenceIn(line);
  if (fence) return readCode(lines, at, fence);
  if (MATH.test(line)) return readMath(lines, at);
  const heading = HEADING.exec(line);
  if (heading) return { block: readHeading(line, heading), next: at + 1 };
  if (isRule(line)) return { block: { type: "rule" }, next: at + 1 };
  if (depth < DEEPEST && QUOTE.test(line)) return readQuote(lines, at, depth);
  if (depth < DEEPEST && MARKER.test(line)) return readList(lines, at, depth);
  const align = tableAt(lines, at);
  return align ? readTable(lines, at, align) : readParagraph(lines, at, depth);
}

/**
 * @param {string[]} lines
 * @param {number} at
 */
function skipBlank(lines, at) {
  while (at < lines.length && isBlank(lines[at])) at += 1;
  return at;
}

/** @param {string} line */
function isBlank(line) {
  return line === "" || line.trim() === "";
}

/** @param {string} line */
function indentOf(line) {
  let at = 0;
  while (line[at] === " ") at += 1;
  return at;
}

/**
 * The marks of a fence that a line opens, and what it says of the code; null for any other line.
 * @param {string} line
 */
function fenceIn(line) {
  const found = FENCE.exec(line);
  if (!found) return null;
  const info = line.slice(found[0].length).trim();
  return found[1][0] === "`" && info.includes("`") ? null : { marks: found[1], info };
}

/**
 * A fence that is not closed is code up to the end.
 * @param {string[]} lines
 * @param {number} at
 * @param {{ marks: string; info: string }} fence
 * @returns {{ block: Block; next: number }}
 */
function readCode(lines, at, { marks, info }) {
  const indent = indentOf(lines[at]);
  const code = [];
  let next = at + 1;
  let closed = false;
  for (; next < lines.length && !closed; next++) {
    closed = closes(lines[next], marks);
    if (!closed) code.push(lines[next].slice(Math.min(indent, indentOf(lines[next]))));
  }
  return { block: { type: "code", info, text: code.join("\n") }, next };
}

/**
 * A formula is kept as it was written, up to its end or an empty line.
 * @param {string[]} lines
 * @param {number} at
 * @returns {{ block: Block; next: number }}
 */
function readMath(lines, at) {
  const end = lines[at].trimStart().startsWith("$$") ? "$$" : "\\]";
  let next = at + 1;
  let closed = false;
  for (; next < lines.length && !closed && !isBlank(lines[next]); next++) closed = lines[next].includes(end);
  return { block: { type: "math", text: lines.slice(at, next).join("\n") }, next };
}

/**
 * @param {string} line
 * @param {string} marks
 */
function closes(line, marks) {
  const told = line.trim();
  if (told.length < marks.length || indentOf(line) > 3) return false;
  for (const mark of told) if (mark !== marks[0]) return false;
  return true;
}

/**
 * @param {string} line
 * @param {RegExpExecArray} heading
 * @returns {Block}
 */
function readHeading(line, [begin, marks]) {
  const text = line.slice(begin.length).trim();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  const closed = end < text.length && (end === 0 || /\s/.test(text[end - 1]));
  return { type: "heading", level: marks.length, text: closed ? text.slice(0, end).trim() : text };
}

/** @param {string} line */
function isRule(line) {
  const told = line.trim();
  const [mark] = told;
  if (indentOf(line) > 3 || !(mark === "-" || mark === "*" || mark === "_")) return false;
  let marks = 0;
  for (const one of told) {
    if (one === mark) marks += 1;
    else if (one !== " ") return false;
  }
  return marks >= 3;
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{ block: Block; next: number }}
 */
function readQuote(lines, at, depth) {
  const inside = [];
  let next = at;
  for (; next < lines.length; next++) {
    const mark = QUOTE.exec(lines[next]);
    if (!mark) break;
    inside.push(lines[next].slice(mark[0].length));
  }
  return { block: { type: "quote", blocks: blocksOf(inside, depth + 1) }, next };
}

/**
 * A list goes on with a marker of its kind; an item holds the lines that are indented by two or more.
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{ block: Block; next: number }}
 */
function readList(lines, at, depth) {
  const { indent, number } = markerOf(lines[at]);
  const items = [];
  let next = at;
  while (next < lines.length) {
    const marker = MARKER.test(lines[next]) && !isRule(lines[next]) ? markerOf(lines[next]) : null;
    if (!marker || marker.indent >= indent + 2 || (marker.number === null) !== (number === null)) break;
    const inside = [lines[next].slice(marker.width)];
    next = takeItem(lines, next + 1, indent, marker.width, inside);
    items.push(blocksOf(inside, depth + 1));
    const after = skipBlank(lines, next);
    if (after < lines.length && MARKER.test(lines[after])) next = after;
  }
  return { block: { type: "list", start: number, items }, next };
}

/** @param {string} line a line that begins with a marker */
function markerOf(line) {
  const [whole, spaces, digits] = /** @type {RegExpExecArray} */ (MARKER.exec(line));
  return { indent: spaces.length, width: whole.length, number: digits === undefined ? null : Number(digits) };
}

/**
 * Takes the lines of an item after its first; gives the line after them.
 * @param {string[]} lines
 * @param {number} at
 * @param {number} indent of the list
 * @param {number} width of the marker: so much is taken off a line at most
 * @param {string[]} inside
 */
function takeItem(lines, at, indent, width, inside) {
  let next = at;
  while (next < lines.length) {
    const after = skipBlank(lines, next);
    if (after === lines.length || indentOf(lines[after]) < indent + 2) break;
    for (; next < after; next++) inside.push("");
    inside.push(lines[next].slice(Math.min(width, indentOf(lines[next]))));
    next += 1;
  }
  return next;
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{ block: Block; next: number }}
 */
function readParagraph(lines, at, depth) {
  let next = at + 1;
  while (next < lines.length && !isBlank(lines[next]) && !interrupts(lines, next, depth)) next += 1;
  return { block: { type: "paragraph", text: lines.slice(at, next).join("\n") }, next };
}

/**
 * Whether a line ends the paragraph before it. A numbered one only as the first of a list: others are sentences.
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 */
function interrupts(lines, at, depth) {
  const line = lines[at];
  if (fenceIn(line) || MATH.test(line) || HEADING.test(line) || isRule(line) || tableAt(lines, at)) return true;
  if (depth >= DEEPEST) return false;
  if (QUOTE.test(line)) return true;
  if (!MARKER.test(line)) return false;
  const { number, width } = markerOf(line);
  return (number === null || number === 1) && !isBlank(line.slice(width));
}
