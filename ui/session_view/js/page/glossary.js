// @ts-check
/** The glossary in a dialog, and words that lead to it. */

import { h } from "../../../browser/js/elements.js";
import { pageRoot } from "../../../browser/js/streamlit_page.js";
import { meaningOf, SECTIONS } from "../words/glossary.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */

/**
 * A plain word for a term of the field: the term and what it means are its title, and a click leads to the glossary. Words
 * without a meaning there stay as they are.
 * @param {Child} label
 * @param {string} term
 * @param {{ look?: string; inRow?: boolean; told?: string }} how `inRow`: the Tab key passes it by, as the inspector has the
 *   same word; `told`: the term as it is told in the title, if that is more than the term
 */
export function drawTerm(label, term, { look = "", inRow = false, told = term } = {}) {
  const meaning = meaningOf(term);
  if (meaning === null) return look ? h(`span${look}`, { title: told }, label) : label;
  const onclick = (/** @type {Event} */ event) => {
    event.stopPropagation();
    showGlossary(term);
  };
  const attributes = { type: "button", title: `${told}: ${meaning}`, tabindex: inRow ? -1 : null, onclick };
  return h(`button.term${look}`, attributes, label);
}

/**
 * Opens the glossary, once.
 * @param {string | null} term where to begin
 */
export function showGlossary(term = null) {
  if (document.querySelector("dialog.key-list[open]")) return;
  const dialog = h("dialog.key-list.glossary", { "aria-label": "Glossary" });
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const parts = SECTIONS.map(({ title, terms }) => [
    h("h3", {}, title),
    h("dl", {}, terms.map(([name, meaning]) => [h("dt", { "data-term": name }, name), h("dd", {}, meaning)])),
  ]);
  dialog.append(h("div.glossary-head", {}, h("h2", {}, "Glossary"), close), ...parts.flat());
  dialog.addEventListener("close", () => dialog.remove());
  pageRoot().append(dialog);
  dialog.showModal();
  close.focus();
  const chosen = [...dialog.querySelectorAll("dt")].find((name) => name.dataset.term === term);
  chosen?.classList.add("chosen");
  chosen?.scrollIntoView({ block: "center" });
}
