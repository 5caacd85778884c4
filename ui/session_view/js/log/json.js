// @ts-check
/** What a value from the log is. */

/** @import { Json } from "./entries.d.ts" */

/**
 * @param {Json} value
 * @returns {value is Record<string, Json>}
 */
export function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
