// @ts-check
/** How the difference of two texts looks. */

import { h } from "../../../browser/js/elements.js";
import { diffWords, focusDiff, isRewrite } from "../words/diff.js";
import { clip } from "../words/format.js";

/**
 * Short values stand side by side; longer ones are marked word by word. Without `onOpen`, `open` is how it stays.
 * @param {string} before
 * @param {string} after
 * @param {boolean} open
 * @param {(() => void) | null} onOpen
 */
export function drawDiff(before, after, open, onOpen) {
  if (before.length + after.length < 48 && !before.includes("\n") && !after.includes("\n")) {
    return h("div.diff", {}, h("del", {}, before || "empty"), " → ", h("ins", {}, after || "empty"));
  }
  const all = diffWords(before, after);
  if (isRewrite(all)) return drawRewrite(before, after, open, onOpen);
  const runs = open ? all : focusDiff(all);
  const cut = onOpen && (runs.some((run) => run.cut) || open);
  return h(
    "div.diff",
    {},
    runs.map(({ op, text }) => (op === "=" ? text : h(op === "-" ? "del" : "ins", {}, text))),
    cut && h("button.plain.more", { type: "button", onclick: onOpen }, open ? "show changes only" : "show the whole text"),
  );
}

/**
 * Two texts with little in common: the new one, and the old one folded away.
 * @param {string} before
 * @param {string} after
 * @param {boolean} open
 * @param {(() => void) | null} onOpen
 */
function drawRewrite(before, after, open, onOpen) {
  const cut = onOpen && before.length > 160;
  return h(
    "div.diff.rewrite",
    {},
    h("div", {}, h("del", {}, open ? before : clip(before, 160))),
    cut && h("button.plain.more", { type: "button", onclick: onOpen }, open ? "show less" : "show all that was replaced"),
    h("div", {}, h("ins", {}, after)),
  );
}
