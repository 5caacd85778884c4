// @ts-check
/** The order of agents in the tree: what is seen, what is beside what, and where an agent can be moved. */

/** @import { Agent, Kind, Spot } from "../types.d.ts" */

export class Order {
  /** @type {Map<string, Agent>} */
  #agents;
  /** @type {Map<string, Kind>} */
  #kinds;
  /** @type {Map<string, string[]>} */
  #children = new Map();
  /** @type {Set<string | null>} */
  #parents;

  /**
   * @param {Agent[]} agents
   * @param {Kind[]} kinds
   */
  constructor(agents, kinds) {
    this.#agents = new Map(agents.map((agent) => [agent.name, agent]));
    this.#kinds = new Map(kinds.map((kind) => [kind.class, kind]));
    this.#parents = new Set(agents.map(({ parent }) => parent));
    for (const { name, parent, called } of agents) {
      if (parent !== null && !called) this.#children.set(parent, [...this.children(parent), name]);
    }
  }

  /** @param {string} name */
  agent(name) {
    return this.#agents.get(name);
  }

  /** @param {string} name */
  kind(name) {
    return this.#kinds.get(this.#agents.get(name)?.kind ?? "");
  }

  /** @param {string} name */
  parent(name) {
    return this.#agents.get(name)?.parent ?? null;
  }

  /**
   * The agents that stand below an agent; not those that its model calls as tools.
   * @param {string} name
   */
  children(name) {
    return this.#children.get(name) ?? [];
  }

  /** @param {string} name */
  hasBelow(name) {
    return this.#parents.has(name);
  }

  /** @param {string} name */
  level(name) {
    return this.above(name).length + 1;
  }

  /**
   * The agents that an agent stands below, the nearest first; each once, whatever names a file gives.
   * @param {string} name
   */
  above(name) {
    const found = new Set();
    for (let at = this.parent(name); at !== null && !found.has(at); at = this.parent(at)) found.add(at);
    return [...found];
  }

  /**
   * The agents that are seen while some are folded.
   * @param {Set<string>} folded
   */
  visible(folded) {
    const hidden = new Set();
    return [...this.#agents.keys()].filter((name) => {
      const parent = this.parent(name);
      if (parent !== null && (hidden.has(parent) || folded.has(parent))) hidden.add(name);
      return !hidden.has(name);
    });
  }

  /**
   * Whether an agent stands below another one, or is it.
   * @param {string} name
   * @param {string} top
   */
  isWithin(name, top) {
    return name === top || this.above(name).includes(top);
  }

  /**
   * Whether an agent may have agents below it. An agent that is called as a tool, or whose class is not known, keeps what it has.
   * @param {string} name
   */
  mayHold(name) {
    const kind = this.kind(name);
    return kind !== undefined && !kind.node;
  }

  /**
   * Whether a kind may stand below an agent: nodes stand in graphs only.
   * @param {Kind | undefined} kind
   * @param {string} parent
   */
  fits(kind, parent) {
    return !kind?.node || this.kind(parent)?.class === "Workflow";
  }

  /**
   * Whether an agent may be moved, wrapped or removed: the first one is the team, and a tool's is named by the tool.
   * @param {string} name
   */
  mayMove(name) {
    const agent = this.#agents.get(name);
    return agent !== undefined && agent.parent !== null && !agent.called;
  }

  /**
   * Where a new agent can stand: below the agent, after it, or both; the usual place is the first.
   * @param {string} name
   * @returns {(Spot & { words: string })[]}
   */
  spots(name) {
    const inside = this.mayHold(name)
      ? [{ parent: name, position: this.children(name).length, words: `below ${name}` }]
      : [];
    const parent = this.parent(name);
    if (parent === null || !this.mayMove(name)) return inside;
    const after = { parent, position: this.children(parent).indexOf(name) + 1, words: `after ${name}` };
    return this.kind(name)?.holds ? [...inside, after] : [after, ...inside];
  }

  /**
   * Where a step moves an agent to; null if there is no such place. Positions count the agents without the moved one.
   * @param {string} name
   * @param {"up" | "down" | "out" | "in"} way
   * @returns {Spot | null}
   */
  step(name, way) {
    const parent = this.parent(name);
    if (parent === null || !this.mayMove(name)) return null;
    const siblings = this.children(parent);
    const at = siblings.indexOf(name);
    if (way === "up") return at > 0 ? { parent, position: at - 1 } : null;
    if (way === "down") return at < siblings.length - 1 ? { parent, position: at + 1 } : null;
    const kind = this.kind(name);
    if (way === "out") {
      const above = this.parent(parent);
      return above === null || !this.fits(kind, above)
        ? null
        : { parent: above, position: this.children(above).indexOf(parent) + 1 };
    }
    const before = siblings[at - 1];
    return before !== undefined && this.mayHold(before) && this.fits(kind, before)
      ? { parent: before, position: this.children(before).length }
      : null;
  }

  /**
   * Where an agent goes that is dropped on another one: above or below it, or among those below it; null if it cannot.
   * @param {string} name
   * @param {string} target
   * @param {"before" | "inside" | "after"} part
   * @returns {Spot | null}
   */
  drop(name, target, part) {
    if (!this.mayMove(name) || this.isWithin(target, name)) return null;
    const parent = part === "inside" ? target : this.parent(target);
    if (
      parent === null || !this.mayHold(parent) || !this.fits(this.kind(name), parent) ||
      (part !== "inside" && this.agent(target)?.called)
    ) return null;
    const others = this.children(parent).filter((child) => child !== name);
    if (part === "inside") return { parent, position: others.length };
    return { parent, position: others.indexOf(target) + (part === "after" ? 1 : 0) };
  }
}
