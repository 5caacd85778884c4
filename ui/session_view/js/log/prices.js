// @ts-check
/** What model calls cost: the price of a model, its fee for Google searches, and US dollars as they are written. */

/** @import { Tokens } from "./entries.d.ts" */
/**
 * A row of Python's `price_rows`.
 * @typedef {[
 *   name: string, input: number, output: number, cached: number | null, prompts?: number | null, queries?: number | null
 * ]} PriceRow
 */
/**
 * US dollars: for a million tokens, for a thousand calls that searched with Google, and for a thousand searches.
 * @typedef {{
 *   input: number; output: number; cached: number | null; prompts: number | null; queries: number | null
 * }} Price
 */
/**
 * Google searches, and the calls that made them.
 * @typedef {{ searches: number; grounded: number }} Searches
 */

const MILLION = 1e6, THOUSAND = 1e3;
/** Stands for anything, at the beginning or the end of a listed name. */
const ANY = "*";

/**
 * A model's price, or null where there is none.
 * @param {PriceRow[]} table the first row that fits counts
 * @param {string} model
 * @returns {Price | null}
 */
export function priceOf(model, table) {
  const name = bare(model);
  const row = table.find(([listed]) => fits(listed, name));
  if (!row) return null;
  const [, input, output, cached = null, prompts = null, queries = null] = row;
  return { input, output, cached, prompts, queries };
}

/**
 * Whether a listed name is that of a model, as Python's `_fits` has it.
 * @param {string} listed
 * @param {string} name
 */
function fits(listed, name) {
  if (listed.endsWith(ANY)) return name.startsWith(listed.slice(0, -ANY.length));
  return listed.startsWith(ANY) ? name.endsWith(listed.slice(ANY.length)) : begins(listed, name);
}

/**
 * A model's name without the "models/" that some clients put in front.
 * @param {string} model
 */
export function bare(model) {
  return model.startsWith("models/") ? model.slice("models/".length) : model;
}

/**
 * Whether `name` is `listed`, or a version of it: "gemini-3.8-flash-001" of "gemini-3.8-flash".
 * @param {string} listed
 * @param {string} name
 */
export function begins(listed, name) {
  return name.startsWith(listed) && (name.length === listed.length || "-:@".includes(name[listed.length]));
}

/**
 * The price of the first of several names that has one, else null.
 * @param {string[]} names
 * @param {PriceRow[]} table
 */
export function firstPrice(names, table) {
  for (const name of names) {
    const price = priceOf(name, table);
    if (price) return price;
  }
  return null;
}

/**
 * US dollars for {input, output, thoughts, cached}; `cached` is a part of the input, `thoughts` come besides the output.
 * @param {Tokens} tokens
 * @param {Price} price
 */
export function cost({ input = 0, output = 0, thoughts = 0, cached = 0 }, price) {
  const kept = Math.min(cached, input);
  return ((input - kept) * price.input + kept * (price.cached ?? price.input) + (output + thoughts) * price.output) /
    MILLION;
}

/**
 * US dollars for Google searches; null where there were some and no fee is known.
 * @param {Searches} used
 * @param {Price} price
 */
export function searchFee({ searches, grounded }, { prompts, queries }) {
  if (!searches) return 0;
  if (prompts == null && queries == null) return null;
  return (grounded * (prompts ?? 0) + searches * (queries ?? 0)) / THOUSAND;
}

/**
 * US dollars as they are read: "$0", "<$0.0001", "$0.0412", "$1.50", "$1,234.00".
 * @param {number} amount
 * @param {number} places
 */
export function dollars(amount, places = 4) {
  if (amount === 0) return "$0";
  const least = 10 ** -places;
  if (amount < least / 2) return `<$${least.toFixed(places)}`;
  const digits = Number(amount.toFixed(places)) < 1 ? places : 2;
  return `$${formatOf(digits).format(amount)}`;
}

const formats = new Map();

/**
 * Making one takes longer than all the rest.
 * @param {number} digits
 */
function formatOf(digits) {
  if (!formats.has(digits)) {
    formats.set(digits, new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
  }
  return formats.get(digits);
}
