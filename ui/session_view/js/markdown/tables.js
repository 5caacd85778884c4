// @ts-check
/** Tables in Markdown: a head, a line of dashes with as many cells, and rows as long as there are bars. */

/** @import { Align, Block } from "./types.d.ts" */

const WIDEST = 40;

/**
 * How the columns of a table that begins in a line are aligned; null where none begins.
 * @param {string[]} lines
 * @param {number} at
 * @returns {Align[] | null}
 */
export function tableAt(lines, at) {
  const line = lines[at + 1];
  if (line === undefined || !lines[at].includes("|") || !/^[\s|:-]*$/.test(line) || !line.includes("-")) return null;
  const marks = cellsOf(line);
  const same = marks.length <= WIDEST && marks.length === cellsOf(lines[at]).length;
  return same && marks.every((mark) => /^:?-+:?$/.test(mark)) ? marks.map(alignOf) : null;
}

/**
 * @param {string} mark
 * @returns {Align}
 */
function alignOf(mark) {
  const right = mark.endsWith(":");
  return mark.startsWith(":") ? (right ? "center" : "left") : right ? "right" : null;
}

/**
 * The cells of a line of a table; `\|` is no end of one.
 * @param {string} line
 */
function cellsOf(line) {
  const told = line.trim();
  const cells = [];
  let from = told[0] === "|" ? 1 : 0;
  for (let i = from; i < told.length; i++) {
    if (told[i] === "\\") i += 1;
    else if (told[i] === "|") {
      cells.push(told.slice(from, i).trim().replaceAll("\\|", "|"));
      from = i + 1;
    }
  }
  if (from < told.length) cells.push(told.slice(from).trim().replaceAll("\\|", "|"));
  return cells;
}

/**
 * The table that begins in a line, and the line after it. A row may have other cells than the head.
 * @param {string[]} lines
 * @param {number} at
 * @param {Align[]} align
 * @returns {{ block: Block; next: number }}
 */
export function readTable(lines, at, align) {
  const rows = [];
  let next = at + 2;
  for (; next < lines.length && lines[next].includes("|"); next++) {
    rows.push(cellsOf(lines[next]));
  }
  return { block: { type: "table", align, head: cellsOf(lines[at]), rows }, next };
}
