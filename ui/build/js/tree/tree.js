// @ts-check
/** The agents as a tree, by the keys of WAI-ARIA's tree view; Alt with an arrow moves an agent, Delete removes it. */

import { focusedIn, h, replace, setAttribute, setText } from "../../../browser/js/elements.js";
import { listenToDrags } from "./drag.js";
import { Order } from "./order.js";

/** @import { Act, Data, Finding } from "../types.d.ts" */

const LETTER = /^[\p{L}\p{N}_]$/u;
/** @type {Record<string, "up" | "down" | "out" | "in">} */
const WAYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "in" };

/**
 * @typedef {object} Actions
 * @property {(agent: string) => void} select
 * @property {() => void} edit goes to the form
 * @property {(act: Act) => void} act
 */

export class Tree {
  element = h("div.tree", { role: "tree", "aria-label": "Agents of the team" });
  /** @type {Map<string, ReturnType<typeof newRow>>} */
  #rows = new Map();
  /** @type {Set<string>} */
  #folded = new Set();
  #order = new Order([], []);
  #selected = "";
  #locked = false;
  #actions;

  /** @param {Actions} actions */
  constructor(actions) {
    this.#actions = actions;
    addEventListener("keydown", this.#key, true); // other parts of the page take letters from the document
    this.element.addEventListener("click", (event) => this.#click(event));
    listenToDrags(this.element, {
      mayDrag: (name) => !this.#locked && this.#order.mayMove(name),
      spot: (name, target, part) => this.#order.drop(name, target, part),
      move: (agent, spot) => this.#actions.act({ kind: "move", agent, ...spot }),
    });
  }

  get order() {
    return this.#order;
  }

  /**
   * Draws the agents; what is there already stays the same element.
   * @param {Data} data
   * @param {string} selected
   */
  draw({ agents, kinds, findings, locked }, selected) {
    const focused = focusedIn(this.element);
    this.#order = new Order(agents, kinds);
    this.#selected = selected;
    this.#locked = locked;
    for (const above of this.#order.above(selected)) this.#folded.delete(above);
    const visible = this.#order.visible(this.#folded);
    for (const [name, { element }] of this.#rows) {
      if (visible.includes(name)) continue;
      element.remove();
      this.#rows.delete(name);
    }
    visible.forEach((name, index) => {
      const row = this.#rows.get(name) ?? newRow(name);
      this.#rows.set(name, row);
      this.#update(name, row, findings.filter(({ agent }) => agent === name));
      const { children } = this.element;
      if (children[index] !== row.element) this.element.insertBefore(row.element, children[index] ?? null);
    });
    if (focused && focusedIn(this.element) !== this.#rows.get(selected)?.element) this.focus(); // one that is moved loses it
  }

  close() {
    removeEventListener("keydown", this.#key, true);
  }

  focus() {
    const row = this.#rows.get(this.#selected)?.element;
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }

  /** Brings the selected agent into sight within the tree; the page is not scrolled. */
  show() {
    const row = this.#rows.get(this.#selected)?.element.getBoundingClientRect(), box = this.element.getBoundingClientRect();
    if (row && (row.top < box.top || row.bottom > box.bottom)) {
      this.element.scrollTop += row.top - box.top - box.height / 2;
    }
  }

  /**
   * @param {string} name
   * @param {ReturnType<typeof newRow>} row
   * @param {Finding[]} found
   */
  #update(name, { element, fold, sign, title, mark }, found) {
    const agent = this.#order.agent(name), kind = this.#order.kind(name), folded = this.#folded.has(name);
    const hasBelow = this.#order.hasBelow(name), level = this.#order.level(name);
    const worst = agent?.problem || found.some((one) => one.level === "error") ? "error" : found.length ? "warning" : "";
    setAttribute(element, "aria-level", level);
    setAttribute(element, "aria-selected", String(name === this.#selected));
    setAttribute(element, "aria-expanded", hasBelow ? String(!folded) : null);
    setAttribute(element, "tabindex", name === this.#selected ? "0" : "-1");
    setAttribute(element, "draggable", String(!this.#locked && this.#order.mayMove(name)));
    const said = worst === "error" ? ", has an error" : worst ? ", has a warning" : "";
    setAttribute(
      element,
      "aria-label",
      `${name}, ${agent?.called ? "called as a tool, " : ""}${kind?.label ?? "own class"}${said}`,
    );
    setAttribute(element, "title", [agent?.file, ...found.map(({ text }) => text)].filter(Boolean).join("\n"));
    element.style.setProperty("--level", String(level - 1));
    element.classList.toggle("called", Boolean(agent?.called));
    setText(fold, hasBelow ? folded ? "▸" : "▾" : "");
    setText(sign, kind?.sign ?? "◇");
    setText(title, name);
    setText(mark, worst === "error" ? "✗" : worst ? "!" : "");
    mark.className = `mark ${worst}`;
  }

  /** @param {MouseEvent} event */
  #click({ target }) {
    const element = target instanceof Element ? target.closest("[role=treeitem]") : null;
    const name = element instanceof HTMLElement ? element.dataset.agent ?? "" : "";
    if (!name) return;
    if (target instanceof Element && target.closest(".fold")?.textContent) this.#fold(name, !this.#folded.has(name));
    else this.#select(name);
  }

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const target = event.composedPath()[0];
    if (event.isComposing || !(target instanceof Node) || !this.element.contains(target) || !this.#act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /**
   * Does what a key is for; answers whether it did.
   * @param {KeyboardEvent} event
   */
  #act({ key, altKey, ctrlKey, metaKey, shiftKey }) {
    if (ctrlKey || metaKey) {
      const redo = key.toLowerCase() === "y" || (shiftKey && key.toLowerCase() === "z");
      if (!redo && key.toLowerCase() !== "z") return false;
      return this.#change({ kind: redo ? "redo" : "undo" });
    }
    const agent = this.#selected;
    if (altKey) {
      const spot = key in WAYS && this.#order.step(agent, WAYS[key]);
      if (spot) this.#change({ kind: "move", agent, ...spot });
      return key in WAYS; // Alt and an arrow would leave the page
    }
    if (key === "Delete") return this.#order.mayMove(agent) && this.#change({ kind: "remove", agent });
    if (key === "Enter" || key === "F2") return this.#actions.edit(), true;
    if (LETTER.test(key)) return this.#find(key);
    return this.#move(key);
  }

  /** @param {Act} act */
  #change(act) {
    if (!this.#locked) this.#actions.act(act);
    return true;
  }

  /** @param {string} key */
  #move(key) {
    const visible = this.#order.visible(this.#folded), at = visible.indexOf(this.#selected);
    const open = this.#order.hasBelow(this.#selected) && !this.#folded.has(this.#selected);
    if (key === "ArrowDown") return this.#select(visible[at + 1]);
    if (key === "ArrowUp") return this.#select(visible[at - 1]);
    if (key === "Home") return this.#select(visible[0]);
    if (key === "End") return this.#select(visible[visible.length - 1]);
    if (key === "ArrowRight") return open ? this.#select(visible[at + 1]) : this.#fold(this.#selected, false);
    if (key === "ArrowLeft") {
      return open ? this.#fold(this.#selected, true) : this.#select(this.#order.parent(this.#selected));
    }
    return false;
  }

  /**
   * Goes to the next agent whose name begins with a letter.
   * @param {string} letter
   */
  #find(letter) {
    const visible = this.#order.visible(this.#folded), at = visible.indexOf(this.#selected);
    const rest = [...visible.slice(at + 1), ...visible.slice(0, at + 1)];
    return this.#select(rest.find((name) => name.toLowerCase().startsWith(letter.toLowerCase())));
  }

  /**
   * @param {string} name
   * @param {boolean} folded
   */
  #fold(name, folded) {
    this.#folded[folded ? "add" : "delete"](name);
    if (folded && name !== this.#selected && this.#order.isWithin(this.#selected, name)) this.#selected = name;
    this.#actions.select(this.#selected);
    return true;
  }

  /** @param {string | null | undefined} name */
  #select(name) {
    if (name) this.#actions.select(name);
    this.focus();
    return true;
  }
}

/** @param {string} name */
function newRow(name) {
  const fold = h("span.fold", { "aria-hidden": "true" }), sign = h("span.sign", { "aria-hidden": "true" });
  const title = h("span.name", { dir: "auto" }), mark = h("span.mark", { "aria-hidden": "true" });
  const element = h("div.agent", { role: "treeitem", "data-agent": name });
  replace(element, fold, sign, title, mark);
  return { element, fold, sign, title, mark };
}
