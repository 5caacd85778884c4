// @ts-check
/** How the sources of an answer and the code that a provider ran look in a row. */

import { h } from "../../../browser/js/elements.js";
import { clip } from "../words/format.js";
import { codeIn, queriesOf, sourcesOf } from "../words/sources.js";

/** @import { EventBody, Part } from "../log/entries.d.ts" */
/** @import { Source } from "../words/sources.js" */

const LONGEST = 4000;
/** @type {Record<string, string>} */
const LABELS = { code: "Code that the model's provider ran", output: "What the code printed" };

/**
 * The sources of an answer, titles with their addresses; nothing where there are none.
 * @param {EventBody} body
 */
export function drawSources(body) {
  const sources = sourcesOf(body);
  const queries = queriesOf(body);
  if (!sources.length && !queries.length) return null;
  return h(
    "div.sources",
    {},
    queries.length > 0 && h("div.quiet", {}, `searched for ${clip(queries.map((query) => `“${query}”`).join(", "), 300)}`),
    sources.length > 0 && h("ol", { "aria-label": "Sources" }, sources.map(drawSource)),
  );
}

/** @param {Source} source */
function drawSource({ title, address, link }) {
  const name = clip(title, 200);
  const shown = link
    ? h("a", { href: link, target: "_blank", rel: "noopener noreferrer", onclick: (event) => event.stopPropagation() }, name)
    : h("span", {}, name);
  return h("li", {}, shown, address && address !== title && h("span.address", {}, ` ${clip(address, 300)}`));
}

/**
 * Code that was run, or its output; nothing for any other part.
 * @param {Part} part
 */
export function drawCode(part) {
  const found = codeIn(part);
  if (!found) return [];
  return [
    h(
      `pre.ran.${found.kind}${found.failed ? ".failed" : ""}`,
      { "aria-label": LABELS[found.kind] },
      clip(found.text || "(nothing)", LONGEST),
    ),
  ];
}
