// @ts-check
/** The fields of the selected agent. What is typed stays in the browser until its field is left. */

import { h, replace, setText } from "../../../browser/js/elements.js";
import { sameJson } from "../../../browser/js/json.js";
import { control } from "./controls.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { Outbox } from "../outbox.js" */
/** @import { Agent, Control, Data, Field, Kind } from "../types.d.ts" */

/** @type {Field} */
const NAME = {
  name: "name",
  label: "Name",
  kind: "line",
  help: "Letters, digits and _. Other agents and rules know it by this.",
  folded: false,
  choices: [],
};

/** @type {Field} */
const THEN = {
  name: "then",
  label: "Then",
  kind: "edges",
  help: "What is run after this node. An edge with a route is followed if the node gives that route.",
  folded: false,
  choices: [],
};

/** @typedef {{ field: Field; control: Control; note: HTMLElement; box: HTMLElement }} Drawn */

export class Form {
  element = h("div.form", { role: "group", "aria-label": "Fields of the agent" });
  /** @type {Map<string, Drawn>} */
  #drawn = new Map();
  #title = h("div.title", {});
  #problem = h("p.problem", { role: "status" });
  #others = h("p.note");
  #shown = "";
  #outbox;
  /** @type {Agent | undefined} */
  #agent;
  /** @type {Agent | undefined} the graph that the agent is a node of */
  #graph;

  /** @param {Outbox} outbox */
  constructor(outbox) {
    this.#outbox = outbox;
  }

  /**
   * Draws the fields of an agent, which stay the same elements until another one is shown.
   * @param {Data} data
   * @param {string} selected
   */
  draw(data, selected) {
    const agent = this.#agent = data.agents.find(({ name }) => name === selected);
    const kind = data.kinds.find((one) => one.class === agent?.kind);
    const graph = graphAround(data, agent);
    const shown = agent ? `${agent.file || agent.name}\n${agent.kind}\n${graph ? "node" : ""}` : "";
    if (shown !== this.#shown) this.#build(agent, kind, graph !== undefined);
    this.#shown = shown;
    if (!agent) return;
    setText(this.#problem, agent.problem);
    this.#problem.hidden = !agent.problem;
    for (const drawn of this.#drawn.values()) this.#update(data, agent, drawn);
    const others = Object.keys(agent.fields).filter((name) => !this.#drawn.has(name));
    this.#graph = graph;
    setText(this.#others, others.length ? `Also in the file: ${others.join(", ")}.` : "");
    this.#others.hidden = !others.length;
  }

  /**
   * Leads to a field.
   * @param {string} name
   */
  focus(name) {
    const place = name === "edges" && !this.#drawn.has(name) ? THEN.name : name;
    const drawn = this.#drawn.get(place) ?? this.#drawn.get("instruction") ?? this.#drawn.get("name");
    const folded = drawn?.box.closest("details");
    if (folded) folded.open = true;
    drawn?.control.focus();
    drawn?.box.scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {Agent | undefined} agent
   * @param {Kind | undefined} kind
   * @param {boolean} isNode whether it is a node of a graph
   */
  #build(agent, kind, isNode) {
    this.#drawn.clear();
    if (!agent) return replace(this.element, h("p.note", {}, "There is no agent here."));
    const fields = [NAME, ...(kind?.fields ?? []), ...(isNode ? [THEN] : [])];
    const folded = fields.filter((field) => field.folded);
    replace(
      this.#title,
      h("span", {}, kind ? `${kind.sign} ${kind.label}` : "◇ a class of the team's own"),
      h("span.file", {}, agent.file),
    );
    replace(
      this.element,
      this.#title,
      this.#problem,
      fields.filter((field) => !field.folded).map((field) => this.#field(field)),
      folded.length > 0 && h("details.more", {}, h("summary", {}, "More fields"), folded.map((field) => this.#field(field))),
      this.#others,
    );
  }

  /** @param {Field} field */
  #field(field) {
    const set = (/** @type {Json} */ value) =>
      field === THEN ? this.#set(this.#graph, "edges", value) : this.#set(this.#agent, field.name, value);
    const made = control(field, set, (act) => this.#outbox.add(act));
    const note = h("p.note", { id: `note-${field.name}` });
    made.describe(note.id);
    const label = made.labelled
      ? h("label", { for: made.id, title: field.help || null }, field.label)
      : h("span.label", { title: field.help || null }, field.label);
    const box = h("div.field", { "data-field": field.name }, label, made.element, note);
    this.#drawn.set(field.name, { field, control: made, note, box });
    return box;
  }

  /**
   * @param {Data} data
   * @param {Agent} agent
   * @param {Drawn} drawn
   */
  #update(data, agent, { field, control, note, box }) {
    const graph = field === THEN ? graphAround(data, agent) : agent;
    if (!graph) return;
    const name = field === THEN ? "edges" : field.name;
    const typed = this.#outbox.typed(graph.name, name);
    const locked = data.locked || Boolean(agent.problem || graph.problem);
    control.update(typed ? typed.value : heldBy(graph, name), { data, agent, locked, graph });
    const found = data.findings.filter((one) => one.agent === agent.name && one.field === name);
    const refused = typed?.text ? `Not saved: ${typed.text}` : "";
    setText(note, [refused, ...found.map(({ text }) => text)].filter(Boolean).join("\n"));
    note.hidden = !note.textContent;
    box.dataset.level = refused || found.some(({ level }) => level === "error") ? "error" : found.length ? "warning" : "";
  }

  /**
   * @param {Agent | undefined} agent
   * @param {string} field
   * @param {Json} value null removes the field
   */
  #set(agent, field, value) {
    if (!agent) return;
    if (sameJson(value, heldBy(agent, field)) && !this.#outbox.typed(agent.name, field)) return;
    this.#outbox.add({ kind: "set", agent: agent.name, field, value });
  }
}

/**
 * What the file says in a field; null for nothing.
 * @param {Agent} agent
 * @param {string} field
 * @returns {Json}
 */
function heldBy(agent, field) {
  if (field === "name") return agent.name;
  return (field === "tools" ? agent.tools.length ? agent.tools : null : agent.fields[field]) ?? null;
}

/**
 * The graph that an agent is a node of.
 * @param {Data} data
 * @param {Agent | undefined} agent
 */
function graphAround(data, agent) {
  const above = agent && !agent.called ? data.agents.find(({ name }) => name === agent.parent) : undefined;
  return above?.kind === "Workflow" ? above : undefined;
}
