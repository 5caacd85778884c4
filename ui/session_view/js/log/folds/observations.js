// @ts-check
/** What a lesson says to look for, and which entries of the log show it. A fold over the log. */

/** @import { Json } from "../../../../browser/js/types.d.ts" */
/** @import { Entry } from "../entries.d.ts" */
/** @import { Observation, Sighting } from "../folds.d.ts" */

/**
 * Nothing is seen yet.
 * @param {Observation[]} observations
 * @returns {Sighting[]}
 */
export function emptySightings(observations) {
  return observations.map((observation) => ({ observation, times: 0, seq: null }));
}

/**
 * Takes in entries. An observation is seen with the entry that makes up its count, and stays so.
 * @param {Sighting[]} sightings
 * @param {Entry[]} entries
 */
export function foldSightings(sightings, entries) {
  for (const { kind, seq, body } of entries) {
    for (const sighting of sightings) {
      const { observation } = sighting;
      if (sighting.seq !== null || observation.kind !== kind || !contains(body, observation.body)) continue;
      sighting.times += 1;
      if (sighting.times >= observation.count) sighting.seq = seq;
    }
  }
}

/**
 * Whether a JSON value contains another: of an object all members, at any depth, so whatever is there contains an empty one.
 * Of a list, on either side, one match is enough.
 * @param {Json} value
 * @param {Json} wanted
 * @returns {boolean}
 */
export function contains(value, wanted) {
  if (Array.isArray(wanted)) return wanted.some((one) => contains(value, one));
  if (Array.isArray(value)) return value.some((one) => contains(one, wanted));
  if (wanted === null || typeof wanted !== "object") return value?.valueOf() === wanted;
  return value !== undefined && Object.entries(wanted).every(([name, member]) => contains(value?.[name], member));
}
