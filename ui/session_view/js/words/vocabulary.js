// @ts-check
/** The words of the log's records, by kind: the same file that the terminal reads. */

import KINDS from "../../../../agents/trace_kinds.json" with { type: "json" };

const FIELD = /\{(\w+)\}/g;

/** @type {Record<string, Record<string, string>>} */
const VOCABULARY = KINDS;

/**
 * A phrase of a kind with its fields filled in; null where the kind has no phrase of that name.
 * @param {string} kind
 * @param {string} name
 * @param {Record<string, unknown>} fields
 * @returns {string | null}
 */
export function phrase(kind, name, fields = {}) {
  const words = VOCABULARY[kind] ?? {};
  return Object.hasOwn(words, name) ? words[name].replace(FIELD, (_, field) => String(fields[field])) : null;
}

/**
 * The same with fields of any kind, e.g. drawn ones: the texts between them and the fields, in order.
 * @template Field
 * @param {string} kind
 * @param {string} name
 * @param {Record<string, Field>} fields
 * @returns {(string | Field)[]}
 */
export function phraseParts(kind, name, fields) {
  const parts = (VOCABULARY[kind]?.[name] ?? "").split(FIELD); // texts and, between them, names of fields
  return parts.map((part, i) => (i % 2 ? fields[part] : part));
}

/**
 * The same of a phrase that there is.
 * @param {string} kind
 * @param {string} name
 * @param {Record<string, unknown>} fields
 */
export function said(kind, name, fields = {}) {
  return phrase(kind, name, fields) ?? "";
}
