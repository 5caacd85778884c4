// @ts-check
/** JSON as it is read: without the nulls of its objects, or in a line that says what it holds. */

import { writeJson } from "../../../browser/js/json.js";
import { plural, shortenData } from "./format.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */

const SEVERAL = /^[a-z][a-z_]*[^su]s$/;

/**
 * Indented JSON, and how many nulls in objects were left out.
 * @param {Json} value
 * @param {boolean} withNulls
 */
export function jsonText(value, withNulls) {
  let left = 0;
  /** @this {Json} */
  function replacer(/** @type {string} */ key, /** @type {Json} */ held) {
    if (held !== null || key === "" || Array.isArray(this)) return shortenData(key, held);
    left += 1;
    return withNulls ? null : undefined;
  }
  return { text: writeJson(value, replacer, 2), nulls: left };
}

/**
 * What a list or an object holds: "3 operations", "[…] 40 items", "{…} 12 keys".
 * @param {string} name of the list or object
 * @param {Json} value
 */
export function summaryOf(name, value) {
  if (!Array.isArray(value)) return `{…} ${plural(Object.keys(value).length, "key")}`;
  const words = name.replaceAll("_", " ");
  return SEVERAL.test(name) ? plural(value.length, words.slice(0, -1), words) : `[…] ${plural(value.length, "item")}`;
}
