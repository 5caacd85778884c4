// @ts-check
/** How a value looks in the inspector: text as Markdown, pictures, JSON that folds. */

import { h } from "../../../browser/js/elements.js";
import { ExactNumber, isNested } from "../../../browser/js/json.js";
import { drawMarkdown } from "../markdown/markdown_view.js";
import { clip, count, stateImage } from "../words/format.js";
import { jsonText, summaryOf } from "../words/json_text.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { Folds } from "../parts/types.d.ts" */

/** So many characters of a long text are shown at first. */
const SHOWN = 600;
/** JSON up to this length is not folded. */
const SHORT = 240;
/** So many members of a list or an object are shown at first. */
const MEMBERS = 100;
/** The fold of all nulls. */
const NULLS = "nulls";

/**
 * @param {string} key of its fold; what follows its first colon is the value's name
 * @param {Json} value
 * @param {Folds & { raw?: boolean }} look
 */
export function drawValue(key, value, look) {
  const name = key.slice(key.indexOf(":") + 1);
  const picture = stateImage(value);
  if (picture) return h("img.picture", { src: picture, alt: `Picture in ${name}` });
  if (typeof value === "string") return h("div.value.string", {}, drawText(key, value, look));
  const { nulls } = jsonText(value, false);
  const type = value === null ? "null" : value instanceof ExactNumber ? "number" : typeof value;
  return h(`div.value.${type}`, {}, drawJson(key, name, value, look), nulls > 0 && drawNulls(key, nulls, look));
}

/**
 * @param {string} key
 * @param {string} text
 * @param {Folds & { raw?: boolean }} look
 */
function drawText(key, text, { isOpen, toggle, raw }) {
  if (text === "") return h("span.quiet", {}, "empty text");
  if (text.length <= SHOWN + 80) return drawMarkdown(text, { raw, live: true });
  const open = isOpen(key);
  const label = open ? "show less" : `show all ${count(text.length)} characters`;
  return [drawMarkdown(open ? text : clip(text, SHOWN), { raw, live: true }), drawToggle(key, open, label, toggle)];
}

/**
 * Short JSON as it is, longer JSON folded into a line that opens in place.
 * @param {string} key
 * @param {string} name
 * @param {Json} value
 * @param {Folds & { raw?: boolean }} look
 * @returns {Child}
 */
function drawJson(key, name, value, look) {
  const { text } = jsonText(value, look.isOpen(NULLS));
  const holds = isNested(value) && Object.keys(value).length > 0;
  if (!holds || text.length <= SHORT) return text;
  const open = look.isOpen(key);
  const attributes = { type: "button", "aria-expanded": String(open), "data-fold": key, onclick: () => look.toggle(key) };
  return [
    h("button.plain.folded", attributes, h("span", { "aria-hidden": "true" }, open ? "▾ " : "▸ "), summaryOf(name, value)),
    open && drawMembers(key, value, look),
  ];
}

/**
 * @param {string} key
 * @param {Record<string, Json> | Json[]} value
 * @param {Folds & { raw?: boolean }} look
 */
function drawMembers(key, value, look) {
  const kept = Array.isArray(value) || look.isOpen(NULLS);
  const members = Object.entries(value).filter(([, held]) => kept || held !== null);
  const open = look.isOpen(`${key}//`);
  return h(
    "div.members",
    {},
    members.slice(0, open ? undefined : MEMBERS).map(([name, held]) => drawMember(`${key}/${name}`, name, held, look)),
    members.length > MEMBERS &&
      drawToggle(`${key}//`, open, open ? "show less" : `show all ${count(members.length)}`, look.toggle),
  );
}

/**
 * @param {string} key
 * @param {string} name
 * @param {Json} held
 * @param {Folds & { raw?: boolean }} look
 */
function drawMember(key, name, held, look) {
  const shown = typeof held === "string" ? drawText(key, held, look) : drawJson(key, name, held, look);
  return h("div.member", {}, h("code.name", {}, name), h(typeof held === "string" ? "div.string" : "div", {}, shown));
}

/**
 * @param {string} key
 * @param {number} nulls
 * @param {Folds} folds
 */
function drawNulls(key, nulls, { isOpen, toggle }) {
  const all = isOpen(NULLS);
  const said = nulls === 1 ? "1 null" : `${count(nulls)} nulls`;
  const attributes = { type: "button", "aria-pressed": String(all), "data-fold": `${key}?`, onclick: () => toggle(NULLS) };
  return h(
    "div.nulls",
    {},
    all ? `${said}, ` : `${said} left out, `,
    h("button.plain", attributes, all ? "leave out" : "all"),
  );
}

/**
 * @param {string} key
 * @param {boolean} open
 * @param {string} label
 * @param {(key: string) => void} toggle
 */
function drawToggle(key, open, label, toggle) {
  const attributes = { type: "button", "aria-expanded": String(open), "data-fold": key, onclick: () => toggle(key) };
  return h("button.plain.more", attributes, label);
}
