// @ts-check
/** What rows of one line are made of. */

import { h } from "../../../browser/js/elements.js";
import { markOf } from "../log/agent_tree.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { TreeIndex } from "../log/folds.d.ts" */
/** @import { Drawing, Key } from "../rows/types.d.ts" */

/**
 * Fills a row with lines, one below the other; `spoken` is what it says to those who listen.
 * @param {HTMLElement} element
 * @param {string} spoken
 * @param {...(HTMLElement | false | null | undefined)} lines
 */
export function fill(element, spoken, ...lines) {
  element.append(...lines.filter((line) => line instanceof HTMLElement));
  element.setAttribute("aria-label", spoken);
}

/**
 * An agent's name in its colour.
 * @param {TreeIndex} index
 * @param {string} name
 */
export function coloured(index, name) {
  return h(`b.who.c-${markOf(index, name).colour}`, {}, name);
}

/**
 * What shows more or less of a row. Not a control of its own: Enter on the row does the same.
 * @param {{ key: Key }} row
 * @param {Child} label
 * @param {Drawing["onToggle"]} onToggle
 */
export function drawMore(row, label, onToggle) {
  return h("span.more", { onclick: (event) => (event.stopPropagation(), onToggle(row.key)) }, label);
}
