// @ts-check
/** Sizes: how many panes stand side by side, which one is shown where it is alone, and how high the view is. */

import { h, setAttribute } from "../../../browser/js/elements.js";
import { pageAreas, pageOffsets } from "../../../browser/js/streamlit_page.js";
import { isDark } from "../dom/theme.js";

/** @import { Pane } from "../state/types.d.ts" */

const WIDE = 900;
const MEDIUM = 620;
const LEAST_HEIGHT = 380;
/** @type {[Pane, string][]} */
const PANES = [["agents", "Agents"], ["events", "Events"], ["inspector", "Inspector"]];

export class Layout {
  /** @type {Pane} */
  #pane = "events";
  #fill = false;
  #onShow;
  #switches = PANES.map(([name, label]) =>
    h("button", { type: "button", "aria-pressed": "false", onclick: () => this.showPane(name) }, label)
  );
  #observer = new ResizeObserver(() => this.#resized());
  #fit = () => this.fit();

  /**
   * @param {HTMLElement} panes what holds them
   * @param {HTMLElement[]} below what stands below them
   * @param {() => void} onShow called when another pane may be shown, or panes have other sizes
   */
  constructor(panes, below, onShow) {
    this.#onShow = onShow;
    const switches = h("div.switch", { role: "group", "aria-label": "Panes" }, this.#switches);
    this.element = h("div.session-view", {}, switches, panes, below);
    this.#observer.observe(this.element);
    for (const area of pageAreas()) this.#observer.observe(area);
    window.addEventListener("resize", this.#fit);
  }

  /** @param {Pane} name */
  showPane(name) {
    this.#pane = name;
    this.element.dataset.pane = name;
    const shown = this.element.dataset.size === "medium" && name === "events" ? "agents" : name;
    PANES.forEach(([at], i) => setAttribute(this.#switches[i], "aria-pressed", String(at === shown)));
    this.#onShow();
  }

  /**
   * On a screen that shows one pane at a time, a chosen event opens the inspector.
   * @param {boolean} some whether one is chosen
   */
  showChoice(some) {
    if (this.element.dataset.size !== "wide") this.showPane(some ? "inspector" : "events");
  }

  /** Goes back to the events; false where they are in view. */
  closePane() {
    if (this.element.dataset.size === "wide" || this.#pane === "events") return false;
    this.showPane("events");
    return true;
  }

  /** @param {boolean} paper whether it is drawn on paper, which is white */
  setTheme(paper = false) {
    setAttribute(this.element, "data-theme", !paper && isDark(this.element) ? "dark" : "light");
  }

  /** @param {boolean} fill whether the view takes the height that the page leaves */
  setHeight(fill) {
    this.#fill = fill;
    if (!fill) this.element.style.height = "";
    this.fit();
  }

  /** Takes the height between the top of the view and the chat input, so that the page itself need not scroll. */
  fit() {
    if (!this.#fill) return;
    const { scrolled, bottom } = pageOffsets();
    const { top } = this.element.getBoundingClientRect();
    const height = `${Math.max(LEAST_HEIGHT, Math.floor(window.innerHeight - top - scrolled - bottom - 12))}px`;
    if (this.element.style.height !== height) this.element.style.height = height;
  }

  close() {
    this.#observer.disconnect();
    window.removeEventListener("resize", this.#fit);
    this.element.remove();
  }

  #resized() {
    const width = this.element.clientWidth;
    const size = width >= WIDE ? "wide" : width >= MEDIUM ? "medium" : "narrow";
    if (this.element.dataset.size !== size) this.element.dataset.size = size;
    this.showPane(this.#pane);
    this.fit();
  }
}
