// @ts-check
/** One row: a box to select it, its title, what it is, and where it has the words that are looked for. */

import { ago, fullTime } from "../../../session_list/js/words.js";
import { h, replace, setAttribute, setText } from "../../../browser/js/elements.js";

/** @import { Row } from "./types.d.ts" */

/**
 * How a row is shown.
 * @typedef {object} Look
 * @property {boolean} selected
 * @property {boolean} opening
 * @property {string} href
 * @property {string} pipeline title of its pipeline
 * @property {number} now in seconds since the epoch
 */

export class RowView {
  box = h("input", { type: "checkbox", tabindex: "-1" });
  link = h("a.title", { dir: "auto", tabindex: "-1" });
  #tags = h("span.tags");
  #facts = h("div.line");
  #excerpt = h("div.line.excerpt", { dir: "auto" });
  element = h(
    "li.row",
    {},
    this.box,
    h("div.what", {}, h("div.head", {}, this.link, this.#tags), this.#facts, this.#excerpt),
  );

  /**
   * @param {Row} row
   * @param {Look} look
   */
  update(row, { selected, opening, href, pipeline, now }) {
    this.box.checked = selected;
    setAttribute(this.box, "aria-label", `Select ${row.title}`);
    setText(this.link, row.title);
    setAttribute(this.link, "href", href);
    setAttribute(this.link, "aria-busy", opening ? "true" : null);
    if ([...this.#tags.children].map(({ textContent }) => textContent).join("\n") !== row.tags.join("\n")) {
      replace(this.#tags, row.tags.map((tag) => h("span.tag", { dir: "auto" }, tag)));
    }
    this.#tags.hidden = !row.tags.length;
    const facts = [opening ? "opening …" : row.outcome, ago(row.updated, now), pipeline, row.model, ...row.facts];
    setText(this.#facts, facts.filter(Boolean).join(" · "));
    setAttribute(this.#facts, "title", fullTime(row.updated));
    setText(this.#excerpt, row.excerpt ?? "");
    this.#excerpt.hidden = !row.excerpt;
    this.element.dataset.status = row.status;
    this.element.classList.toggle("selected", selected);
    this.element.style.setProperty("--depth", String(row.depth));
    this.element.classList.toggle("fork", row.depth > 0);
  }
}
