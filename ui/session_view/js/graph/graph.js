// @ts-check
/** The agent graph: the tree drawn as nested flows, lit by what happens. */

import { h, replace, setAttribute, setText } from "../../../browser/js/elements.js";
import { icon, markIcon } from "../dom/icons.js";
import { AGENT } from "../filters/agent.js";
import { isWorkflow, markOf } from "../log/agent_tree.js";
import { kindWord } from "../words/format.js";
import { breakable } from "../parts/names.js";
import { createNext, groupsOf } from "./edges.js";
import { createDecisions, createRouteMark, createToolMark, drawLoop } from "./marks.js";

/** @import { Filters } from "../filters/types.d.ts" */
/** @import { Activity, AgentNode, TreeIndex } from "../log/folds.d.ts" */
/** @import { NodeMark } from "./marks.js" */

/**
 * A node as it is drawn: the parts that change, and the tools inside it.
 * @typedef {object} Drawn
 * @property {AgentNode} node
 * @property {string} kind
 * @property {boolean} flow
 * @property {HTMLElement} button
 * @property {HTMLElement} about
 * @property {HTMLElement} dots
 * @property {HTMLElement} state
 * @property {HTMLElement} tally
 * @property {{ name: string; chip: HTMLElement }[]} tools
 * @property {NodeMark[]} marks
 */
/**
 * What there is to show: `live` is whether it happens now (a past moment is lit without a pulse), `filters` what the list is
 * narrowed to, `author` who wrote the selected event.
 * @typedef {{ activity: Activity; live: boolean; filters: Filters; author: string | null }} Moment
 */

/** Between two looks at where the node at work is: each makes the browser lay out the page. */
const FOLLOW_MS = 250;
/** Pixels between a node that is scrolled to and the border. */
const MARGIN = 60;

export class Graph {
  element = h("nav.graph", { "aria-label": "Agents" });
  /** @type {Drawn[]} */
  #nodes = [];
  /** @type {Drawn | null} The node that is scrolled to soon. */
  #followed = null;
  #onFilter;

  /** @param {(filter: string, choice: string) => void} onFilter called when a user clicks an agent */
  constructor(onFilter) {
    this.#onFilter = onFilter;
  }

  /**
   * @param {AgentNode | null} tree
   * @param {TreeIndex} index
   */
  setTree(tree, index) {
    this.#nodes = [];
    replace(this.element, tree && h("ul.flow.root", {}, this.#draw(tree, index)));
  }

  /** @param {Moment} moment */
  update(moment) {
    for (const drawn of this.#nodes) updateNode(drawn, moment);
    this.#follow(moment);
  }

  /**
   * Scrolls to the node that wrote the selected event, or else works or waits, unless the pointer is on the graph.
   * @param {Moment} moment
   */
  #follow({ activity, author }) {
    const place = this.#nodes.find(({ node }) => node.name === author) ??
      this.#nodes.findLast(({ node, flow }) => !flow && (activity.running.get(node.name) ?? 0) > 0) ??
      this.#nodes.find(({ node, flow }) => !flow && activity.waiting.has(node.name));
    if (!place || place === this.#followed) return;
    if (this.#followed === null) setTimeout(() => this.#scroll(), FOLLOW_MS);
    this.#followed = place;
  }

  #scroll() {
    const { element } = this, button = this.#followed?.button;
    this.#followed = null;
    const pane = element.getBoundingClientRect(), node = button?.getBoundingClientRect();
    if (!node?.height || element.matches(":hover")) return;
    if (node.top < pane.top) element.scrollTop += node.top - pane.top - MARGIN;
    else if (node.bottom > pane.bottom) element.scrollTop += node.bottom - pane.bottom + MARGIN;
  }

  /**
   * A node and all below it.
   * @param {AgentNode} node
   * @param {TreeIndex} index
   * @param {NodeMark | null} via the line above the node that says how it is reached, if not simply in its turn
   * @returns {HTMLElement}
   */
  #draw(node, index, via = null) {
    const drawn = this.#drawNode(node, index);
    const decisions = createDecisions(node.name);
    if (via) drawn.marks.push(via);
    drawn.marks.push(decisions);
    this.#nodes.push(drawn);
    const item = h(`li.agent.${drawn.flow ? "workflow" : "leaf"}`, {}, via?.element, drawn.button);
    if (drawn.tools.length) item.append(h("div.tools", {}, drawn.tools.map(({ chip }) => chip)));
    item.append(decisions.element);
    const children = node.edges
      ? this.#drawGraph(node, index, drawn.marks)
      : (node.children ?? []).map((child) => this.#draw(child, index, routeTo(node, child)));
    if (children.length) item.append(h(`ul.flow.${drawn.kind}`, {}, children));
    const used = Object.entries(node.agent_tools ?? {}).map(([tool, agent]) =>
      this.#draw(agent, index, createToolMark(node.name, tool, agent.name))
    );
    if (used.length) item.append(h("ul.flow.agent-tools", {}, used));
    return item;
  }

  /**
   * The nodes of a graph. Those that run at once stand side by side.
   * @param {AgentNode} graph
   * @param {TreeIndex} index
   * @param {NodeMark[]} marks gets those of the edges
   */
  #drawGraph(graph, index, marks) {
    const groups = groupsOf(graph);
    return groups.map((group, place) => {
      const next = createNext(group[0].name, graph.edges?.[group[0].name] ?? [], groups[place + 1] ?? []);
      marks.push(...next);
      const nodes = group.map((child) => this.#draw(child, index));
      const item = group.length > 1
        ? h("li", {}, h("div.via.next", {}, `${group.length} at once`), h("ul.flow.ParallelAgent.together", {}, nodes))
        : nodes[0];
      item.append(...next.map(({ element }) => element));
      return item;
    });
  }

  /**
   * @param {AgentNode} node
   * @param {TreeIndex} index
   * @returns {Drawn}
   */
  #drawNode(node, index) {
    const kind = node.kind ?? node.type;
    const mark = markOf(index, node.name);
    const state = h("span.state");
    const tally = h("span.tally");
    const dots = h("span.dots", { "aria-hidden": "true" });
    const isFunction = kind === "FunctionNode";
    const told = (kind === "LlmAgent" || isFunction) && node.description;
    const word = isFunction ? "" : kindWord(kind, node.type === node.name ? "" : node.type);
    const about = h("span.about", {}, told || word);
    const line = h("span.line", {}, about, kind === "LoopAgent" && dots, state, tally);
    const button = h(
      `button.node.c-${mark.colour}${told || word ? "" : ".bare"}`,
      {
        type: "button",
        "aria-pressed": "false",
        title: `${node.name}\n${describe(node)}`,
        onclick: () => this.#onFilter(AGENT.name, node.name),
      },
      h("span.glyph", {}, markIcon(mark)),
      h("span.label", {}, h("span.name", {}, breakable(node.name)), line),
    );
    const own = (node.tools ?? []).filter((name) => !(name in (node.agent_tools ?? {})));
    const tools = own.map((name) => ({
      name,
      chip: h("span.tool", { title: name }, icon("tool"), h("span.called", {}, breakable(name))),
    }));
    return { node, kind, flow: isWorkflow(node), button, about, dots, state, tally, tools, marks: [] };
  }
}

/**
 * @param {Drawn} drawn
 * @param {Moment} moment
 */
function updateNode(
  { node, kind, flow, button, about, dots, state, tally, tools, marks },
  { activity, live, filters, author },
) {
  const { name } = node;
  const active = (activity.running.get(name) ?? 0) > 0;
  const seen = activity.seen.get(name) ?? 0;
  const waits = !active && !flow && activity.waiting.has(name);
  const failed = activity.failed.has(name);
  button.classList.toggle("active", active);
  button.classList.toggle("pulse", active && live && !flow);
  button.classList.toggle("waits", waits);
  button.classList.toggle("failed", failed);
  button.classList.toggle("seen", seen > 0);
  button.classList.toggle("author", author === name);
  setAttribute(button, "aria-pressed", String(filters[AGENT.name] === name));
  const busy = active && !flow;
  setText(state, busy ? doing(activity, name, live) : waits ? "waits for you" : failed ? "failed" : "");
  setText(tally, flow || !seen ? "" : String(seen));
  setAttribute(tally, "title", seen ? `${seen} events` : null);
  if (kind === "LoopAgent") drawLoop(activity.loops.get(name), node, about, dots);
  for (const mark of marks) mark.update(activity);
  for (const { name: tool, chip } of tools) {
    chip.classList.toggle("active", (activity.tools.get(`${name}/${tool}`) ?? 0) > 0);
    chip.classList.toggle("seen", (activity.toolCounts.get(`${name}/${tool}`) ?? 0) > 0);
  }
}

/**
 * @param {AgentNode} node
 * @param {AgentNode} child
 */
function routeTo(node, child) {
  const route = Object.entries(node.routes ?? {}).find(([, name]) => name === child.name);
  return route ? createRouteMark(node.name, route[0], child.name) : null;
}

/**
 * @param {Activity} activity
 * @param {string} name
 * @param {boolean} live
 */
function doing(activity, name, live) {
  if (!live) return "here";
  const failed = [...activity.retrying.values()].find(({ agent }) => agent === name);
  if (failed) return `try ${(failed.attempt ?? 1) + 1}`;
  const tool = [...activity.tools].find(([key, n]) => n > 0 && key.startsWith(`${name}/`));
  if (tool) return tool[0].slice(name.length + 1);
  return (activity.models.get(name) ?? 0) > 0 ? "thinking" : "at work";
}

/** @param {AgentNode} node */
function describe(node) {
  const model = node.model ? ` · ${node.model}` : "";
  const targets = node.transfers?.length ? `\nMay hand over to ${node.transfers.join(", ")}` : "";
  return `${node.type}${model}${node.description ? `\n${node.description}` : ""}${targets}\nClick to see only its events`;
}
