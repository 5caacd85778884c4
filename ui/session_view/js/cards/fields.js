// @ts-check
/** Values as fields that a user can change, and back: what a field holds is text, or a yes or no. */

import { isObject } from "../log/json.js";

/** @import { Json } from "../log/entries.d.ts" */
/** @typedef {"text" | "long" | "number" | "boolean" | "json"} Kind */
/** @typedef {{ name: string; kind: Kind; held: string | boolean }} Field */
/** @typedef {{ value: Json; error?: undefined } | { error: string; value?: undefined }} Read */

const LONG = 60;

/**
 * A field for each value: `{name, kind, held}`; kind is "text", "long", "number", "boolean" or "json".
 * @param {Record<string, Json>} values
 * @returns {Field[]}
 */
export function fieldsOf(values) {
  return Object.entries(values).map(([name, value]) => ({ name, ...fieldOf(value) }));
}

/**
 * @param {Json} value
 * @returns {Omit<Field, "name">}
 */
function fieldOf(value) {
  if (typeof value === "boolean") return { kind: "boolean", held: value };
  if (typeof value === "number") return { kind: "number", held: String(value) };
  if (typeof value === "string") return { kind: value.length > LONG || value.includes("\n") ? "long" : "text", held: value };
  return { kind: "json", held: JSON.stringify(value, null, 2) };
}

/**
 * What fields hold, as values, and what is wrong, by name: `{values, errors}`.
 * @param {Field[]} fields
 * @returns {{ values: Record<string, Json>; errors: Record<string, string> }}
 */
export function readFields(fields) {
  /** @type {Record<string, Json>} */
  const values = {};
  /** @type {Record<string, string>} */
  const errors = {};
  for (const { name, kind, held } of fields) {
    const read = readField(kind, held);
    if (read.error) errors[name] = read.error;
    else values[name] = read.value;
  }
  return { values, errors };
}

/**
 * @param {Kind} kind
 * @param {string | boolean} held
 * @returns {Read}
 */
function readField(kind, held) {
  if (typeof held === "boolean") return { value: held };
  if (kind === "number") {
    const value = Number(held);
    return held.trim() === "" || !Number.isFinite(value) ? { error: "This has to be a number." } : { value };
  }
  return kind === "json" ? readJson(held) : { value: held };
}

/**
 * @param {string} text
 * @returns {Read}
 */
function readJson(text) {
  try {
    return { value: JSON.parse(text) };
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
    return { response: { result: /^(-?\d+(\.\d+)?|true|false|null)$/.test(typed) ? JSON.parse(typed) : typed } };
  }
  const { value, error } = readJson(typed);
  if (error) return typed.startsWith("{") ? { error } : { response: { result: typed } };
  return { response: isObject(value) ? value : { result: value } };
}
