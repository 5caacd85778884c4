// @ts-check
/** A chart of the arms: a line for each, in its own colour and dashes. In pixels of the screen, so that text keeps its size. */

import { drawing, written } from "../../drawing/svg.js";

/** @typedef {{ label: string; score: string; colour: string; dashes: number[]; points: [number, number][] }} Line */
/** @typedef {[number, string]} Tick a place, and what is written there */
/** @typedef {{ at: number; text: string }} Mark */
/**
 * @typedef {{
 *   title: string; lines: Line[]; across: number; up: number; below: Tick[]; beside: Tick[]; axis: string; marks: Mark[];
 * }} Chart
 */

const LEFT = 4.2, RIGHT = 1, TOP = 0.6, NAME = 1.6, BOTTOM = 2.9; // in the page's text size
const NARROWEST = 300;
const WIDTH = 0.25; // of a line

/**
 * @param {Chart} chart
 * @param {number} wide
 * @param {number} height
 */
export function drawChart({ title, lines, across, up, below, beside, axis, marks }, wide, height) {
  const em = parseFloat(getComputedStyle(document.documentElement).fontSize), width = Math.max(NARROWEST, wide);
  const left = LEFT * em,
    right = width - RIGHT * em,
    top = (TOP + (marks.length && NAME)) * em,
    bottom = height - BOTTOM * em;
  const x = (/** @type {number} */ at) => left + (at / across) * (right - left);
  const y = (/** @type {number} */ at) => bottom - (at / up) * (bottom - top);
  const said = `${title}: ${lines.map(({ label, score }) => `${label} ${score}`).join("; ")}`;
  const svg = drawing("svg", { width, height, role: "img", "aria-label": said });
  for (const [at, text] of beside) {
    svg.append(drawing("path", { class: "grid", d: `M${left},${y(at)}H${right}` }));
    svg.append(written(text, { x: left - 0.6 * em, y: y(at) + 0.35 * em, "text-anchor": "end" }));
  }
  const middle = { "text-anchor": "middle" };
  for (const [at, text] of below) svg.append(written(text, { x: x(at), y: height - 1.55 * em, ...middle }));
  svg.append(written(axis, { x: (left + right) / 2, y: height - 0.35 * em, ...middle }));
  for (const { at, text } of marks) {
    svg.append(drawing("path", { class: "moment", d: `M${x(at)},${top - 0.3 * em}V${bottom}` }));
    const anchor = at > across / 2 ? "end" : "start";
    svg.append(written(text, { x: x(at), y: em, class: "moment", "text-anchor": anchor }));
  }
  for (const line of lines) svg.append(...drawn(line, x, y, em));
  return svg;
}

/**
 * @param {Line} line
 * @param {(at: number) => number} x
 * @param {(at: number) => number} y
 * @param {number} em
 */
function drawn({ colour, dashes, points }, x, y, em) {
  const last = points.at(-1);
  if (!last) return [];
  const path = points.map(([across, up]) => `${x(across)},${y(up)}`).join("L");
  const dash = dashes[1] ? dashes.map((length) => length * 2).join(" ") : "none";
  return [
    drawing("path", { class: "arm", d: `M${path}`, stroke: colour, "stroke-width": WIDTH * em, "stroke-dasharray": dash }),
    drawing("circle", { cx: x(last[0]), cy: y(last[1]), r: 0.35 * em, fill: colour }),
  ];
}
