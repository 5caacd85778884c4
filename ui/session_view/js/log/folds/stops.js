// @ts-check
/** What the cursor's track marks, and where agents' turns begin. A fold over the log. */

import { CALLS_LIMIT, isFailure } from "../failures.js";

/** @import { Entry } from "../entries.d.ts" */
/** @import { StopMark, Stops } from "../folds.d.ts" */

/** @returns {Stops} */
export function emptyStops() {
  return { turns: [], marks: [], last: "", started: new Set() };
}

/**
 * Takes in the next entry.
 * @param {Stops} stops
 * @param {Entry} entry
 * @param {number} at the number of the event that it is, or of the last one before it
 */
export function foldStops(stops, { kind, body }, at) {
  if (kind === "agent_started") stops.started.add(placeOf(body.agent, body.branch));
  else if (kind === "loop_iteration") mark(stops, at + 1, "pass");
  else if (kind === "run_finished" && body.status === "failed" && body.error_code !== CALLS_LIMIT) mark(stops, at, "error");
  if (kind !== "event") return;
  const place = placeOf(body.author, body.branch);
  if (place !== stops.last || stops.started.has(place)) stops.turns.push(at);
  stops.started.delete(place);
  stops.last = place;
  if (isFailure(body)) mark(stops, at, "error");
  else if (body.author === "user" && !body.branch && !body.actions?.compaction) mark(stops, at, "user");
}

/**
 * @param {Stops} stops
 * @param {number} at
 * @param {StopMark["kind"]} kind
 */
function mark({ marks }, at, kind) {
  const last = marks.at(-1);
  if (last?.at !== at || last.kind !== kind) marks.push({ at, kind });
}

/**
 * The number of the event where the next turn begins, or where this one or the one before it began; null past an end.
 * @param {Stops} stops
 * @param {number} at
 * @param {1 | -1} by
 */
export function turnFrom({ turns }, at, by) {
  const found = by > 0 ? turns.find((turn) => turn > at) : turns.findLast((turn) => turn < at);
  return found ?? null;
}

/** Of marks at one place of the track the first of these is shown. */
const FIRST = ["error", "user", "pass"];

/**
 * Marks as a track of `width` places shows them: one a place, by where it is from 0 to 1.
 * @param {StopMark[]} marks
 * @param {number} events
 * @param {number} width
 * @returns {{ kind: StopMark["kind"]; at: number; share: number }[]}
 */
export function marksOnTrack(marks, events, width) {
  /** @type {Map<number, { kind: StopMark["kind"]; at: number; share: number }>} */
  const places = new Map();
  for (const { at, kind } of marks) {
    const share = events > 1 ? (Math.min(at, events) - 1) / (events - 1) : 1;
    const place = Math.round(Math.max(0, share) * width);
    const held = places.get(place);
    if (!held || FIRST.indexOf(kind) < FIRST.indexOf(held.kind)) places.set(place, { kind, at, share: place / width });
  }
  return [...places.values()];
}

/**
 * @param {string} author
 * @param {string | null | undefined} branch
 */
function placeOf(author, branch) {
  return branch ? `${author}\n${branch}` : author;
}
