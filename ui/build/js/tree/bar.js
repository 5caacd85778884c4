// @ts-check
/** What can be done with the selected agent by mouse: add, wrap, move, remove. */

import { h, replace } from "../../../browser/js/elements.js";

/** @import { Act, Kind } from "../types.d.ts" */
/** @import { Order } from "./order.js" */

export class Bar {
  #act;
  #asks = "";
  #choices = h("div.choices", { role: "group" });
  #add = this.#opener("Add", "add");
  #wrap = this.#opener("Wrap", "wrap");
  #up = this.#mover("↑", "up", "Move up (Alt ↑)");
  #down = this.#mover("↓", "down", "Move down (Alt ↓)");
  #remove = this.#button("✕", "Remove (Delete)", () => this.#do({ kind: "remove", agent: this.#agent }));
  #agent = "";
  /** @type {Order | null} */
  #order = null;
  /** @type {Kind[]} */
  #kinds = [];

  /** @param {(act: Act) => void} act */
  constructor(act) {
    this.#act = act;
    const buttons = h("div.buttons", {}, this.#add, this.#wrap, this.#up, this.#down, this.#remove);
    this.element = h(
      "div.bar",
      { role: "group", "aria-label": "Change the team", onkeydown: (event) => this.#key(event) },
      buttons,
      this.#choices,
    );
  }

  /**
   * @param {Order} order
   * @param {Kind[]} kinds
   * @param {string} agent
   */
  draw(order, kinds, agent) {
    if (agent !== this.#agent) this.#asks = "";
    this.#order = order;
    this.#kinds = kinds;
    this.#agent = agent;
    const spots = order.spots(agent);
    this.#add.disabled = !spots.length;
    this.#wrap.disabled = !order.agent(agent) || Boolean(order.agent(agent)?.called);
    this.#up.disabled = !order.step(agent, "up");
    this.#down.disabled = !order.step(agent, "down");
    this.#remove.disabled = !order.mayMove(agent);
    this.#drawChoices();
  }

  #drawChoices() {
    this.#add.ariaExpanded = String(this.#asks === "add");
    this.#wrap.ariaExpanded = String(this.#asks === "wrap");
    this.#choices.hidden = !this.#asks;
    this.#choices.ariaLabel = this.#asks === "wrap" ? `Wrap ${this.#agent} in` : "Add an agent";
    if (!this.#asks) return replace(this.#choices);
    if (this.#asks === "wrap") {
      const wrap = (/** @type {Kind} */ kind) => () =>
        this.#do({ kind: "wrap", agent: this.#agent, agent_class: kind.name });
      const kinds = this.#kinds.filter(({ wraps }) => wraps);
      return replace(this.#choices, h("span", {}, "in"), kinds.map((kind) => this.#choice(kind, wrap(kind))));
    }
    const spots = this.#order?.spots(this.#agent) ?? [];
    const where = h("select", { "aria-label": "Where" }, spots.map(({ words }, at) => h("option", { value: at }, words)));
    const add = (/** @type {Kind} */ kind) => () => {
      const { parent, position } = spots[Number(where.value)];
      this.#do({ kind: "add", agent_class: kind.name, parent, position });
    };
    const offer = () => {
      const kinds = this.#kinds.filter((kind) => this.#order?.fits(kind, spots[Number(where.value)]?.parent ?? ""));
      replace(this.#choices, where, kinds.map((kind) => this.#choice(kind, add(kind))));
    };
    where.onchange = () => {
      offer();
      where.focus();
    };
    offer();
  }

  /**
   * @param {Kind} kind
   * @param {() => void} act
   */
  #choice({ sign, label, name }, act) {
    return h("button", { type: "button", title: name, onclick: act }, `${sign} ${label}`);
  }

  /**
   * @param {string} label
   * @param {string} what
   */
  #opener(label, what) {
    const toggle = () => {
      this.#asks = this.#asks === what ? "" : what;
      this.#drawChoices();
      const first = this.#choices.querySelector("select, button");
      if (first instanceof HTMLElement) first.focus();
    };
    return h("button", { type: "button", onclick: toggle }, label);
  }

  /**
   * @param {string} label
   * @param {"up" | "down"} way
   * @param {string} title
   */
  #mover(label, way, title) {
    return this.#button(label, title, () => {
      const spot = this.#order?.step(this.#agent, way);
      if (spot) this.#do({ kind: "move", agent: this.#agent, ...spot });
    });
  }

  /**
   * @param {string} sign
   * @param {string} title
   * @param {() => void} act
   */
  #button(sign, title, act) {
    return h("button", { type: "button", title, "aria-label": title, onclick: act }, sign);
  }

  /** @param {Act} act */
  #do(act) {
    this.#asks = "";
    this.#drawChoices();
    this.#act(act);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Escape" || !this.#asks) return;
    const opener = this.#asks === "add" ? this.#add : this.#wrap;
    this.#asks = "";
    this.#drawChoices();
    opener.focus();
    event.stopPropagation();
  }
}
