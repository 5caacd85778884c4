// @ts-check
/**
 * Draws *Watch it learn*: the question with its verdict, the score, the curves and the bullets. Values come as one JSON text;
 * all text from users and models goes in as text nodes.
 */

import { Bullets } from "../../drawing/bullets.js";
import { drawCurves, score } from "../../drawing/curves.js";
import { Verdict } from "../../drawing/verdict.js";
import { h } from "../../../browser/js/elements.js";
import { mounted } from "../../../browser/js/mount.js";

/** @import { Learned } from "../../drawing/bullets.js" */
/** @import { Chart } from "../../drawing/curves.js" */
/** @import { Judged } from "../../drawing/verdict.js" */
/** @typedef {Judged & Chart & Learned} Picture */

/** Heights in pixels: at least, at most, and what the rest of the page needs of the window. */
const LEAST = 260, MOST = 600, REST = 420;
const draw = mounted((parent) => new Stage(parent));

/** @param {{ parentElement: ParentNode; data: { shown: string } }} component */
export default function watch(component) {
  return draw(component);
}

class Stage {
  /** @param {ParentNode} parent */
  constructor(parent) {
    this.shown = "";
    this.now = new Verdict();
    this.learned = new Bullets();
    this.scores = h("ul.scores");
    this.curves = h("div.curves");
    const chart = h("section.chart", {}, this.scores, this.curves);
    this.root = h("div.drawing.stage", {}, this.now.element, chart, this.learned.element);
    parent.append(this.root);
    this.observer = new ResizeObserver(() => this.drawCurves());
    this.observer.observe(this.curves);
  }

  /** @param {{ shown: string }} data */
  update({ shown }) {
    if (shown === this.shown) return;
    this.shown = shown;
    /** @type {Picture} */
    const picture = JSON.parse(shown);
    this.picture = picture;
    this.now.update(picture);
    this.scores.replaceChildren(...picture.curves.map(score));
    this.drawCurves();
    this.learned.update(picture);
  }

  /** Ends what goes on by itself, and leaves the page. */
  close() {
    this.observer.disconnect();
    this.root.remove();
  }

  drawCurves() {
    if (!this.picture) return;
    const width = this.curves.clientWidth, height = Math.max(LEAST, Math.min(MOST, innerHeight - REST, width * 0.7));
    this.curves.replaceChildren(drawCurves(this.picture, width, height));
  }
}
