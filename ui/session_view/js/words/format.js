// @ts-check
/** How values read on screen: numbers, times, arguments, pictures. */

import { writeJson } from "../../../browser/js/json.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */

const GROUPED = new Intl.NumberFormat("en-US");

/** @param {number} n */
export function count(n) {
  return GROUPED.format(/** @type {number} */ (/** @type {unknown} */ (typeof n === "number" ? n : String(n))));
}

/**
 * @param {number} n
 * @param {string} one
 * @param {string} many
 */
export function plural(n, one, many = one + "s") {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/**
 * Seconds as they are read: "8 ms", "1.3 s", "2 min 05 s", "3 h 20 min", "2 days 5 h".
 * @param {number | null | undefined} seconds
 */
export function duration(seconds) {
  if (seconds == null || !isFinite(seconds)) return "";
  if (seconds < 0.9995) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
  const hours = Math.round(seconds / 3600);
  return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}

/**
 * Bytes as they are read: "98 MB", "1.1 GB".
 * @param {number | null | undefined} bytes
 */
export function fileSize(bytes) {
  if (!bytes || bytes < 0) return "";
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** power;
  return `${amount < 9.95 && power > 1 ? amount.toFixed(1) : Math.round(amount)} ${["bytes", "kB", "MB", "GB"][power]}`;
}

/**
 * Seconds since the epoch as local wall-clock time.
 * @param {number | null | undefined} timestamp
 * @param {boolean} withMillis
 */
export function clock(timestamp, withMillis = false) {
  if (timestamp == null) return "";
  const at = new Date(timestamp * 1000);
  /** @param {number} n */
  const two = (n) => String(n).padStart(2, "0");
  const text = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return withMillis ? `${text}.${String(at.getMilliseconds()).padStart(3, "0")}` : text;
}

/**
 * At most `limit` characters, cut with an ellipsis, never inside a surrogate pair.
 * @param {string} text
 * @param {number} limit
 */
export function clip(text, limit) {
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text[limit - 1]) ? limit - 1 : limit;
  return text.slice(0, end).trimEnd() + "…";
}

/**
 * A value on one line, strings inside quotes; long encoded data is named, not shown.
 * @param {Json} value
 * @param {number} limit
 */
export function oneLine(value, limit = 160) {
  if (typeof value === "string" && stateImage(value)) return "picture";
  const text = writeJson(value, shortenData);
  return clip(text.replace(/\s+/g, " "), limit);
}

/**
 * Call arguments as one line: `count: 7, colour: "yellow"`.
 * @param {Record<string, Json> | null | undefined} args
 * @param {number} limit
 */
export function argumentsLine(args, limit = 160) {
  const parts = Object.entries(args ?? {}).map(([key, value]) => `${key}: ${oneLine(value, limit)}`);
  return clip(parts.join(", "), limit);
}

/**
 * A tool's answer as one line; the wrapper `{"result": x}` is taken off.
 * @param {Record<string, Json> | null | undefined} response
 * @param {number} limit
 */
export function responseLine(response, limit = 200) {
  const keys = Object.keys(response ?? {});
  if (keys.length === 1 && keys[0] === "result") {
    const result = response?.result;
    if (result === null) return "";
    return typeof result === "string" ? clip(result.replace(/\s+/g, " "), limit) : oneLine(result, limit);
  }
  return argumentsLine(response, limit);
}

/**
 * A value as a user reads it: a string as it is, anything else as indented JSON.
 * @param {Json} value
 * @returns {string}
 */
export function pretty(value) {
  if (typeof value === "string") return value;
  return writeJson(value, shortenData, 2);
}

/**
 * A replacer for JSON.stringify: megabytes of base64 help nobody who reads.
 * @param {string} key
 * @param {Json} value
 * @returns {Json}
 */
export function shortenData(key, value) {
  if (typeof value !== "string" || value.length < 400) return value;
  const sample = value.slice(0, 300);
  const isData = key === "data" || sample.startsWith("data:") ? !/\s/.test(sample) : /^[\w+/=-]{300}$/.test(sample);
  return isData ? `${value.slice(0, 40)}… (${count(value.length)} characters)` : value;
}

const PICTURES = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

/**
 * A picture's data URL, or null when its type or its text is not one we show. Takes both base64 alphabets.
 * @param {string} mimeType
 * @param {unknown} data
 */
export function imageUrl(mimeType, data) {
  if (!PICTURES.has(mimeType) || typeof data !== "string" || !/^[\w+/-]+=*$/.test(data)) return null;
  return `data:${mimeType};base64,${data.replaceAll("-", "+").replaceAll("_", "/")}`;
}

/**
 * The data URL of a state value that is a picture, else null.
 * @param {Json} value
 */
export function stateImage(value) {
  if (typeof value !== "string" || !value.startsWith("data:image/")) return null;
  const match = /^data:(image\/[a-z]+);base64,/.exec(value.slice(0, 40));
  return match ? imageUrl(match[1], value.slice(match[0].length)) : null;
}

/**
 * What kind of agent it is, in a word; an agent of the author's own shows its class.
 * @param {string | undefined} kind
 * @param {string | undefined} type
 */
export function kindWord(kind, type) {
  /** @type {Record<string, string>} */
  const words = {
    LlmAgent: "model",
    SequentialAgent: "sequence",
    LoopAgent: "loop",
    ParallelAgent: "parallel",
    RoutedAgent: "router",
    Workflow: "graph",
    FunctionNode: "function",
    JoinNode: "waits for all before it",
    ParallelWorker: "for each item",
    ToolNode: "tool",
  };
  return words[kind ?? ""] ?? (type ? `code · ${type}` : "code");
}

/**
 * Names in a sentence: "A", "A and B", "A, B and C".
 * @param {string[]} names
 */
export function listing(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
