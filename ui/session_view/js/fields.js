/** Values as fields that a person can change, and back. Pure: what a field holds is text, or a yes or no. */

const LONG = 60;

/** A field for each value: `{name, kind, held}`; kind is "text", "long", "number", "boolean" or "json". */
export function fieldsOf(values) {
  return Object.entries(values).map(([name, value]) => ({ name, ...fieldOf(value) }));
}

function fieldOf(value) {
  if (typeof value === "boolean") return { kind: "boolean", held: value };
  if (typeof value === "number") return { kind: "number", held: String(value) };
  if (typeof value === "string") return { kind: value.length > LONG || value.includes("\n") ? "long" : "text", held: value };
  return { kind: "json", held: JSON.stringify(value, null, 2) };
}

/** What fields hold, as values, and what is wrong, by name: `{values, errors}`. */
export function readFields(fields) {
  const values = {};
  const errors = {};
  for (const { name, kind, held } of fields) {
    const read = readField(kind, held);
    if (read.error) errors[name] = read.error;
    else values[name] = read.value;
  }
  return { values, errors };
}

function readField(kind, held) {
  if (kind === "number") {
    const value = Number(held);
    return held.trim() === "" || !Number.isFinite(value) ? { error: "This has to be a number." } : { value };
  }
  return kind === "json" ? readJson(held) : { value: held };
}

function readJson(text) {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: `This is not JSON yet: ${error.message}. Text needs double quotes.` };
  }
}

/** A typed answer: an object in JSON as it is, anything else as `{"result": …}`. Gives `{response}` or `{error}`. */
export function readAnswer(text) {
  const typed = text.trim();
  if (!typed) return { error: "Type an answer first." };
  if (!/^[{["]/.test(typed)) return { response: { result: /^(-?\d+(\.\d+)?|true|false|null)$/.test(typed) ? JSON.parse(typed) : typed } };
  const { value, error } = readJson(typed);
  if (error) return typed.startsWith("{") ? { error } : { response: { result: typed } };
  return { response: value !== null && typeof value === "object" && !Array.isArray(value) ? value : { result: value } };
}
