// @ts-check
/** Names of agents, tools and state keys, which have no spaces. */

import { h } from "../../../browser/js/elements.js";

/**
 * A name that may break between its words, never inside one: Initial|Writer|Agent, initial_|writer. The style sheet ends a
 * word that is wider than its place in an ellipsis, so an element around it has the whole name as its title.
 * @param {string} name
 */
export function breakable(name) {
  return name.split(/(?<=_)|(?<=[\p{Ll}\d])(?=\p{Lu})/u).flatMap((word, i) => (i ? [h("wbr"), word] : [word]));
}
