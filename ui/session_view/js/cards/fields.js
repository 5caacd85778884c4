// @ts-check
/** Values as fields that a user can change, and back: what a field holds is text, or a yes or no. */

import { ExactNumber, isObject, parseJson, readNumber, sameJson, writeJson } from "../../../browser/js/json.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @typedef {"text" | "long" | "number" | "boolean" | "json"} Kind */
/**
 * `was` is what it held at first: what is not edited is not sent.
 * @typedef {{ name: string; kind: Kind; was: string | boolean; held: string | boolean }} Field
 */
/** @typedef {{ value: Json; error?: undefined } | { error: string; value?: undefined }} Read */

const LONG = 60;

/**
 * A field for each value; kind is "text", "long", "number", "boolean" or "json".
 * @param {Record<string, Json>} values
 * @returns {Field[]}
 */
export function fieldsOf(values) {
  return Object.entries(values).map(([name, value]) => {
    const { kind, held } = fieldOf(value);
    return { name, kind, was: held, held };
  });
}

/**
 * @param {Json} value
 * @returns {Pick<Field, "kind" | "held">}
 */
function fieldOf(value) {
  if (typeof value === "boolean") return { kind: "boolean", held: value };
  if (typeof value === "number" || value instanceof ExactNumber) return { kind: "number", held: String(value) };
  if (typeof value === "string") return { kind: value.length > LONG || /[\r\n]/.test(value) ? "long" : "text", held: value };
  return { kind: "json", held: writeJson(value, null, 2) };
}

/**
 * What edited fields hold, as values, and what is wrong, by name. A field that was edited back is not edited.
 * @param {Field[]} fields
 * @returns {{ values: Record<string, Json>; errors: Record<string, string> }}
 */
export function readEdits(fields) {
  /** @type {[string, Json][]} */
  const values = [];
  /** @type {[string, string][]} */
  const errors = [];
  for (const { name, kind, was, held } of fields) {
    if (held === was) continue;
    const read = readField(kind, held, was);
    if (read.error) errors.push([name, read.error]);
    else if (kind !== "json" || !sameJson(read.value, parseJson(String(was)))) values.push([name, read.value]);
  }
  return { values: Object.fromEntries(values), errors: Object.fromEntries(errors) };
}

/**
 * @param {Kind} kind
 * @param {string | boolean} held
 * @param {string | boolean} was
 * @returns {Read}
 */
function readField(kind, held, was) {
  if (typeof held === "boolean") return { value: held };
  if (kind === "number") {
    const value = readNumber(held);
    return value === null ? { error: "This has to be a number, e.g. 12 or 0.5." } : { value };
  }
  if (kind === "json") return readJson(held);
  // A text area has line ends of its own; those of the text come back.
  return { value: String(was).includes("\r\n") ? held.replace(/\r?\n/g, "\r\n") : held };
}

/**
 * @param {string} text
 * @returns {Read}
 */
function readJson(text) {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return { error: `This is not JSON yet: ${error instanceof Error ? error.message : error}. Text needs double quotes.` };
  }
}

/**
 * A typed answer: an object in JSON as it is, anything else as `{"result": …}`. Gives `{response}` or `{error}`.
 * @param {string} text
 * @returns {{ response: Record<string, Json>; error?: undefined } | { error: string; response?: undefined }}
 */
export function readAnswer(text) {
  const typed = text.trim();
  if (!typed) return { error: "Type an answer first." };
  if (!/^[{["]/.test(typed)) {
    return { response: { result: /^(true|false|null)$/.test(typed) ? JSON.parse(typed) : readNumber(typed) ?? typed } };
  }
  const { value, error } = readJson(typed);
  if (error) return typed.startsWith("{") ? { error } : { response: { result: typed } };
  return { response: isObject(value) ? value : { result: value } };
}
