// @ts-check
/**
 * The number of an entry in its session, as the address has it: "12" is the event that the list numbers 12, "12.3" the third
 * trace record after it, "0.1" the first before any event. The log only grows, so an entry keeps its number.
 */

import { ordinalAt } from "../log/log.js";

/** @import { Log } from "../log/folds.d.ts" */

/**
 * The number of the entry `seq`; null if it is not here.
 * @param {Log} log
 * @param {number} seq
 */
export function numberAt(log, seq) {
  const place = log.places.get(seq);
  if (place === undefined) return null;
  const event = ordinalAt(log, seq);
  const record = place - placeOf(log, event);
  return record ? `${event}.${record}` : `${event}`;
}

/**
 * The `seq` of the entry with a number; null if it is not here.
 * @param {Log} log
 * @param {string} number
 */
export function seqAt(log, number) {
  const [event, record = 0] = number.split(".").map(Number);
  const entry = log.entries[placeOf(log, event) + record];
  return entry && numberAt(log, entry.seq) === number ? entry.seq : null;
}

/**
 * @param {Log} log
 * @param {number} event 0 for what is before the first
 */
function placeOf(log, event) {
  return event ? log.eventPlaces[event - 1] : -1;
}
