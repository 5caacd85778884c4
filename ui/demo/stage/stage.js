// @ts-check
/**
 * Draws a moment of a demo: a question with its verdict or a statement, charts, answers, texts, and the bullets of a playbook.
 * The style sheet places them, by the layout. Values come as one JSON text; all text from users and models goes in as text nodes.
 */

import { Bullets } from "./bullets.js";
import { drawChart } from "./chart.js";
import { column, strip, swatch } from "./rows.js";
import { Verdict } from "./verdict.js";
import { h, replace, setText } from "../../browser/js/elements.js";
import { mounted } from "../../browser/js/mount.js";

/** @import { Learned } from "./bullets.js" */
/** @import { Chart, Line } from "./chart.js" */
/** @import { Column, Strip } from "./rows.js" */
/** @import { Question } from "./verdict.js" */
/**
 * @typedef {Learned & {
 *   layout: string; now: Question | null; say: string; more: string; score: string; charts: Chart[]; strips: Strip[];
 *   columns: Column[]; note: string; fills: boolean;
 * }} Picture
 */

const LEAST = 11, BESIDE = 18; // the least height of a chart, and that beside a session, in the page's text size
const WIDEST = 0.8; // of a chart's width, its height at most
const MARGIN = 48; // pixels between the parts and below the stage
const draw = mounted((parent) => new Stage(parent));

/** @param {{ parentElement: ParentNode; data: { shown: string } }} component */
export default function stage(component) {
  return draw(component);
}

class Stage {
  /** @param {ParentNode} parent */
  constructor(parent) {
    this.shown = "";
    this.now = new Verdict();
    this.say = h("p.say");
    this.more = h("p.more");
    this.score = h("p.number");
    this.legend = h("ul.legend");
    this.charts = h("div.charts");
    this.strips = h("div.strips");
    this.columns = h("div.columns", { role: "status" });
    this.learned = new Bullets();
    this.note = h("p.note");
    const said = h("div.said", { role: "status" }, this.now.element, this.say, this.more);
    const below = [this.legend, this.charts, this.strips, this.columns, this.learned.element, this.note];
    this.root = h("div.stage", {}, said, this.score, below);
    parent.append(this.root);
    this.observer = new ResizeObserver(() => this.drawCharts());
    this.observer.observe(this.root);
    this.observer.observe(document.documentElement); // the height of the window, too
  }

  /** @param {{ shown: string }} data */
  update({ shown }) {
    if (shown === this.shown) return;
    this.shown = shown;
    /** @type {Picture} */
    const picture = JSON.parse(shown);
    this.picture = picture;
    const { layout, charts, score } = picture;
    this.root.className = `stage ${layout}${charts.length ? " with-chart" : ""}`;
    this.now.update(picture.now);
    setText(this.say, picture.say);
    setText(this.more, picture.more);
    replace(this.score, score && [h("b", {}, score), " right"]);
    replace(this.legend, (charts.at(0)?.lines ?? []).map(legend));
    if (charts.length !== this.charts.children.length) {
      replace(this.charts, charts.map(() => h("section.chart", {}, h("h3"), h("div.curves"))));
    }
    replace(this.strips, picture.strips.map(strip));
    replace(this.columns, picture.columns.map(column));
    this.learned.update(picture);
    setText(this.note, picture.note);
    this.drawCharts();
  }

  /** Ends what goes on by itself, and leaves the page. */
  close() {
    this.observer.disconnect();
    this.root.remove();
  }

  /** The charts take the height that is left of the window. */
  drawCharts() {
    const boxes = [...this.charts.querySelectorAll(".curves")];
    if (!this.picture || !boxes.length || !this.root.clientWidth) return;
    const { charts, layout, fills } = this.picture;
    charts.forEach(({ title }, place) => setText(boxes[place].previousElementSibling ?? this.charts, title));
    const em = parseFloat(getComputedStyle(document.documentElement).fontSize), width = boxes[0].clientWidth;
    const rows = new Set(boxes.map((box) => box.getBoundingClientRect().top)).size;
    const titles = this.charts.clientHeight - boxes[0].clientHeight * rows;
    const below = layout === "board" ? [] : [this.strips, this.columns, this.note];
    const taken = below.reduce((sum, { offsetHeight }) => sum + offsetHeight, titles + MARGIN);
    const left = (innerHeight - this.charts.getBoundingClientRect().top - taken) / rows;
    const height = fills ? Math.max(LEAST * em, Math.min(left, WIDEST * width)) : BESIDE * em;
    charts.forEach((chart, place) => boxes[place].replaceChildren(drawChart(chart, boxes[place].clientWidth, height)));
  }
}

/** @param {Line} line */
function legend({ label, score, colour, dashes }) {
  return h("li", {}, swatch(colour, dashes), h("b", {}, score), ` ${label}`);
}
