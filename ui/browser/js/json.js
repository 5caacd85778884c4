// @ts-check
/**
 * JSON in which numbers keep every digit. JavaScript reads 1234567890123456789 as …800 and 5.0 as 5; where values of users,
 * models and tools stand, such a number is an `ExactNumber`, which writes itself as it was read.
 */

/** @import { Json } from "./types.d.ts" */

/** Stands before a number's digits while they are in a string. Nobody outside of this page can know it. */
const MARK = `number-${Math.random().toString(36).slice(2)}:`;
const MARKED = new RegExp(`"${MARK}([-+.\\deE]+)"`, "g");
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER_ALONE = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Fields of records that hold values of users, models and tools, at any depth. */
const VALUES = new Set(["args", "response", "state_delta", "state", "shared", "edited_args", "custom_metadata", "detail"]);

/** A number that JavaScript would write otherwise than it was read; it counts as the number next to it. */
export class ExactNumber {
  #source;

  /** @param {string} source as it stands in JSON */
  constructor(source) {
    this.#source = source;
  }

  valueOf() {
    return Number(this.#source);
  }

  toString() {
    return this.#source;
  }

  toJSON() {
    return MARK + this.#source;
  }
}

/**
 * A number as it is typed: "number" or `ExactNumber`; null for what JSON has no such number for.
 * @param {string} text
 * @returns {Json}
 */
export function readNumber(text) {
  const source = text.trim();
  if (!NUMBER_ALONE.test(source) || !Number.isFinite(Number(source))) return null;
  return String(Number(source)) === source ? Number(source) : new ExactNumber(source);
}

/**
 * What JSON says; throws what `JSON.parse` throws.
 * @param {string} text
 * @param {boolean} [own] whether it is a record of ours, in which only some fields hold values of others
 * @returns {Json}
 */
export function parseJson(text, own = false) {
  const plain = JSON.parse(text);
  const marked = markNumbers(text);
  return marked === null ? plain : withNumbers(JSON.parse(marked), !own);
}

/**
 * The JSON text of a value, like `JSON.stringify`.
 * @param {Json} value
 * @param {((this: Json, key: string, value: Json) => Json) | null} [replacer]
 * @param {number} [indent]
 * @returns {string}
 */
export function writeJson(value, replacer = null, indent) {
  /** @this {Json} */
  function replace(/** @type {string} */ key, /** @type {Json} */ held) {
    return typeof held === "string" && held.startsWith(MARK) ? held : replacer?.call(this, key, held);
  }
  return JSON.stringify(value, replacer ? replace : undefined, indent)?.replace(MARKED, "$1") ?? "";
}

/**
 * @param {Json} a
 * @param {Json} b
 */
export function sameJson(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Tells objects from the other values that JSON has.
 * @param {Json} value
 * @returns {value is Record<string, Json>}
 */
export function isObject(value) {
  return isNested(value) && !Array.isArray(value);
}

/**
 * Whether a value holds others: an object or a list.
 * @param {Json} value
 * @returns {value is Record<string, Json> | Json[]}
 */
export function isNested(value) {
  return value !== null && typeof value === "object" && !(value instanceof ExactNumber);
}

/**
 * JSON with the numbers that JavaScript would write otherwise as marked strings; null if it has none.
 * @param {string} text JSON without mistakes
 */
function markNumbers(text) {
  const next = /["\d-]/g, inString = /["\\]/g;
  const pieces = [];
  let done = 0;
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const start = found.index;
    if (found[0] === '"') {
      next.lastIndex = endOfString(text, start, inString);
      continue;
    }
    NUMBER.lastIndex = start;
    const source = NUMBER.exec(text)?.[0] ?? found[0];
    next.lastIndex = start + source.length;
    if (String(Number(source)) === source) continue;
    pieces.push(text.slice(done, start), `"${MARK}${source}"`);
    done = next.lastIndex;
  }
  return pieces.length ? pieces.join("") + text.slice(done) : null;
}

/**
 * The place after a string that begins at `start`.
 * @param {string} text
 * @param {number} start
 * @param {RegExp} inString finds quotes and backslashes
 */
function endOfString(text, start, inString) {
  inString.lastIndex = start + 1;
  for (let found = inString.exec(text); found; found = inString.exec(text)) {
    if (found[0] === '"') return inString.lastIndex;
    inString.lastIndex += 1;
  }
  return text.length;
}

/**
 * Marked strings as numbers again, in place.
 * @param {Json} value
 * @param {boolean} exact whether it is a value of others; elsewhere only digits that would be lost are kept
 * @returns {Json}
 */
function withNumbers(value, exact) {
  if (typeof value === "string" && value.startsWith(MARK)) {
    const source = value.slice(MARK.length);
    return exact || losesDigits(source) ? new ExactNumber(source) : Number(source);
  }
  if (value === null || typeof value !== "object") return value;
  for (const [key, held] of Object.entries(value)) {
    const read = withNumbers(held, exact || VALUES.has(key));
    if (read !== held) value[key] = read;
  }
  return value;
}

/** @param {string} source */
function losesDigits(source) {
  return digitsOf(source) !== digitsOf(String(Number(source)));
}

/** @param {string} number */
function digitsOf(number) {
  const digits = number.replace(/[eE].*/, "").replace(/[-.]/g, "").replace(/^0+/, "");
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
