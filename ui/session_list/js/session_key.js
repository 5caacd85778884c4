// @ts-check
/** What tells a session from all others: an id is unique in its pipeline alone. */

/** @param {{ pipeline: string; id: string }} session */
export function keyOf({ pipeline, id }) {
  return `${pipeline}\n${id}`;
}
