// @ts-check
/**
 * The rows that are shown: those that the filters want, without what is folded away. Grows with the rows it is taken from,
 * so that a new entry costs the same however long the list is.
 */

import { toolBranches } from "../log/branches.js";

/** @import { Partial } from "../log/folds.d.ts" */
/** @import { BlockRow, Book, PartialRow, Row, RowFor, StoredRow } from "../rows/types.d.ts" */
/** @import { Matcher } from "./types.d.ts" */
/**
 * Which rows are shown, and those of them that are known so far. `taken` and `drawn` count rows; `waiting` are first rows of
 * runs and passes, and `blocks` those of agents at work as tools, of which nothing is shown yet.
 * @typedef {object} ShownRows
 * @property {Matcher | null} matches
 * @property {Set<string>} folded
 * @property {StoredRow[]} rows
 * @property {number} taken
 * @property {number} drawn
 * @property {number} events
 * @property {(RowFor<"run"> | RowFor<"iteration">)[]} waiting
 * @property {Map<string, BlockRow>} blocks
 */

/**
 * @param {Matcher | null} matches which rows are wanted; null for all
 * @param {Iterable<string>} folded branches of agents at work as tools whose rows are folded away
 * @returns {ShownRows}
 */
export function emptyShown(matches, folded) {
  return { matches, folded: new Set(folded), rows: [], taken: 0, drawn: 0, events: 0, waiting: [], blocks: new Map() };
}

/**
 * The rows to draw: stored ones and then those being written, and how many at the beginning stand where they stood.
 * @param {ShownRows} shown
 * @param {Pick<Book, "rows" | "scopes">} book
 * @param {Iterable<Partial>} partials
 * @returns {{ rows: Row[]; same: number; matches: number | null }}
 */
export function rowsToDraw(shown, book, partials) {
  const { matches, folded } = shown;
  const stored = matches || folded.size ? extendShown(shown, book.rows) : book.rows;
  const same = Math.min(shown.drawn, stored.length);
  shown.drawn = stored.length;
  /** @type {PartialRow[]} */
  const written = [...partials].filter(({ text, thought }) => text || thought).map((partial) => ({
    key: `p:${partial.id}`,
    type: "partial",
    partial,
    branch: partial.branch,
    scopes: book.scopes,
    entry: null,
  }));
  const live = written.filter((row) => !isFolded(folded, row.branch) && (!matches || matches(row)));
  return { rows: live.length ? [...stored, ...live] : stored, same, matches: matches ? shown.events : null };
}

/**
 * Takes in the rows that are new since the last time; returns all that are shown.
 * @param {ShownRows} shown
 * @param {StoredRow[]} rows
 */
export function extendShown(shown, rows) {
  for (; shown.taken < rows.length; shown.taken++) takeRow(shown, rows[shown.taken]);
  return shown.rows;
}

/**
 * @param {ShownRows} shown
 * @param {StoredRow} row
 */
function takeRow(shown, row) {
  if (isFolded(shown.folded, row.branch)) return;
  if (!shown.matches || shown.matches(row)) {
    shown.rows.push(...shown.waiting, ...blocksAround(shown, row), row);
    shown.waiting = [];
    if (row.type === "event") shown.events += 1;
  } else if (row.type === "run") shown.waiting = [row];
  else if (row.type === "block") shown.blocks.set(row.live.branch, row);
  else if (row.type === "iteration") {
    shown.waiting = shown.waiting.filter((other) => other.type === "run" || other.entry.body.agent !== row.entry.body.agent);
    shown.waiting.push(row);
  }
}

/**
 * Whether a branch stands in one that is folded away.
 * @param {Set<string>} folded
 * @param {string} branch
 */
function isFolded(folded, branch) {
  return folded.size > 0 && toolBranches(branch).some((path) => folded.has(path));
}

/**
 * The first rows of the blocks that a row stands in, unless they are shown already.
 * @param {ShownRows} shown
 * @param {StoredRow} row
 */
function blocksAround({ blocks }, { branch }) {
  const paths = toolBranches(branch);
  const found = paths.flatMap((path) => blocks.get(path) ?? []);
  for (const path of paths) blocks.delete(path);
  return found;
}
