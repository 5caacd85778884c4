// @ts-check
/** Switches between texts as Markdown and as they were written: for all texts, or for one of them. */

import { h } from "../../../browser/js/elements.js";

/** @import { Look } from "./types.d.ts" */

/**
 * The switch for all texts, in the list and in the inspector.
 * @param {Pick<Look, "raw" | "toggleRaw">} look
 */
export function drawTextSwitch({ raw, toggleRaw }) {
  return drawSwitch("Raw texts", "Show all texts as they were written, not as Markdown", raw, "raw", toggleRaw);
}

/**
 * The switch for one text.
 * @param {string} key
 * @param {Look} look
 */
export function drawOneSwitch(key, { isOpen, toggle }) {
  return drawSwitch("Raw", "Show this text as it was written", isOpen(key), key, () => toggle(key));
}

/**
 * @param {string} label
 * @param {string} title
 * @param {boolean} on
 * @param {string} key
 * @param {() => void} onclick
 */
function drawSwitch(label, title, on, key, onclick) {
  const attributes = { type: "button", title, "aria-pressed": String(on), "data-fold": key, onclick };
  return h("button.plain.text-switch", attributes, label);
}
