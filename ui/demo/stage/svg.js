// @ts-check
/** Elements of SVG. Text goes in as text nodes. */

import { setAttribute } from "../../browser/js/elements.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 */
export function drawing(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  return element;
}

/**
 * @param {string} text
 * @param {Record<string, string | number>} attributes
 */
export function written(text, attributes) {
  const element = drawing("text", attributes);
  element.textContent = text;
  return element;
}
