// @ts-check
/** The edges of a graph as rows: from which node, then which one, by which route. In a node's form they are those that leave it. */

import { focusedIn, h, replace, setAttribute } from "../../../browser/js/elements.js";

/** @import { Agent, Changed, Control, Edge, Field, Given } from "../types.d.ts" */

const START = "START";
/** As files write the route of an edge that is followed if no other one is, and as it is shown. */
const DEFAULT = "__DEFAULT__", ANY_OTHER = "any other";

/** @implements {Control} */
export class Edges {
  id;
  labelled = false;
  element;
  #changed;
  #rows = h("ul.edges");
  #add = h("button.insert", { type: "button" }, "+ Edge");
  #offers;
  #drawn = "";
  /** @type {Edge[]} */
  #held = [];
  /** @type {string[]} */
  #names = [];
  /** @type {Map<string, string[]>} the routes that nodes say they give */
  #routes = new Map();
  /** The node whose edges are shown; "" for all. */
  #from = "";
  /** The row that was added, which takes the focus. */
  #added = -1;

  /**
   * @param {Field} field
   * @param {Changed} changed
   */
  constructor(field, changed) {
    this.id = `field-${field.name}`;
    this.#changed = changed;
    this.#offers = h("datalist", { id: `${this.id}-routes` });
    this.element = h("div.writing", { role: "group", "aria-label": field.label }, this.#rows, this.#add, this.#offers);
    this.#add.onclick = () => this.#append();
  }

  focus() {
    const first = this.element.querySelector("select, button");
    if (first instanceof HTMLElement) first.focus();
  }

  /** @param {string} note */
  describe(note) {
    setAttribute(this.element, "aria-describedby", note);
  }

  /**
   * @param {Edge[] | null} value
   * @param {Given} given
   */
  update(value, { data, agent, locked, graph }) {
    const nodes = data.agents.filter((one) => one.parent === graph?.name && !one.called);
    this.#held = value ?? [];
    const named = this.#held.flatMap(({ from, to }) => [from, to]).filter((name) => name !== START); // functions, too
    this.#names = [...new Set([...nodes.map(({ name }) => name), ...named])];
    this.#routes = new Map(nodes.map((node) => [node.name, optionsOf(node)]));
    this.#from = agent === graph ? "" : agent.name;
    const drawn = JSON.stringify([this.#held, this.#names, [...this.#routes], this.#from, locked]);
    const typed = focusedIn(this.#rows);
    if (drawn === this.#drawn || (typed instanceof HTMLInputElement && typed.value !== typed.defaultValue)) return;
    this.#drawn = drawn;
    this.#draw(locked);
  }

  /** @param {boolean} locked */
  #draw(locked) {
    const focused = placeOf(focusedIn(this.#rows));
    const shown = this.#held.map((edge, at) => ({ edge, at })).filter(({ edge }) => !this.#from || edge.from === this.#from);
    const empty = this.#from ? "Nothing: the graph ends here." : "No edges: nothing is run. Add one from START.";
    replace(this.#rows, shown.length ? shown.map((row) => this.#row(row, locked)) : h("li.none", {}, empty));
    const words = this.#from ? this.#routes.get(this.#from) ?? [] : [...new Set([...this.#routes.values()].flat())];
    replace(this.#offers, [...words, ANY_OTHER].map((word) => h("option", { value: word })));
    this.#add.hidden = locked || !this.#names.length;
    const place = this.#added >= 0 ? { at: String(this.#added), part: this.#from ? "to" : "from" } : focused;
    this.#added = -1;
    if (place) this.#find(place)?.focus();
  }

  /**
   * @param {{ at: string; part: string }} place
   * @returns {HTMLElement | null}
   */
  #find({ at, part }) {
    const row = this.#rows.querySelector(`[data-at="${CSS.escape(at)}"]`) ?? this.#rows.lastElementChild;
    return row?.querySelector(`[data-part="${CSS.escape(part)}"]`) ?? this.#add;
  }

  /**
   * @param {{ edge: Edge; at: number }} row
   * @param {boolean} locked
   */
  #row({ edge, at }, locked) {
    const from = this.#from ? null : this.#choice(edge.from, [START, ...this.#names], "From", "from", locked);
    const to = this.#choice(edge.to, this.#names, "Then", "to", locked);
    const route = h("input", {
      type: "text",
      value: routeWord(edge.route),
      placeholder: "always",
      list: this.#offers.id,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": `By route, to ${edge.to}`,
      "data-part": "route",
      readonly: locked,
    });
    if (from) from.onchange = () => this.#put(at, { ...edge, from: from.value });
    to.onchange = () => this.#put(at, { ...edge, to: to.value });
    route.onchange = () => {
      route.defaultValue = route.value;
      this.#put(at, { ...edge, route: routeOf(route.value, edge.route) });
    };
    const label = `Remove the edge from ${edge.from} to ${edge.to}`;
    const remove = h(
      "button",
      { type: "button", title: label, "aria-label": label, "data-part": "remove", hidden: locked },
      "✕",
    );
    remove.onclick = () => this.#tell(this.#held.filter((_, one) => one !== at));
    return h(
      "li",
      { "data-at": at },
      from,
      h("span", { "aria-hidden": "true" }, "→"),
      to,
      h("span.by", {}, "by"),
      route,
      remove,
    );
  }

  /**
   * @param {string} value
   * @param {string[]} names
   * @param {string} label
   * @param {string} part
   * @param {boolean} locked
   */
  #choice(value, names, label, part, locked) {
    const select = h(
      "select",
      { "aria-label": label, "data-part": part, disabled: locked },
      h("option", { value }, value),
    );
    const fill = () => { // once it is gone to: sixty rows of sixty names take a second to draw
      if (select.options.length > 1) return;
      replace(select, [...new Set([...names, value])].map((name) => h("option", { value: name }, name)));
      select.value = value;
    };
    select.onfocus = fill;
    select.onpointerdown = fill;
    return select;
  }

  /** Adds an edge that is as likely as any: from where none leaves yet, to where none leads yet, by a route that is free. */
  #append() {
    const leaving = new Set(this.#held.map(({ from }) => from)), led = new Set(this.#held.map(({ to }) => to));
    const from = this.#from || [START, ...this.#names].find((name) => !leaving.has(name)) || START;
    const others = this.#names.filter((name) =>
      name !== from && !this.#held.some((edge) => edge.from === from && edge.to === name)
    );
    const to = others.find((name) => !led.has(name)) ?? others[0] ?? this.#names[0];
    const taken = this.#held.filter((edge) => edge.from === from).map(({ route }) => route);
    const route = (this.#routes.get(from) ?? []).find((option) => !taken.includes(option)) ?? null;
    this.#added = this.#held.length;
    this.#tell([...this.#held, { from, to, route }]);
  }

  /**
   * @param {number} at
   * @param {Edge} edge
   */
  #put(at, edge) {
    this.#tell(this.#held.map((held, one) => one === at ? edge : held));
  }

  /** @param {Edge[]} edges */
  #tell(edges) {
    this.#changed(edges.length ? edges.map((edge) => ({ ...edge })) : null);
  }
}

/**
 * The routes that a node says it gives.
 * @param {Agent} node
 */
function optionsOf({ fields }) {
  return Array.isArray(fields.options) ? fields.options.map(String) : [];
}

/** @param {Edge["route"]} route */
function routeWord(route) {
  return route === null ? "" : route === DEFAULT ? ANY_OTHER : String(route);
}

/**
 * What was typed as a route; the one before if it is written so: a number stays a number.
 * @param {string} typed
 * @param {Edge["route"]} before
 * @returns {Edge["route"]}
 */
function routeOf(typed, before) {
  const word = typed.trim();
  if (word === routeWord(before)) return before;
  return word === "" ? null : word === ANY_OTHER ? DEFAULT : word;
}

/** @param {Element | null} element */
function placeOf(element) {
  const at = element?.closest("[data-at]")?.getAttribute("data-at"), part = element?.getAttribute("data-part");
  return at && part ? { at, part } : null;
}
