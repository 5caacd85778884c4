// @ts-check
/** Tells objects from the other values that JSON has. */

/** @import { Json } from "./entries.d.ts" */

/**
 * @param {Json} value
 * @returns {value is Record<string, Json>}
 */
export function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
