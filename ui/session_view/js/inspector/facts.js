// @ts-check
/** Facts by name, sections and the lesson of a tab that has nothing to show. */

import { h } from "../../../browser/js/elements.js";
import { drawTerm } from "../page/glossary.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @typedef {[name: string, value: Child, mono?: boolean]} Fact */

/**
 * A list of facts; one without a value is left out.
 * @param {(Fact | false)[]} rows
 */
export function facts(rows) {
  const told = rows.filter((row) => row !== false).filter(([, value]) => value);
  return h(
    "dl.facts",
    {},
    told.map(([name, value, mono]) => [h("dt", {}, drawTerm(name, name)), h(mono ? "dd.mono" : "dd", {}, value)]),
  );
}

/**
 * @param {string} title
 * @param {Child} content
 */
export function section(title, content) {
  return h("section.part", {}, h("h3", {}, title), content);
}

export function drawNothing() {
  return h(
    "div.lesson",
    {},
    h("b", {}, "Select an event."),
    h(
      "p",
      {},
      "Click one in the list, or step through with ",
      h("kbd", {}, "j"),
      " and ",
      h("kbd", {}, "k"),
      ". Its facts appear here; the State tab then shows the state right after it, and the graph who was at work.",
    ),
  );
}
