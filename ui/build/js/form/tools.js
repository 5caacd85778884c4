// @ts-check
/** The tools that an agent's model may call, as checkboxes; other agents among them are added, and removed with what is below. */

import { focusedIn, h, replace, setAttribute } from "../../../browser/js/elements.js";
import { sameJson } from "../../../browser/js/json.js";

/** @import { Act, Agent, Changed, Control, Field, Given, Tool, ToolUse } from "../types.d.ts" */

/** @typedef {Tool & { agent?: Agent }} Offer a tool, with the agent that it calls */

/** @implements {Control} */
export class Tools {
  id = "field-tools";
  labelled = false;
  element;
  #changed;
  #act;
  #list;
  #add = h("button.insert", { type: "button", title: "Its model calls the agent like a function" }, "+ An agent as a tool");
  #drawn = "";
  /** @type {ToolUse[]} */
  #held = [];

  /**
   * @param {Field} field
   * @param {Changed} changed
   * @param {(act: Act) => void} act
   */
  constructor(field, changed, act) {
    this.#changed = changed;
    this.#act = act;
    this.#list = h("div.tools", { role: "group", "aria-label": field.label });
    this.element = h("div.writing", {}, this.#list, this.#add);
  }

  focus() {
    this.#list.querySelector("input")?.focus();
  }

  /** @param {string} note */
  describe(note) {
    setAttribute(this.#list, "aria-describedby", note);
  }

  /**
   * @param {ToolUse[] | null} held
   * @param {Given} given
   */
  update(held, { data, agent, locked }) {
    this.#held = held ?? [];
    const called = data.agents.filter((one) => one.called && one.parent === agent.name).values();
    const own = this.#held.filter((use) => !data.tools.some((tool) => sameJson(tool.use, use)));
    /** @type {Offer[]} */
    const offered = [...own.map((use) => ownTool(use, called)), ...data.tools];
    const drawn = JSON.stringify([offered, locked]);
    if (drawn !== this.#drawn) {
      const hadFocus = focusedIn(this.#list) !== null;
      replace(this.#list, offered.map((tool) => this.#box(tool, locked)));
      if (hadFocus) this.focus();
    }
    this.#drawn = drawn;
    this.#add.hidden = locked;
    this.#add.onclick = () => this.#act({ kind: "add", agent_class: "LlmAgent", parent: agent.name, as_tool: true });
    this.#list.querySelectorAll("input").forEach((box, at) => {
      box.checked = this.#held.some((use) => sameJson(use, offered[at].use));
    });
  }

  /**
   * @param {Offer} offer
   * @param {boolean} locked
   */
  #box({ label, about, use, agent }, locked) {
    const toggle = (/** @type {Event & { target: HTMLInputElement }} */ { target }) => {
      if (agent && !agent.problem) this.#act({ kind: "remove", agent: agent.name });
      else this.#toggle(use, target.checked);
    };
    const box = h("input", { type: "checkbox", disabled: locked, onchange: toggle });
    return h("label", { title: about || null }, box, h("span", {}, label));
  }

  /**
   * @param {ToolUse} use
   * @param {boolean} on
   */
  #toggle(use, on) {
    const rest = this.#held.filter((other) => !sameJson(other, use));
    const now = on ? [...rest, use] : rest;
    this.#changed(now.length ? now : null);
  }
}

/**
 * A tool that is not among those that are offered to all.
 * @param {ToolUse} use as it is written, which may be no tool
 * @param {Iterator<Agent>} called the agents that are tools, in their order
 * @returns {Offer}
 */
function ownTool(use, called) {
  const { name, args } = use ?? {};
  const agent = args?.agent != null ? called.next().value : undefined;
  if (agent) {
    return { label: `${agent.name} (an agent)`, about: "Taken out, it is removed with those below it.", use, agent };
  }
  const label = typeof name !== "string" ? JSON.stringify(use) : args ? `${name} ${JSON.stringify(args)}` : name;
  return { label, about: "", use };
}
