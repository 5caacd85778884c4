// @ts-check
/** The lines between panes: dragged, or moved by arrow keys, they change a pane's width, which the browser remembers. */

import { h } from "../../../browser/js/elements.js";

/** @typedef {{ name: "graph" | "inspector"; label: string; grows: 1 | -1; least: number }} Side */

const STORED = "agent-playground:panes";
/** What the event list keeps, in px. */
const LEAST_LIST = 230;
const STEP = 16;
const FALLBACK = 2000;
/** @type {Side[]} `grows`: the direction in which the line makes its pane wider */
const SIDES = [
  { name: "graph", label: "Width of the agent graph", grows: 1, least: 150 },
  { name: "inspector", label: "Width of the inspector", grows: -1, least: 240 },
];

export class Dividers {
  #panes;
  #onMove;
  /** @type {Partial<Record<Side["name"], number>>} */
  #widths = readWidths();
  elements = SIDES.map((side) => this.#draw(side));

  /**
   * @param {HTMLElement} panes what holds the panes
   * @param {() => void} onMove
   */
  constructor(panes, onMove) {
    this.#panes = panes;
    this.#onMove = onMove;
    panes.append(...this.elements);
    this.#show();
  }

  /** @param {Side} side */
  #draw(side) {
    const line = h("div.divider", {
      "data-side": side.name,
      role: "separator",
      tabindex: "0",
      "aria-orientation": "vertical",
      "aria-label": side.label,
      "aria-valuemin": side.least,
      title: "Drag, or use the arrow keys; double click for the usual width",
      onkeydown: (event) => this.#key(side, event),
    });
    line.addEventListener("dblclick", () => this.#set(side, undefined));
    line.addEventListener("pointerdown", (event) => line.setPointerCapture(event.pointerId));
    line.addEventListener("pointermove", (event) => {
      if (line.hasPointerCapture(event.pointerId)) this.#set(side, this.#widthAt(side, event.clientX));
    });
    return line;
  }

  /**
   * @param {Side} side
   * @param {KeyboardEvent} event
   */
  #key(side, event) {
    const now = this.#shown(side);
    const widths = new Map([
      ["ArrowRight", now + STEP * side.grows],
      ["ArrowLeft", now - STEP * side.grows],
      ["Home", side.least],
      ["End", this.#most(side)],
    ]);
    const width = widths.get(event.key);
    if (width === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#set(side, width);
  }

  /**
   * @param {Side} side
   * @param {number} x
   */
  #widthAt(side, x) {
    const { left, right } = this.#panes.getBoundingClientRect();
    return side.grows > 0 ? x - left : right - x;
  }

  /** @param {Side} side */
  #shown({ name }) {
    return this.#panes.querySelector(`:scope > .${name}`)?.getBoundingClientRect().width ?? 0;
  }

  /**
   * The width that leaves the list its own.
   * @param {Side} side
   */
  #most(side) {
    const other = SIDES.reduce((sum, one) => (one === side ? sum : sum + this.#shown(one)), 0);
    return Math.max(side.least, (this.#panes.clientWidth || FALLBACK) - other - LEAST_LIST);
  }

  /**
   * @param {Side} side
   * @param {number | undefined} width undefined for the usual one
   */
  #set(side, width) {
    if (width === undefined) delete this.#widths[side.name];
    else this.#widths[side.name] = Math.round(Math.min(Math.max(width, side.least), this.#most(side)));
    writeWidths(this.#widths);
    this.#show();
    this.#onMove();
  }

  #show() {
    SIDES.forEach(({ name }, i) => {
      const width = this.#widths[name];
      if (width === undefined) this.#panes.style.removeProperty(`--${name}`);
      else this.#panes.style.setProperty(`--${name}`, `${width}px`);
      this.elements[i].setAttribute("aria-valuenow", String(Math.round(width ?? this.#shown(SIDES[i]))));
    });
  }
}

/** @returns {Partial<Record<Side["name"], number>>} */
function readWidths() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    return Object.fromEntries(
      SIDES.flatMap((
        { name, least },
      ) => (Number.isFinite(stored?.[name]) && stored[name] >= least ? [[name, stored[name]]] : [])),
    );
  } catch {
    return {}; // no storage, or not ours
  }
}

/** @param {Partial<Record<Side["name"], number>>} widths */
function writeWidths(widths) {
  try {
    localStorage.setItem(STORED, JSON.stringify(widths));
  } catch {
    // a browser that stores nothing forgets the widths
  }
}
