// @ts-check
/** The filters of the event list, and what those that are set want. A new one is a module like `agent.js`, listed here. */

import { AGENT } from "./agent.js";

/** @import { TreeIndex } from "../log/folds.d.ts" */
/** @import { Filter, Filters, Matcher } from "./types.d.ts" */

/** @type {Filter[]} */
export const FILTERS = [AGENT];

/**
 * The filters that an address sets.
 * @param {URLSearchParams} query
 * @returns {Filters}
 */
export function filtersIn(query) {
  return Object.fromEntries(FILTERS.flatMap(({ name, read }) => {
    const choice = read(query.get(name) ?? "");
    return choice === null ? [] : [[name, choice]];
  }));
}

/**
 * @param {Filters} a
 * @param {Filters} b
 */
export function sameFilters(a, b) {
  return FILTERS.every(({ name }) => a[name] === b[name]);
}

/**
 * The filters that are set, in words; null if there is none.
 * @param {Filters} filters
 */
export function filterWords(filters) {
  return set(filters).map(({ words, choice }) => words(choice)).join(", ") || null;
}

/**
 * Whether a row is wanted by all filters that are set; null if there is none.
 * @param {Filters} filters
 * @param {TreeIndex} index
 * @returns {Matcher | null}
 */
export function matcherOf(filters, index) {
  const matchers = set(filters).map(({ matcher, choice }) => matcher(choice, index));
  return matchers.length ? (row) => matchers.every((matches) => matches(row)) : null;
}

/** @param {Filters} filters */
function set(filters) {
  return FILTERS.flatMap((filter) => filter.name in filters ? { ...filter, choice: filters[filter.name] } : []);
}
