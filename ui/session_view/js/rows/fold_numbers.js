// @ts-check
/** Numbers of folded blocks as a short text for the address, e.g. "0-3.7": neighbours become a range. */

/** @typedef {[first: number, last: number]} Range */

/** Characters; of folds beyond that the first ones stay. */
const LONGEST = 200;
const RANGES = /^\d{1,6}(?:-\d{1,6})?(?:\.\d{1,6}(?:-\d{1,6})?)*$/;

/**
 * @param {Iterable<number>} numbers
 * @returns {string | null} null for none
 */
export function foldText(numbers) {
  /** @type {Range[]} */
  const ranges = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && number <= last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  let text = "";
  for (const [first, last] of ranges) {
    const more = `${text && "."}${first === last ? first : `${first}-${last}`}`;
    if (text.length + more.length > LONGEST) break;
    text += more;
  }
  return text || null;
}

/**
 * The text of an address if it is one; null for anything else.
 * @param {string | null} text
 */
export function checkedFoldText(text) {
  return text !== null && text.length <= LONGEST && RANGES.test(text) ? text : null;
}

/**
 * Whether a text holds a number. Ranges are not counted out: a link may name a million.
 * @param {string | null} text
 * @returns {(number: number) => boolean}
 */
export function foldNumbers(text) {
  const ranges = (checkedFoldText(text)?.split(".") ?? []).map((range) => range.split("-").map(Number));
  return (number) => ranges.some(([first, last = first]) => first <= number && number <= last);
}
