// @ts-check
/**
 * Draws a moment of a lab demo: a statement, charts of the arms, texts before and after, verdicts. Values come as one JSON
 * text; all text from users and models goes in as text nodes.
 */

import { h, replace, setText } from "../../../browser/js/elements.js";
import { mounted } from "../../../browser/js/mount.js";
import { drawChart } from "./chart.js";
import { column, strip, swatch } from "./rows.js";

/** @import { Chart, Line } from "./chart.js" */
/** @import { Column, Strip } from "./rows.js" */
/** @typedef {{ say: string; more: string; charts: Chart[]; columns: Column[]; strips: Strip[]; note: string }} Picture */

const LEAST = 11; // the least height of a chart, in the page's text size
const MARGIN = 20; // pixels below the board
const draw = mounted((parent) => new Board(parent));

/** @param {{ parentElement: ParentNode; data: { shown: string } }} component */
export default function board(component) {
  return draw(component);
}

class Board {
  /** @param {ParentNode} parent */
  constructor(parent) {
    this.shown = "";
    this.say = h("p.say");
    this.more = h("p.more");
    this.legend = h("ul.legend");
    this.charts = h("div.charts");
    this.strips = h("div.strips");
    this.columns = h("div.columns");
    this.note = h("p.note");
    const said = h("div.said", { role: "status" }, this.say, this.more);
    this.root = h("div.drawing.moments", {}, said, this.legend, this.charts, this.strips, this.columns, this.note);
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
    setText(this.say, picture.say);
    setText(this.more, picture.more);
    replace(this.legend, (picture.charts.at(0)?.lines ?? []).map(score));
    replace(this.charts, picture.charts.map(({ title }) => h("section.chart", {}, h("h3", {}, title), h("div.curves"))));
    replace(this.strips, picture.strips.map(strip));
    replace(this.columns, picture.columns.map(column));
    setText(this.note, picture.note);
    this.drawCharts();
  }

  /** Ends what goes on by itself, and leaves the page. */
  close() {
    this.observer.disconnect();
    this.root.remove();
  }

  /** The charts take the height that the rest of the board leaves of the window. */
  drawCharts() {
    const boxes = [...this.charts.querySelectorAll(".curves")];
    if (!this.picture || !boxes.length || !this.root.clientWidth) return;
    const least = LEAST * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const rows = new Set(boxes.map((box) => box.getBoundingClientRect().top)).size;
    for (const box of boxes) box.replaceChildren();
    const rest = innerHeight - this.root.getBoundingClientRect().bottom - MARGIN + boxes[0].clientHeight * rows;
    const height = Math.max(least, rest / rows);
    this.picture.charts.forEach((chart, place) => {
      const box = boxes[place];
      box.replaceChildren(drawChart(chart, box.clientWidth, height));
    });
  }
}

/** @param {Line} line */
function score({ label, score, colour, dashes }) {
  return h("li", {}, swatch(colour, dashes), h("b", {}, score), ` ${label}`);
}
