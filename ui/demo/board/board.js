// @ts-check
/**
 * Draws the board of the demo: a verdict with its bullets beside the score; at the end of an act the curve beside all bullets.
 * Values come as one JSON text; all text from users and models goes in as text nodes.
 */

import { Bullets } from "../drawing/bullets.js";
import { drawCurves } from "../drawing/curves.js";
import { Verdict } from "../drawing/verdict.js";
import { h, replace } from "../../browser/js/elements.js";
import { mounted } from "../../browser/js/mount.js";

/** @import { Learned } from "../drawing/bullets.js" */
/** @import { Chart } from "../drawing/curves.js" */
/** @import { Judged } from "../drawing/verdict.js" */
/** @typedef {{ kind: string; note: string; id: string; text: string; more: string }} Row */
/** @typedef {{ name: string; marks: { sign: string; verdict: string }[] }} Session */
/**
 * @typedef {Judged & Learned & { rows: Row[]; right: number; of: number; sessions: Session[]; chart: Chart | null; fills: boolean }} Picture
 */

const LEAST = 18; // the least height of the chart, in the page's text size
const MARGIN = 24; // pixels below it
const draw = mounted((parent) => new Board(parent));

/** @param {{ parentElement: ParentNode; data: { shown: string } }} component */
export default function board(component) {
  return draw(component);
}

class Board {
  /** @param {ParentNode} parent */
  constructor(parent) {
    this.shown = "";
    this.now = new Verdict();
    this.learned = new Bullets();
    this.rows = h("ul.rows");
    this.score = h("section.total", { "aria-label": "Score" });
    this.curves = h("div.curves");
    this.said = h("div.said", { role: "status" }, this.now.element, this.rows);
    this.chart = h("section.chart", {}, this.curves);
    this.root = h("div.drawing.board", {}, this.said, this.chart, this.learned.element, this.score);
    parent.append(this.root);
    this.observer = new ResizeObserver(() => this.drawCurves());
    this.observer.observe(this.curves);
    this.observer.observe(document.documentElement); // the height of the window, too
  }

  /** @param {{ shown: string }} data */
  update({ shown }) {
    if (shown === this.shown) return;
    this.shown = shown;
    /** @type {Picture} */
    const picture = JSON.parse(shown);
    this.picture = picture;
    this.root.classList.toggle("with-curve", picture.chart !== null);
    this.now.update(picture);
    replace(this.rows, picture.rows.map(row));
    this.learned.update(picture);
    replace(this.score, ...total(picture));
    this.drawCurves();
  }

  /** Ends what goes on by itself, and leaves the page. */
  close() {
    this.observer.disconnect();
    this.root.remove();
  }

  drawCurves() {
    if (!this.picture?.chart || !this.curves.clientWidth) return;
    const width = this.curves.clientWidth, rest = innerHeight - this.curves.getBoundingClientRect().top - MARGIN;
    const least = LEAST * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const height = this.picture.fills ? Math.max(least, Math.min(rest, width * 0.8)) : least;
    this.curves.replaceChildren(drawCurves(this.picture.chart, width, height));
  }
}

/** @param {Row} row */
function row({ kind, note, id, text, more }) {
  return h(
    `li.row.${kind}`,
    {},
    note && [h("b", {}, note), " "],
    id && [h("code", {}, id), " "],
    h("span.text", {}, text),
    more && [" ", h("span.more", {}, more)],
  );
}

/** @param {Picture} picture */
function total({ right, of, kept, sessions }) {
  const marks = sessions.map(({ name, marks }) =>
    h(
      "li.session",
      {},
      h("span.name", {}, name),
      h(
        "span.marks",
        { role: "img", "aria-label": marks.map(({ verdict }) => verdict).join(", ") },
        marks.map(({ sign, verdict }) => h(`span.mark.${verdict}`, {}, sign)),
      ),
    )
  );
  return [
    of > 0 && h("p.number", {}, h("b", {}, `${right} of ${of}`), " right"),
    h("p.count", {}, kept),
    h("ul.sessions", {}, marks),
  ];
}
