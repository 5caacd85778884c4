// @ts-check
/** One row: its title, how it stands, and what tells it from others; with a box where rows can be selected. */

import { h, replace, setAttribute, setText } from "../../browser/js/elements.js";
import { ago, fullTime } from "./words.js";

/** @import { Row, Shown } from "./types.d.ts" */

const LINES = /** @type {const} */ (["fork", "apart", "pipeline", "excerpt"]);

export class RowView {
  /** @type {HTMLInputElement | null} */
  box;
  link = h("a.title", { dir: "auto", tabindex: "-1" });
  #tags = h("span.tags");
  #outcome = h("span.outcome");
  #facts = h("span");
  #line = h("div.line", {}, this.#outcome, this.#facts);
  #lines = LINES.map((name) => /** @type {const} */ ([name, h(`div.line.${name}`, { dir: "auto" })]));
  element;

  /** @param {{ selectable: boolean }} how */
  constructor({ selectable }) {
    this.box = selectable ? h("input", { type: "checkbox", tabindex: "-1" }) : null;
    const head = h("div.head", {}, this.link, this.#tags);
    this.element = h("li.row", {}, this.box, h("div.what", {}, head, this.#line, ...this.#lines.map(([, line]) => line)));
  }

  /**
   * @param {Row} row
   * @param {Shown} shown
   */
  update(row, { current, selected, opening, href, now, facts, lines, tags = [], depth = 0 }) {
    if (this.box) {
      this.box.checked = selected;
      setAttribute(this.box, "aria-label", `Select ${row.title}`);
    }
    setText(this.link, row.title);
    setAttribute(this.link, "title", row.title);
    setAttribute(this.link, "href", href);
    setAttribute(this.link, "aria-current", current ? "true" : null);
    setAttribute(this.link, "aria-busy", opening ? "true" : null);
    this.#tag(tags);
    setText(this.#outcome, opening ? "opening …" : row.outcome);
    setText(this.#facts, ["", ago(row.updated, now), ...facts].join(" · "));
    setAttribute(this.#line, "title", fullTime(row.updated));
    for (const [name, line] of this.#lines) {
      const text = lines[name] ?? "";
      setText(line, text);
      setAttribute(line, "title", text || null);
      line.hidden = !text;
    }
    this.element.dataset.status = row.status;
    this.element.classList.toggle("current", current);
    this.element.classList.toggle("selected", selected);
    this.element.classList.toggle("opening", opening);
    this.element.classList.toggle("below", depth > 0);
    this.element.style.setProperty("--depth", String(depth));
  }

  /** @param {string[]} tags */
  #tag(tags) {
    this.#tags.hidden = !tags.length;
    if ([...this.#tags.children].map(({ textContent }) => textContent).join("\n") === tags.join("\n")) return;
    replace(this.#tags, tags.map((tag) => h("span.tag", { dir: "auto" }, tag)));
  }
}
