// @ts-check
/** One row: a title of at most two lines, outcome and age, and what tells it from others. Drawn once, then updated. */

import { h, setAttribute, setText } from "../../browser/js/elements.js";
import { ago, fullTime, timeOf } from "./words.js";

/** @import { Precision, Row } from "./types.d.ts" */

let drawn = 0;

/**
 * How a row is shown.
 * @typedef {object} Look
 * @property {boolean} open whether the page shows the session
 * @property {boolean} opening whether it will
 * @property {Precision} [precision] of the time of a row whose title another row has, too
 * @property {string} pipeline title of the pipeline, "" to leave it out
 * @property {number} now in seconds since the epoch
 */

export class RowView {
  #title = h("div.title", { dir: "auto" });
  #outcome = h("span.outcome");
  #age = h("span");
  #fork = h("div.line.fork", { dir: "auto" });
  #line = h("div.line", {}, this.#outcome, this.#age);
  #apart = h("div.line");
  #pipeline = h("div.line.pipeline", { dir: "auto" });
  element = h(
    "div.row",
    { role: "option", id: `session-${++drawn}` },
    this.#title,
    this.#line,
    this.#fork,
    this.#apart,
    this.#pipeline,
  );

  /**
   * @param {Row} row
   * @param {Look} look
   */
  update(row, { open, opening, precision, pipeline, now }) {
    const time = precision && timeOf(row.updated, { now, precision });
    const apart = [time, row.model].filter(Boolean).join(" · ");
    setText(this.#title, row.title);
    setAttribute(this.#title, "title", row.title);
    setText(this.#fork, row.fork);
    setAttribute(this.#fork, "title", row.fork || null);
    this.#fork.hidden = !row.fork;
    setText(this.#outcome, opening ? "opening …" : row.outcome);
    setText(this.#age, opening ? "" : ` · ${ago(row.updated, now)}`);
    setAttribute(this.#line, "title", fullTime(row.updated));
    setText(this.#apart, apart);
    this.#apart.hidden = !apart;
    setText(this.#pipeline, pipeline);
    setAttribute(this.#pipeline, "title", pipeline || null);
    this.#pipeline.hidden = !pipeline;
    this.element.dataset.status = row.status;
    setAttribute(this.element, "aria-selected", String(open));
    setAttribute(this.element, "aria-busy", opening ? "true" : null);
  }
}
