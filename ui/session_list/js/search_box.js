// @ts-check
/** The field for words that are looked for. The arrow down leads from it into the rows. */

import { h } from "../../browser/js/elements.js";

/**
 * @param {{ placeholder: string; onInput: () => void; onDown: () => void }} options
 */
export function searchBox({ placeholder, onInput, onDown }) {
  return h("input.search", {
    type: "search",
    "aria-label": "Search sessions",
    placeholder,
    autocomplete: "off",
    spellcheck: "false",
    oninput: onInput,
    onkeydown: (event) => { // gives nothing back: false would cancel the key
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      onDown();
    },
  });
}
