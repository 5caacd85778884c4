// @ts-check
/** A text in a row: its first lines, and all of it on demand. */

import { drawMarkdown } from "../markdown/markdown_view.js";
import { clip, count } from "../words/format.js";
import { drawMore } from "./lines.js";

/** @import { Drawing, Key } from "../rows/types.d.ts" */

const LONG_TEXT = 900;
/** So many lines of a long text are shown at first. */
export const LONG_LINES = 12;

/**
 * @param {string} text
 * @param {{ key: Key }} row
 * @param {Pick<Drawing, "open" | "onToggle" | "raw">} drawing
 */
export function drawLongText(text, row, { open, onToggle, raw }) {
  const lines = text.split("\n", LONG_LINES + 3);
  const long = text.length > LONG_TEXT + 200 || lines.length > LONG_LINES + 2;
  if (!long) return drawMarkdown(text, { raw });
  if (open) return [drawMarkdown(text, { raw }), drawMore(row, "show less", onToggle)];
  return [
    drawMarkdown(clip(lines.slice(0, LONG_LINES).join("\n"), LONG_TEXT), { raw }),
    drawMore(row, `show all ${count(text.length)} characters`, onToggle),
  ];
}
