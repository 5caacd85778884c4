// @ts-check
/** What the words of the field mean, as the docs' glossary says it. */

import GLOSSARY from "../../../docs/glossary.md" with { type: "text" };

/** Parts of the glossary: a heading of the second rank, and its terms with what they mean. */
export const SECTIONS = GLOSSARY.split(/^## /m).slice(1).map((part) => {
  const [title, ...terms] = part.split(/^### /m);
  return { title: title.trim(), terms: terms.map(termOf) };
});

const MEANINGS = new Map(SECTIONS.flatMap(({ terms }) => terms));

/**
 * @param {string} text
 * @returns {[term: string, meaning: string]}
 */
function termOf(text) {
  const [term, ...lines] = text.trim().split("\n");
  return [term, lines.join(" ").replaceAll("`", "").trim()];
}

/**
 * What a term means; null for a word that the glossary has not.
 * @param {string} term
 */
export function meaningOf(term) {
  return MEANINGS.get(term) ?? null;
}
