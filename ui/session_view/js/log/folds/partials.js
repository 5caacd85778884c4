// @ts-check
/** Text that is still being written: pieces by event id, placed by their offset. Never stored. */

/** @import { Entry } from "../entries.d.ts" */
/** @import { Partial, Piece } from "../folds.d.ts" */
/** @typedef {Map<string, Partial>} Partials */

/** @returns {Partials} */
export function emptyPartials() {
  return new Map();
}

/**
 * Places a piece; a piece received twice changes nothing. Returns whether anything changed.
 * `offset` counts code points, text and thoughts apart.
 * @param {Partials} partials
 * @param {Piece} piece
 */
export function placePiece(partials, { id, author, branch, offset, text, thought }) {
  let partial = partials.get(id);
  if (!partial) {
    partials.set(
      id,
      partial = { id, author, branch: branch ?? "", text: "", thought: "", points: { text: 0, thought: 0 }, version: 0 },
    );
  }
  const field = thought ? "thought" : "text";
  const held = partial[field];
  if (offset > partial.points[field]) return false; // a gap: the stored event will bring the whole
  const kept = offset === partial.points[field] ? held : Array.from(held).slice(0, offset).join("");
  const next = kept + text;
  if (held.startsWith(next)) return false;
  partial[field] = next;
  partial.points[field] = offset + countPoints(text);
  partial.version += 1;
  return true;
}

/** @param {string} text */
function countPoints(text) {
  let points = text.length;
  for (let i = 1; i < text.length; i++) if (text.charCodeAt(i) >= 0xdc00 && text.charCodeAt(i) <= 0xdfff) points -= 1;
  return points;
}

/**
 * Drops what the new entries make final: the event with a partial's id, or the end of the run.
 * @param {Partials} partials
 * @param {Entry[]} entries
 */
export function settle(partials, entries) {
  for (const { kind, body } of entries) {
    if (kind === "event") partials.delete(body.id);
    else if (kind === "run_finished" || kind === "run_started") partials.clear();
    else if (kind === "agent_finished") {
      for (const [id, partial] of partials) {
        if (partial.author === body.agent && partial.branch === (body.branch ?? "")) partials.delete(id);
      }
    }
  }
}
