// @ts-check
/** A chart: a line for each arm, in its own colour and dashes. In pixels of the screen, so that text keeps its size. */

import { drawing, written } from "./svg.js";

/** @typedef {{ label: string; score: string; colour: string; dashes: number[]; points: [number, number][] }} Line */
/** @typedef {[number, string]} Tick a place, and what is written there */
/** @typedef {{ at: number; text: string }} Mark a moment */
/** @typedef {{ until: number; name: string; score: string }} Band the questions up to one, under a name and a score */
/** @typedef {{ at: number; sign: string; verdict: string }} Sign the verdict of one question */
/**
 * @typedef {{
 *   title: string; lines: Line[]; across: number; up: number; below: Tick[]; beside: Tick[]; axis: string; marks: Mark[];
 *   bands: Band[]; signs: Sign[];
 * }} Chart
 */
/** @typedef {{ x: (at: number) => number; y: (at: number) => number; top: number; bottom: number; em: number }} Scale */

const LEFT = 4.2, RIGHT = 1, TOP = 0.6, NAME = 1.6, BAND = 2.7, BOTTOM = 2.9, SIGN = 1.8; // in the page's text size
const NARROWEST = 300;
const WIDTH = 0.25; // of a line
const MIDDLE = { "text-anchor": "middle" };

/**
 * @param {Chart} chart
 * @param {number} wide
 * @param {number} height
 */
export function drawChart({ title, lines, across, up, below, beside, axis, marks, bands, signs }, wide, height) {
  const em = parseFloat(getComputedStyle(document.documentElement).fontSize), width = Math.max(NARROWEST, wide);
  const left = LEFT * em, right = width - RIGHT * em;
  const named = bands.length ? BAND : marks.some(({ text }) => text) ? NAME : 0;
  const top = (TOP + named) * em, bottom = height - (BOTTOM + (signs.length && SIGN)) * em;
  /** @type {Scale} */
  const scale = {
    x: (at) => left + (at / across) * (right - left),
    y: (at) => bottom - (at / up) * (bottom - top),
    top,
    bottom,
    em,
  };
  const { x, y } = scale;
  const said = lines.map(({ label, score }) => `${score} ${label}`).join("; ");
  const svg = drawing("svg", { width, height, role: "img", "aria-label": title ? `${title}: ${said}` : said });
  for (const [at, text] of beside) {
    svg.append(drawing("path", { class: "grid", d: `M${left},${y(at)}H${right}` }));
    svg.append(written(text, { x: left - 0.6 * em, y: y(at) + 0.35 * em, "text-anchor": "end" }));
  }
  for (const [at, text] of below) svg.append(written(text, { x: x(at), y: height - 1.55 * em, ...MIDDLE }));
  svg.append(written(axis, { x: (left + right) / 2, y: height - 0.35 * em, ...MIDDLE }));
  for (const { at, text } of marks) {
    svg.append(drawing("path", { class: "moment", d: `M${x(at)},${top - 0.3 * em}V${bottom}` }));
    const anchor = at > across / 2 ? "end" : "start";
    if (text) svg.append(written(text, { x: x(at), y: em, class: "moment", "text-anchor": anchor }));
  }
  for (const line of lines) svg.append(...drawn(line, scale));
  for (const { at, sign, verdict } of signs) {
    svg.append(written(sign, { x: x(at), y: bottom + 1.4 * em, class: `sign ${verdict}`, ...MIDDLE }));
  }
  svg.append(...banded(bands, scale));
  return svg;
}

/**
 * @param {Line} line
 * @param {Scale} scale
 */
function drawn({ colour, dashes, points }, { x, y, em }) {
  const last = points.at(-1);
  if (!last) return [];
  const path = points.map(([across, up]) => `${x(across)},${y(up)}`).join("L");
  const dash = dashes[1] ? dashes.map((length) => length * 2).join(" ") : "none";
  return [
    drawing("path", { class: "arm", d: `M${path}`, stroke: colour, "stroke-width": WIDTH * em, "stroke-dasharray": dash }),
    drawing("circle", { cx: x(last[0]), cy: y(last[1]), r: 0.35 * em, fill: colour }),
  ];
}

/**
 * Names above the questions that they are about, with a line between two of them.
 * @param {Band[]} bands
 * @param {Scale} scale
 */
function banded(bands, { x, top, bottom, em }) {
  let from = 0;
  return bands.flatMap(({ until, name, score }) => {
    const edge = x(from + 0.5), middle = { x: (edge + x(until + 0.5)) / 2, ...MIDDLE };
    const parts = [written(name, { y: em, ...middle }), written(score, { y: 2.3 * em, class: "band", ...middle })];
    if (from) parts.push(drawing("path", { class: "grid", d: `M${edge},${top - em}V${bottom}` }));
    from = until;
    return parts;
  });
}
