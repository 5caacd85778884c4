// @ts-check
/** What tokens cost: the price of a model, and US dollars as they are written. */

/** @import { Tokens } from "../log/entries.d.ts" */
/** @typedef {[name: string, input: number, output: number, cached: number | null]} PriceRow */
/** @typedef {{ input: number; output: number; cached: number | null }} Price */

const MILLION = 1e6;
/** Stands for anything, at the beginning or the end of a listed name. */
const ANY = "*";

/**
 * A model's price in US dollars for a million tokens, or null where there is none.
 * @param {PriceRow[]} table rows [name, input, output, cached or null] of Python's `price_rows`; the first that fits counts
 * @param {string} model
 * @returns {Price | null}
 */
export function priceOf(model, table) {
  const name = bare(model);
  const row = table.find(([listed]) => fits(listed, name));
  return row ? { input: row[1], output: row[2], cached: row[3] ?? null } : null;
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
 * Whether `name` is `listed`, or a version of it: "gemini-2.5-flash-001" of "gemini-2.5-flash".
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
