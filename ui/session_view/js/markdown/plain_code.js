// @ts-check
/** Tells code and JSON that stand in no fence from Markdown: their signs mean something else. */

/** So many lines are looked at, and so much of each. */
const LINES = 40;
const WIDTH = 200;
const FENCED = /^ {0,3}(?:```|~~~)/;
const JSON_START = /^\s*(?:\{\s*["}]|\[\s*(?:[\]{["]|-?\d[\d.]*\s*,))/;
const SIGNS = [
  /[;{]$/,
  /^[)}\]]+[;,)]*$/,
  /^(?:async )?(?:def|class) \w+.*:$/,
  /^(?:import [\w.]+(?: as \w+)?|from [\w.]+ import [\w*(, ]+\)?)$/,
  /^(?:if|elif|else|for|while|with|try|except|finally)\b.*:$/,
  /^(?:return|raise|yield|assert)\b/,
  /^(?:const|let|var|public|private|static|func|fn|package) \w+/,
  /^[A-Za-z_][\w.]* ?[-+*/]?= ?\S/,
  /^(?:#!|#include|@\w+$|>>> )/,
];

/**
 * Whether a text is code or JSON: half of its first lines look like it, and two at least.
 * @param {string} text
 */
export function isPlainCode(text) {
  if (JSON_START.test(text.slice(0, WIDTH))) return true;
  const lines = text.slice(0, LINES * WIDTH).split("\n", LINES).map((line) => line.slice(0, WIDTH).trim()).filter(Boolean);
  if (lines.some((line) => FENCED.test(line))) return false;
  const code = lines.filter((line) => SIGNS.some((sign) => sign.test(line))).length;
  return code >= 2 && code * 2 >= lines.length;
}
