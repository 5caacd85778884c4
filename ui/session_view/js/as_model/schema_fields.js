// @ts-check
/** A JSON schema as fields that a user fills in, and what they hold as a value. */

import { isObject, parseJson, readNumber } from "../../../browser/js/json.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { SchemaField } from "../cards/types.d.ts" */

const DEEPEST = 32;
const TYPES = { string: "text", integer: "whole number", number: "number", array: "list in JSON", object: "object in JSON" };

/**
 * The fields of an object's schema; none where it is no object's, or names no properties.
 * @param {Json} schema
 * @returns {SchemaField[]}
 */
export function fieldsOfSchema(schema) {
  const rules = resolved(schema, schema);
  const required = Array.isArray(rules.required) ? rules.required : [];
  return Object.entries(isObject(rules.properties) ? rules.properties : {}).map(([name, property]) => ({
    name,
    required: required.includes(name),
    about: isObject(property) ? String(property.description ?? "") : "",
    held: "",
    ...kindOf(resolved(property, schema)),
  }));
}

/**
 * A schema without references to the root's definitions, and without "or null": a field that is left empty is left out.
 * @param {Json} schema
 * @param {Json} root
 * @returns {Record<string, Json>}
 */
function resolved(schema, root) {
  let rules = schema;
  for (let depth = 0; depth < DEEPEST && isObject(rules); depth++) {
    const { $ref: reference, anyOf: options, ...rest } = rules;
    if (typeof reference === "string") {
      rules = reference.replace(/^#\//, "").split("/").reduce(
        (/** @type {Json} */ found, step) => (isObject(found) ? found[step] : undefined),
        root,
      );
    } else {
      const some = Array.isArray(options) ? options.filter((option) => option?.type !== "null") : [];
      if (some.length !== 1) return rules;
      rules = { ...rest, ...some[0] };
    }
  }
  return isObject(rules) ? rules : {};
}

/**
 * @param {Record<string, Json>} rules
 * @returns {Pick<SchemaField, "kind" | "type" | "whole" | "options">}
 */
function kindOf(rules) {
  const { type: given, enum: allowed } = rules;
  const type = String(Array.isArray(given) ? given.find((one) => one !== "null") : given ?? "").toLowerCase();
  const plain = { type: "", whole: false, options: [] };
  if (Array.isArray(allowed)) {
    return { ...plain, kind: "choice", options: allowed.map((value) => [String(value), value]) };
  }
  if (type === "boolean") return { ...plain, kind: "choice", options: [["true", true], ["false", false]] };
  if (type === "integer" || type === "number") {
    return { ...plain, kind: "number", type: TYPES[type], whole: type === "integer" };
  }
  if (type === "string") return { ...plain, kind: "long", type: TYPES.string };
  return { ...plain, kind: "json", type: type === "array" || type === "object" ? TYPES[type] : "any value in JSON" };
}

/**
 * What fields hold as an object, and what is wrong, by name. An empty field that is not required is left out.
 * @param {SchemaField[]} fields
 * @returns {{ values: Record<string, Json>; errors: Record<string, string> }}
 */
export function readSchemaFields(fields) {
  /** @type {Record<string, Json>} */
  const values = {};
  /** @type {Record<string, string>} */
  const errors = {};
  for (const field of fields) {
    const { name, held, required } = field;
    if (held.trim() === "") {
      if (required) errors[name] = "This is needed.";
      continue;
    }
    const { value, error } = readHeld(field);
    if (error) errors[name] = error;
    else values[name] = value;
  }
  return { values, errors };
}

/**
 * @param {SchemaField} field
 * @returns {{ value?: Json; error?: string }}
 */
function readHeld({ kind, held, whole, options }) {
  if (kind === "choice") return { value: options[Number(held)][1] };
  if (kind === "number") {
    const value = readNumber(held.trim());
    if (value === null) return { error: "This has to be a number, e.g. 12 or 0.5." };
    return whole && !/^-?\d+$/.test(held.trim()) ? { error: "This has to be a whole number, e.g. 12." } : { value };
  }
  if (kind !== "json") return { value: held };
  try {
    return { value: parseJson(held) };
  } catch (error) {
    return { error: `This is not JSON yet: ${error instanceof Error ? error.message : error}. Text needs double quotes.` };
  }
}
