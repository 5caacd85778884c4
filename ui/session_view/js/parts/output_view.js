// @ts-check
/** How the outputs of the roles around a playbook look: an answer, a reflection, operations. */

import { h } from "../../../browser/js/elements.js";
import { drawMarkdown } from "../markdown/markdown_view.js";
import { operationWords, TAG_SIGNS } from "../playbook/commits.js";
import { listed } from "../playbook/outputs.js";
import { plural } from "../words/format.js";
import { linkToBullet } from "./playbook_links.js";
import { isNested, isObject, writeJson } from "../../../browser/js/json.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { PlaybookPlace } from "../log/entries.d.ts" */
/** @import { Folds } from "./types.d.ts" */
/** @typedef {Folds & { raw?: boolean }} Look */
/** @typedef {(key: string, output: Record<string, Json>, place: PlaybookPlace | null, look: Look) => Child} Draw */

/** @type {Record<string, { has: string; draw: Draw }>} */
const OUTPUTS = {
  generator_output: { has: "final_answer", draw: drawAnswer },
  reflector_output: { has: "error_identification", draw: drawReflection },
  curator_output: { has: "operations", draw: drawOperations },
};

/**
 * A role's output as what it is; null for any other value.
 * @param {string} name its key in state
 * @param {string} key of its folds
 * @param {Json} value
 * @param {PlaybookPlace | null} place where its bullets are, if that is known
 * @param {Look} look
 */
export function drawOutput(name, key, value, place, look) {
  const known = Object.hasOwn(OUTPUTS, name) ? OUTPUTS[name] : null;
  if (!known || !isObject(value) || value[known.has] == null) return null;
  return h("div.output", {}, known.draw(key, value, place, look));
}

/** @type {Draw} */
function drawAnswer(key, { final_answer: answer, bullet_ids: ids, reasoning }, place, look) {
  const cited = listed(ids);
  return [
    drawMarkdown(wordsOf(answer), { raw: look.raw, live: true }),
    h(
      "div.line",
      {},
      cited.length ? [h("span.quiet", {}, "cites"), cited.map((id) => drawId(id, place))] : drawNone("cites no bullet"),
    ),
    drawReasoning(key, listed(reasoning), look),
  ];
}

/** @type {Draw} */
function drawReflection(key, output, place, look) {
  const { error_identification: error, root_cause_analysis: cause, correct_approach: right, key_insight: insight } = output;
  /** @type {[string, Json][]} */
  const told = [["Error", error], ["Cause", cause], ["Right", right], ["Insight", insight]];
  const tags = (Array.isArray(output.bullet_tags) ? output.bullet_tags : []).filter(isObject);
  return [
    h(
      "dl.facts",
      {},
      told.filter(([, value]) => value).map(([name, value]) => [
        h("dt", {}, name),
        h("dd", {}, drawMarkdown(wordsOf(value), { raw: look.raw, live: true })),
      ]),
    ),
    tags.map(({ id, tag }) => h("div.line", {}, drawTag(wordsOf(tag)), drawId(wordsOf(id), place))),
    drawReasoning(key, listed(output.reasoning), look),
  ];
}

/** @type {Draw} */
function drawOperations(key, { operations, reasoning }, place, look) {
  const all = (Array.isArray(operations) ? operations : []).filter(isObject);
  return [
    h("div.line", {}, h("b", {}, plural(all.length, "operation"))),
    h("ul.changes-list", {}, all.map((operation) => drawOperation(operation, place))),
    drawReasoning(key, listed(reasoning), look),
  ];
}

/** @type {Record<string, string>} */
const SIGNS = { ADD: "+", UPDATE: "~", MERGE: "~", REMOVE: "−" };
/** @type {Record<string, string>} */
const LOOKS = { ADD: "added", UPDATE: "changed", MERGE: "changed", REMOVE: "removed" };

/**
 * @param {Record<string, Json>} operation
 * @param {PlaybookPlace | null} place
 */
function drawOperation({ type, bullet_id: id, bullet_ids: ids, section, content, tag, reason }, place) {
  const kind = wordsOf(type);
  const words = operationWords({
    type: kind,
    bullet_ids: Array.isArray(ids) ? ids.map(wordsOf) : listed(id),
    section: wordsOf(section),
    content: wordsOf(content),
    tag: wordsOf(tag),
  });
  return h(
    `li.change.${Object.hasOwn(LOOKS, kind) ? LOOKS[kind] : "tagged"}`,
    {},
    h("span.sign", { "aria-hidden": "true" }, SIGNS[kind] ?? TAG_SIGNS[wordsOf(tag)] ?? "·"),
    h(
      "div",
      {},
      h(
        "div.line",
        {},
        h("b", {}, words.what),
        words.ids.map((one) => drawId(one, place)),
        words.section && h("span.quiet", {}, words.section),
      ),
      reason && h("div.quiet", {}, wordsOf(reason)),
      words.text && h("div.text", {}, words.text),
    ),
  );
}

/** @param {string} tag */
function drawTag(tag) {
  const known = Object.hasOwn(TAG_SIGNS, tag);
  return h(known ? `span.tag.${tag}` : "span.tag", {}, known ? `${TAG_SIGNS[tag]} ${tag}` : tag || "no tag");
}

/**
 * @param {string} id
 * @param {PlaybookPlace | null} place
 */
function drawId(id, place) {
  return place ? linkToBullet(place, id) : h("code", {}, id);
}

/** @param {string} words */
function drawNone(words) {
  return h("span.quiet", {}, words);
}

/**
 * The steps of a role, folded away at first.
 * @param {string} key
 * @param {string[]} steps
 * @param {Look} look
 */
function drawReasoning(key, steps, { isOpen, toggle }) {
  if (!steps.length) return null;
  const fold = `${key}:reasoning`;
  const open = isOpen(fold);
  const attributes = { type: "button", "aria-expanded": String(open), "data-fold": fold, onclick: () => toggle(fold) };
  return [
    h("button.plain.folded", attributes, h("span", { "aria-hidden": "true" }, open ? "▾ " : "▸ "), "reasoning"),
    open && h("p.reasoning", {}, steps.join("\n")),
  ];
}

/** @param {Json} value */
function wordsOf(value) {
  return value == null ? "" : isNested(value) ? writeJson(value) : String(value);
}
