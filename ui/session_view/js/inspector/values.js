// @ts-check
/** How a value looks in the inspector. */

import { h } from "../dom/elements.js";
import { clip, count, pretty, stateImage } from "../words/format.js";

/** @import { Json } from "../log/entries.d.ts" */
/** @import { Folds } from "./types.d.ts" */

/** So many characters of a long value are shown at first. */
const SHOWN = 600;

/**
 * @param {string} key
 * @param {Json} value
 * @param {Folds} folds
 */
export function drawValue(key, value, { isOpen, toggle }) {
  const picture = stateImage(value);
  if (picture) return h("img.picture", { src: picture, alt: `Picture in ${key.slice(key.indexOf(":") + 1)}` });
  const text = pretty(value);
  const type = typeof value === "string" ? "string" : value === null ? "null" : typeof value;
  if (text.length <= SHOWN + 80) return h(`div.value.${type}`, {}, text === "" ? h("span.quiet", {}, "empty text") : text);
  const open = isOpen(key);
  return h(
    `div.value.${type}`,
    {},
    open ? text : clip(text, SHOWN),
    h(
      "button.plain.more",
      { type: "button", onclick: () => toggle(key) },
      open ? "show less" : `show all ${count(text.length)} characters`,
    ),
  );
}
