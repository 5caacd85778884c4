// @ts-check
/** Curves of the share of right answers over questions: as SVG in pixels of the screen, so that its text keeps its size. */

import { h } from "../../browser/js/elements.js";
import { drawing, written } from "./svg.js";

/** @typedef {{ arm: string; label: string; right: number; of: number; points: [number, number][] }} Curve */
/** @typedef {{ until: number; name: string; score: string }} Band the questions up to one, under a name and a score */
/** @typedef {{ number: number; sign: string; verdict: string }} Mark the verdict of one question */
/**
 * @typedef {{
 *   curves: Curve[]; questions: number; cut: number; ticks: number[]; axis: string; bands?: Band[]; marks?: Mark[];
 * }} Chart
 */
/** @typedef {{ x: (question: number) => number; y: (share: number) => number; right: number; bottom: number; em: number }} Scale */

const LEFT = 3.9, RIGHT = 1, TOP = 1, BOTTOM = 2.9, BAND = 2.7, MARK = 1.8; // in the page's text size
const NARROWEST = 320;

/** @param {Curve} curve */
export function score({ arm, label, right, of }) {
  const swatch = drawing("svg", { class: "swatch", viewBox: "0 0 34 10", "aria-hidden": "true" });
  swatch.append(drawing("path", { class: `line ${arm}`, d: "M0,5H34" }));
  return h(`li.score.${arm}`, {}, swatch, h("b", {}, `${right} of ${of}`), ` ${label}`);
}

/**
 * @param {Chart} chart
 * @param {number} wide
 * @param {number} height
 */
export function drawCurves(chart, wide, height) {
  const { curves, questions, cut, ticks, axis, bands = [], marks = [] } = chart;
  const width = Math.max(NARROWEST, wide);
  const em = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const top = (TOP + (bands.length && BAND)) * em, bottom = height - (BOTTOM + (marks.length && MARK)) * em;
  /** @type {Scale} */
  const scale = {
    x: (question) => LEFT * em + (question / questions) * (width - (LEFT + RIGHT) * em),
    y: (share) => bottom - share * (bottom - top),
    right: width - RIGHT * em,
    bottom,
    em,
  };
  const said = curves.map(({ label, right, of }) => `${right} of ${of} ${label}`).join("; ");
  const svg = drawing("svg", { width, height, role: "img", "aria-label": said });
  for (const share of [0, 0.5, 1]) {
    svg.append(drawing("path", { class: "grid", d: `M${LEFT * em},${scale.y(share)}H${scale.right}` }));
    svg.append(written(`${share * 100} %`, { x: (LEFT - 0.6) * em, y: scale.y(share) + 0.37 * em, "text-anchor": "end" }));
  }
  const middle = { "text-anchor": "middle" };
  for (const tick of ticks) svg.append(written(`${tick}`, { x: scale.x(tick), y: height - 1.55 * em, ...middle }));
  svg.append(written(axis, { x: (LEFT * em + scale.right) / 2, y: height - 0.35 * em, ...middle }));
  if (cut) svg.append(drawing("path", { class: "cut", d: `M${scale.x(cut)},${top}V${bottom}` }));
  for (const curve of [...curves].reverse()) svg.append(...line(curve, scale));
  for (const { number, sign, verdict } of marks) {
    const at = { x: scale.x(number), y: bottom + 1.4 * em, class: `mark ${verdict}`, ...middle };
    svg.append(written(sign, at));
  }
  svg.append(...named(bands, scale));
  return svg;
}

/**
 * @param {Curve} curve
 * @param {Scale} scale
 */
function line({ arm, points }, { x, y }) {
  const path = points.map(([question, share]) => `${x(question)},${y(share)}`).join("L");
  const [question, share] = points.at(-1) ?? [0, -1];
  if (!path) return [];
  return [
    drawing("path", { class: `line ${arm}`, d: `M${path}` }),
    drawing("circle", { class: `end ${arm}`, cx: x(question), cy: y(share), r: 6 }),
  ];
}

/**
 * Names above the questions that they are about, with a line between two of them.
 * @param {Band[]} bands
 * @param {Scale} scale
 */
function named(bands, { x, y, bottom, em }) {
  let from = 0;
  return bands.flatMap(({ until, name, score }) => {
    const edge = x(from + 0.5), middle = { x: (edge + x(until + 0.5)) / 2, "text-anchor": "middle" };
    const parts = [written(name, { y: em, ...middle }), written(score, { y: 2.3 * em, class: "band", ...middle })];
    if (from) parts.push(drawing("path", { class: "grid", d: `M${edge},${y(1) - em}V${bottom}` }));
    from = until;
    return parts;
  });
}
