// @ts-check
/** The book that holds a log's rows, and what the next ones depend on. */

import { emptyPending } from "../log/folds/pending.js";
import { emptyJudged } from "../log/folds/verdicts.js";
import { emptyOutcome } from "./outcome.js";

/** @import { Entry } from "../log/entries.d.ts" */
/** @import { Book, RowFor, StoredRow } from "./types.d.ts" */

/** @returns {Book} */
export function emptyBook() {
  return {
    rows: [],
    scopes: [],
    held: [],
    escalation: null,
    outcome: emptyOutcome(),
    error: null,
    runs: 0,
    ordinal: 0,
    pending: emptyPending(),
    judged: emptyJudged(),
    carded: new Set(),
    pause: null,
    limit: null,
    turns: new Map(),
    settings: new Map(),
    blocks: new Map(),
    calls: new Map(),
    callers: new Map(),
    nodes: new Map(),
    origin: { mixed: false, version: 0 },
    loading: new Map(),
  };
}

/**
 * Adds a row at an entry, as things stand in the book.
 * @template {StoredRow["type"]} Type
 * @param {Book} book
 * @param {Entry} entry
 * @param {Type} type
 * @param {string} branch
 * @param {Partial<RowFor<Type>>} more what only rows of this type have, or another key
 */
export function pushRow(book, entry, type, branch, more = {}) {
  const { scopes, ordinal, runs } = book;
  const row = { key: entry.seq, seq: entry.seq, type, entry, branch, scopes, ordinal, runs, ...more };
  book.rows.push(/** @type {StoredRow} */ (/** @type {unknown} */ (row)));
}
