// @ts-check
/** Addresses in Markdown: where one ends. */

const LONGEST_ADDRESS = 2000;

/**
 * The address in the parentheses after a link's text, a title in it left out; null where there is none. It ends before the
 * next bracket at the latest: no character is looked at for two links.
 * @param {string} text
 * @param {number} at where the parenthesis has to be
 */
export function addressAt(text, at) {
  if (text[at] !== "(") return null;
  const limit = Math.min(text.length, at + LONGEST_ADDRESS);
  let open = 1;
  let quote = "";
  let end = 0;
  for (let i = at + 1; i < limit; i++) {
    const sign = text[i];
    if (sign === "[" || sign === "]" || sign === "\n") return null;
    if (quote) {
      if (sign === quote) quote = "";
      continue;
    }
    if (sign === "(") open += 1;
    else if (sign === ")") open -= 1;
    else if (sign === " " && !end) end = i;
    else if (end && (sign === '"' || sign === "'")) quote = sign;
    else if (end && sign !== " ") return null;
    if (open === 0) return { address: text.slice(at + 1, end || i).replace(/^<|>$/g, ""), end: i + 1 };
  }
  return null;
}

/**
 * An address without the signs that end its sentence.
 * @param {string} address
 */
export function withoutEnd(address) {
  const closes = address.includes("(") ? ".,;:!?" : ".,;:!?)";
  let end = address.length;
  while (closes.includes(address[end - 1])) end -= 1;
  return address.slice(0, end);
}
