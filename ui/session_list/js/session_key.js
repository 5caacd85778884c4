// @ts-check
/** What tells a session from all others: an id is unique in its pipeline alone. */

/** @import { Key } from "./types.d.ts" */

/** @param {{ pipeline: string; id: string }} session */
export function keyOf({ pipeline, id }) {
  return `${pipeline}\n${id}`;
}

/**
 * A session as the page is told of it.
 * @param {{ pipeline: string; id: string }} session
 * @returns {Key}
 */
export function nameOf({ pipeline, id }) {
  return [pipeline, id];
}
