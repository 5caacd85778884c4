// @ts-check
/** State keys in an instruction, as `agents.llm.instruction` reads them. */

const PLACEHOLDER = /(?:[$\\]|(?<!\{))\{+[^{}]*\}+/g;
const IDENTIFIER = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u;
const SCOPES = ["app", "user", "temp"];
const BEGUN = /\{\s*([\p{L}\p{N}_:]{0,80})$/u;
/** Characters before the caret in which a key may have begun. */
const WINDOW = 100;

/**
 * The keys that a text names, each once, with whether it may be missing.
 * @param {string} text
 * @returns {Map<string, boolean>}
 */
export function keysIn(text) {
  /** @type {Map<string, boolean>} */
  const found = new Map();
  for (const [match] of text.matchAll(PLACEHOLDER)) {
    if (match[0] !== "{") continue;
    const name = match.replace(/^\{+/, "").replace(/\}+$/, "").trim();
    const key = name.endsWith("?") ? name.slice(0, -1) : name;
    if (isKey(key)) found.set(key, (found.get(key) ?? true) && key !== name);
  }
  return found;
}

/** @param {string} key */
export function isKey(key) {
  const [scope, rest, ...more] = key.split(":");
  return rest === undefined ? IDENTIFIER.test(scope) : !more.length && SCOPES.includes(scope) && IDENTIFIER.test(rest);
}

/** @param {string} key */
export function hasScope(key) {
  return key.includes(":");
}

/**
 * The key that is being typed before the caret: where it begins, and its letters so far; null if none is.
 * @param {string} text
 * @param {number} caret
 */
export function begunKey(text, caret) {
  const before = text.slice(Math.max(0, caret - WINDOW), caret);
  const begun = BEGUN.exec(before);
  if (!begun || /[$\\]/.test(before[begun.index - 1] ?? "")) return null;
  return { start: caret - begun[1].length, letters: begun[1] };
}

/**
 * A text in which a chosen key has taken the place of the letters before the caret, and where the caret is then.
 * @param {string} text
 * @param {number} caret
 * @param {string} key
 */
export function withKey(text, caret, key) {
  const begun = begunKey(text, caret);
  const before = begun ? text.slice(0, begun.start) : `${text.slice(0, caret)}{`;
  const after = text.slice(caret);
  const close = begun && after.startsWith("}") ? "" : "}";
  return { text: `${before}${key}${close}${after}`, caret: before.length + key.length + 1 };
}

/** Keys that are longer are compared with none: that takes time in the square of their length. */
const LONGEST = 100;

/**
 * The known key that is most like one that nobody writes; "" if none is.
 * @param {string} key
 * @param {string[]} known
 */
export function nearest(key, known) {
  if (key.length > LONGEST) return "";
  let best = "", least = Math.floor(key.length / 3) + 2;
  for (const one of known) {
    const steps = distance(key.toLowerCase(), one.toLowerCase(), least);
    if (steps < least) [best, least] = [one, steps];
  }
  return best;
}

/**
 * How many letters differ between two words (Levenshtein), or `most` if it is as many or more.
 * @param {string} a
 * @param {string} b
 * @param {number} most
 */
function distance(a, b, most) {
  if (Math.abs(a.length - b.length) >= most) return most;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return Math.min(row[b.length], most);
}
