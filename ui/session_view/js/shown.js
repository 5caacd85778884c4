/**
 * The rows that are shown: those of some agents, without what is folded away. Grows with the rows it is taken from, so
 * that a new entry costs the same however long the list is. Pure.
 */

import { contains, toolBranches } from "./branches.js";

/**
 * @param names agents whose rows are wanted; null for all
 * @param folded branches of agents at work as tools whose rows are folded away
 */
export function emptyShown(names, folded) {
  return { names, folded: [...folded], rows: [], taken: 0, drawn: 0, events: 0, waiting: [], blocks: new Map() };
}

/**
 * The rows to draw: stored ones and then those being written, and how many at the beginning stand where they stood.
 * @returns {{rows: Array, same: number, matches: number | null}}
 */
export function rowsToDraw(shown, book, partials) {
  const { names, folded } = shown;
  const stored = names || folded.length ? extendShown(shown, book.rows) : book.rows;
  const same = Math.min(shown.drawn, stored.length);
  shown.drawn = stored.length;
  const live = [...partials].filter((p) => (p.text || p.thought) && (!names || names.has(p.author)) && !folded.some((branch) => contains(branch, p.branch)));
  const rows = live.map((partial) => ({ key: `p:${partial.id}`, type: "partial", partial, branch: partial.branch, scopes: book.scopes, entry: null }));
  return { rows: rows.length ? [...stored, ...rows] : stored, same, matches: names ? shown.events : null };
}

/** Takes in the rows that are new since the last time; returns all that are shown. */
export function extendShown(shown, rows) {
  for (; shown.taken < rows.length; shown.taken++) takeRow(shown, rows[shown.taken]);
  return shown.rows;
}

function takeRow(shown, row) {
  if (shown.folded.some((branch) => contains(branch, row.branch))) return;
  if (!shown.names || isWanted(row, shown.names)) {
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

/** The first rows of the blocks that a row stands in, unless they are shown already. */
function blocksAround({ blocks }, { branch }) {
  const found = [];
  for (const path of toolBranches(branch)) {
    if (blocks.has(path)) found.push(blocks.get(path));
    blocks.delete(path);
  }
  return found;
}

function isWanted(row, names) {
  const { body } = row.entry;
  switch (row.type) {
    case "event":
      return names.has(row.to ?? body.author);
    case "block":
      return names.has(row.live.agent) && names.has(row.caller);
    case "card":
      return names.has(row.call.agent);
    case "thumbs":
      return names.has(row.live.agent);
    case "transfer":
      return names.has(body.agent) || names.has(body.to);
    case "note":
    case "route":
    case "fault":
    case "given":
    case "retry":
    case "cut":
    case "loading":
    case "drift":
    case "protocol":
      return names.has(body.agent);
    default:
      return false;
  }
}
