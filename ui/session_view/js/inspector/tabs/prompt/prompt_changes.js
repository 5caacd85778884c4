// @ts-check
/** How two prompts differ: word by word, and of the history message by message, with those that stayed folded away. */

import { h } from "../../../../../browser/js/elements.js";
import { drawDiff } from "../../../parts/diff.js";
import { changedSources, SOURCES } from "../../../prompt/sources.js";
import { plural } from "../../../words/format.js";
import { section } from "../../facts.js";
import { drawParts, drawPartText, drawSourceLine } from "./prompt_parts.js";

/** @import { MessageChange, Prompt, SourceKind } from "../../../prompt/types.d.ts" */
/** @import { Look } from "../../types.d.ts" */

const WORDS = { "+": "new", "-": "gone", "~": "changed" };

/**
 * @param {Prompt} before
 * @param {Prompt} after
 * @param {number} all tokens of the prompt
 * @param {Look} view
 */
export function drawChanges(before, after, all, view) {
  const changed = changedSources(before.parts, after.parts);
  const title = `Changed since call ${before.record.started.body.call}`;
  if (!changed.length) return section(title, h("p.quiet.note", {}, "The same was sent, word by word."));
  return section(
    title,
    changed.map((change) =>
      change.messages
        ? change.messages.map((message, i) => drawMessage(message, `prompt:message:${i}`, all, view))
        : drawTexts(change, view)
    ),
  );
}

/**
 * @param {{ kind: SourceKind; before: string; after: string }} change
 * @param {Look} view
 */
function drawTexts({ kind, before, after }, view) {
  const key = `prompt:diff:${kind}`;
  const diff = drawDiff(before, after, view.isOpen(key), () => view.toggle(key));
  return h(`div.sent-part.source-${kind}`, {}, h("span.source", {}, SOURCES[kind]), diff);
}

/**
 * @param {MessageChange} change
 * @param {string} key of its fold
 * @param {number} all tokens of the prompt
 * @param {Look} view
 */
function drawMessage(change, key, all, view) {
  const open = view.isOpen(key);
  const toggle = () => view.toggle(key);
  if (change.op === "=") {
    const label = `${open ? "Hide" : "Show"} ${plural(change.parts.length, "message")} that stayed`;
    const attributes = { type: "button", "aria-expanded": String(open), "data-fold": key, onclick: toggle };
    return h(
      "div.sent-part.source-history",
      {},
      h("button.plain.more", attributes, label),
      open && drawParts(change.parts, all, view),
    );
  }
  return h(
    `div.sent-part.source-history.${WORDS[change.op]}`,
    {},
    drawSourceLine(change.part, all, view, WORDS[change.op]),
    change.op === "~"
      ? drawDiff(change.before.trim(), change.part.text.trim(), open, toggle)
      : drawPartText(change.part, key, view),
  );
}
