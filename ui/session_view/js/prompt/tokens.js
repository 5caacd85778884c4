// @ts-check
/** Estimates the tokens of a text without a tokenizer, by the rule of `agents.ace.tokens`. Models count what they get. */

const TOKEN = new RegExp(
  [
    "[A-Za-z]{1,8}", // a usual word is one token, a long one two
    "\\p{Nd}{1,3}", // digits go in groups
    "[^\\p{L}\\p{N}_\\s]{1,2}", // punctuation, often in pairs
    "[\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2e80-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\u{20000}-\\u{3ffff}]",
    "\\p{L}{1,4}", // other alphabets have shorter pieces
    "[_\\p{N}]|\\n+",
  ].join("|"),
  "gu",
);

/**
 * About how many tokens a text is.
 * @param {string} text
 */
export function countTokens(text) {
  let count = 0;
  TOKEN.lastIndex = 0;
  while (TOKEN.test(text)) count += 1;
  return count;
}
