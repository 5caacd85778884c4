// @ts-check
/** Values of state that stand for a playbook: they say which one is meant, and hold none of its bullets. */

/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { PlaybookPlace } from "./entries.d.ts" */

/** The state key whose delta is a commit, and no value. */
export const PLAYBOOK = "app:playbook";

/**
 * Whether a value says which playbook it means: a commit does, and so does what the start of a run notes.
 * @param {Json | PlaybookPlace} value the type is named, since Deno does not count a type predicate as a use
 * @returns {value is PlaybookPlace}
 */
export function isReference(value) {
  return value !== null && typeof value === "object" && typeof value.playbook === "string" &&
    Number.isInteger(value.revision);
}
