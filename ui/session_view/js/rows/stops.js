// @ts-check
/** Where the keyboard and the timeline lead in the list. */

import { isStop } from "./rows.js";

/** @import { Span } from "../log/folds.d.ts" */
/** @import { EventRow, Row, StoredRow } from "./types.d.ts" */

/**
 * The next row to step onto, or undefined at an end.
 * @param {Row[]} rows
 * @param {number} at where the reader is; -1 for nowhere
 * @param {1 | -1} by
 * @returns {StoredRow | undefined}
 */
export function nextStop(rows, at, by) {
  const from = at >= 0 ? at : by > 0 ? -1 : rows.length;
  for (let i = from + by; i >= 0 && i < rows.length; i += by) {
    const row = rows[i];
    if (isStop(row)) return row;
  }
}

/**
 * The event that tells most of a span: the last one inside by its agent, else the first one from its beginning on.
 * @param {StoredRow[]} rows
 * @param {Pick<Span, "seq" | "endSeq" | "agent">} span
 * @returns {EventRow | undefined}
 */
export function eventOfSpan(rows, { seq, endSeq, agent }) {
  const events = rows.filter((row) => row.type === "event").filter((row) => row.seq >= seq);
  return events.findLast((row) => row.seq <= (endSeq ?? Infinity) && row.entry.body.author === agent) ?? events[0];
}
