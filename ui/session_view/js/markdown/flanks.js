// @ts-check
/** Which marks may begin or end emphasis, by the characters on both sides. */

const SPACE = /\s/;
const SIGN = /[\p{P}\p{S}]/u;
const WORD = /\w/;
/** Scripts without spaces between words: beside one, a bracket or a full stop parts nothing from a word. */
const SCRIPTS = ["Han", "Hira", "Kana", "Bopo", "Hang", "Thai", "Laoo", "Khmr", "Mymr"];
const SPACELESS = new RegExp(`[${SCRIPTS.map((name) => `\\p{scx=${name}}`).join("")}\\u3000-\\u303f\\uff00-\\uffef]`, "u");

/**
 * Whether a run of marks may begin or end emphasis: not inside a word or a formula, as in `2*3*4`, `a ** b`, `__init__`. As
 * CommonMark has it, but for `**「…」**です`, where its rules see no end.
 * @param {string} text
 * @param {number} at
 * @param {string} run
 */
export function sides(text, at, run) {
  const [before, after] = [characterBefore(text, at), characterAt(text, at + run.length)];
  const [mark] = run;
  const known = mark === "~" ? run.length === 2 : run.length <= (mark === "_" ? 1 : 3);
  const isInside = WORD.test(before) && WORD.test(after);
  const free = SPACELESS.test(before) || SPACELESS.test(after);
  const opens = !SPACE.test(after) && (!SIGN.test(after) || isEdge(before) || free) && !isInside;
  const closes = !SPACE.test(before) && (!SIGN.test(before) || isEdge(after) || free);
  return { opens: known && opens, closes: known && closes && !(isInside && run.length === 1) };
}

/** @param {string} character */
function isEdge(character) {
  return SPACE.test(character) || SIGN.test(character);
}

/**
 * @param {string} text
 * @param {number} at
 */
function characterAt(text, at) {
  return at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : " ";
}

/**
 * @param {string} text
 * @param {number} at
 */
function characterBefore(text, at) {
  const isPair = at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff;
  return at > 0 ? characterAt(text, isPair ? at - 2 : at - 1) : " ";
}
