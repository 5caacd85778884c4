// @ts-check
/** Columns of texts, and strips of verdicts. All text goes in as text nodes. */

import { h } from "../../browser/js/elements.js";
import { drawing } from "./svg.js";

/** @typedef {{ kind: string; note: string; id: string; text: string; more: string }} Row */
/** @typedef {{ title: string; short: boolean; rows: Row[] }} Column */
/** @typedef {{ sign: string; verdict: string; lit: boolean; apart: boolean; about: string }} Cell */
/** @typedef {{ label: string; colour: string; dashes: number[]; score: string; cells: Cell[] }} Strip */

/** @param {Column} column */
export function column({ title, short, rows }) {
  return h("section.column", {}, title && h("h3", {}, title), h(short ? "ul.names" : "ul.texts", {}, rows.map(row)));
}

/** @param {Row} row */
function row({ kind, note, id, text, more }) {
  return h(
    `li.text.${kind}`,
    {},
    note && [h("b", {}, note), " "],
    id && [h("code", {}, id), " "],
    h("span.what", {}, text),
    more && [" ", h("span.more", {}, more)],
  );
}

/** @param {Strip} strip */
export function strip({ label, colour, dashes, score, cells }) {
  const said = `${label}: ${cells.map(({ verdict, lit }) => lit ? `${verdict}, touched` : verdict).join(", ")}`;
  return h(
    "section.strip",
    {},
    h("p.label", {}, colour && swatch(colour, dashes), h("b", {}, label), ` ${score}`),
    h("p.cells", { role: "img", "aria-label": said }, cells.map(cell)),
  );
}

/** @param {Cell} cell */
function cell({ sign, verdict, lit, apart, about }) {
  const element = h(`span.cell.${verdict}`, { title: about }, sign);
  element.classList.toggle("lit", lit);
  element.classList.toggle("apart", apart);
  return element;
}

/**
 * @param {string} colour
 * @param {number[]} dashes
 */
export function swatch(colour, dashes) {
  const dash = dashes[1] ? dashes.join(" ") : "none";
  const line = drawing("path", { class: "arm", d: "M0,5H34", stroke: colour, "stroke-width": 4, "stroke-dasharray": dash });
  const svg = drawing("svg", { class: "swatch", viewBox: "0 0 34 10", "aria-hidden": "true" });
  svg.append(line);
  return svg;
}
