// @ts-check
/** How the parts of a prompt look: a bar of shares, and each part with its source. Every colour has its word. */

import { h } from "../../../../../browser/js/elements.js";
import { linkToBullet } from "../../../parts/playbook_links.js";
import { sharesOf, shareWords, SOURCES } from "../../../prompt/sources.js";
import { clip, count } from "../../../words/format.js";

/** @import { Prompt, PromptPart } from "../../../prompt/types.d.ts" */
/** @import { Look } from "../../types.d.ts" */

/** So many characters of a long part are shown at first. */
const SHOWN = 700;
/** So many parts of a long history are shown at first: the first and the last ones. */
const MOST_PARTS = 60;

/**
 * The bar over the whole prompt and its legend.
 * @param {Prompt} prompt
 * @param {number} all its tokens
 */
export function drawShares({ parts }, all) {
  const shares = sharesOf(parts);
  return [
    h("div.share-bar", { "aria-hidden": "true" }, shares.map(({ kind, tokens }) => drawShare(`source-${kind}`, tokens))),
    h(
      "ul.shares",
      { "aria-label": "Tokens by source, estimated" },
      shares.map(({ kind, tokens }) =>
        h(
          `li.source-${kind}`,
          {},
          h("span.source", {}, SOURCES[kind]),
          h("span.quiet", {}, tokens ? `≈ ${count(tokens)} · ${shareWords(tokens, all)}` : "not recorded"),
        )
      ),
    ),
  ];
}

/**
 * The bar over the whole context window of the model.
 * @param {Prompt} prompt
 * @param {number} estimate of its tokens
 * @param {number | null} window in tokens; null where it is not known
 */
export function drawWindow({ parts, record: { finished } }, estimate, window) {
  if (window === null) {
    return h("p.quiet.note", {}, "How much this model reads is not known, so the bar is the prompt alone.");
  }
  const counted = finished?.body.usage?.input;
  const used = counted || estimate;
  const sources = sharesOf(parts).map(({ kind, tokens }) => drawShare(`source-${kind}`, used * (tokens / (estimate || 1))));
  const words = `${counted ? "" : "≈ "}${count(used)} of ${count(window)} tokens`;
  return [
    h("div.share-bar.context-window", { "aria-hidden": "true" }, sources, drawShare("free", Math.max(0, window - used))),
    h("p.quiet.note", {}, `Context window: ${words}, ${shareWords(used, window)}`),
  ];
}

/**
 * A piece of a bar.
 * @param {string} look
 * @param {number} tokens
 */
function drawShare(look, tokens) {
  const bar = h(`i.${look}`);
  bar.style.flexGrow = String(tokens);
  return bar;
}

/**
 * @param {PromptPart[]} parts
 * @param {number} all tokens of the prompt
 * @param {Look} view
 * @param {string} fold begins the keys of their folds
 */
export function drawParts(parts, all, view, fold = "prompt") {
  const open = view.isOpen(`${fold}:parts`);
  const cut = parts.length > MOST_PARTS && !open;
  const half = MOST_PARTS / 2;
  const draw = (/** @type {PromptPart[]} */ some, /** @type {number} */ from) =>
    some.map((part, i) => drawPart(part, `${fold}:part:${from + i}`, all, view));
  if (!cut) return draw(parts, 0);
  const label = `show ${count(parts.length - MOST_PARTS)} more parts`;
  const attributes = { type: "button", "data-fold": `${fold}:parts`, onclick: () => view.toggle(`${fold}:parts`) };
  return [
    draw(parts.slice(0, half), 0),
    h("button.plain.more", attributes, label),
    draw(parts.slice(-half), parts.length - half),
  ];
}

/**
 * @param {PromptPart} part
 * @param {string} key of its fold
 * @param {number} all tokens
 * @param {Look} view
 */
function drawPart(part, key, all, view) {
  return h(`div.sent-part.source-${part.kind}`, {}, drawSourceLine(part, all, view), drawPartText(part, key, view));
}

/**
 * The line above a part: its source, where it comes from, its share.
 * @param {PromptPart} part
 * @param {number} all tokens
 * @param {Look} view
 * @param {string} [change] what became of it since another call, in a word
 */
export function drawSourceLine({ kind, name, text, tokens, seq, guessed, place }, all, view, change) {
  return h(
    "div.source-line",
    {},
    h("span.source", {}, SOURCES[kind]),
    place ? linkToBullet(place, name) : name && h("span.source-name", {}, name),
    drawOrigin(seq, view),
    change && h(`span.tag.${change}`, {}, change),
    guessed && h("span.tag", { title: "The record does not say where this comes from" }, "found by its text"),
    h("span.space"),
    h("span.quiet.share", {}, text ? `≈ ${count(tokens)} · ${shareWords(tokens, all)}` : "not recorded"),
  );
}

/**
 * The text of a part, of a long one its beginning.
 * @param {PromptPart} part
 * @param {string} key of its fold
 * @param {Look} view
 */
export function drawPartText({ text }, key, view) {
  const open = view.isOpen(key);
  const long = text.length > SHOWN + 80;
  const label = open ? "show less" : `show all ${count(text.length)} characters`;
  const attributes = { type: "button", "aria-expanded": String(open), "data-fold": key, onclick: () => view.toggle(key) };
  return [
    text && h("div.sent-text", {}, open || !long ? text.trim() : clip(text.trim(), SHOWN)),
    long && h("button.plain.more", attributes, label),
  ];
}

/**
 * The way to the event or record that a part comes from.
 * @param {number | null} seq
 * @param {Look} look
 */
function drawOrigin(seq, { log, select }) {
  if (seq === null) return null;
  const event = log.ordinals.get(seq);
  const label = event ? `event ${count(event)}` : "its record";
  return h("button.plain", { type: "button", title: "Go to where it comes from", onclick: () => select(seq) }, label);
}
