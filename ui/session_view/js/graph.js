/** The agent graph: the tree drawn as nested flows, lit by what happens. Knows the tree and an activity, not the log. */

import { h, icon, markIcon, replace, setAttribute, setText } from "./dom.js";
import { kindWord } from "./format.js";
import { createDecisions, createRouteMark, createToolMark, drawLoop } from "./graph_marks.js";
import { isWorkflow, markOf } from "./tree.js";

/** @param onPick called with an agent's name when a person clicks it */
export function createGraph({ onPick }) {
  const element = h("nav.graph", { "aria-label": "Agents" });
  let index = null;
  let nodes = [];

  function setTree(tree, nextIndex) {
    index = nextIndex;
    nodes = [];
    replace(element, tree && h("ul.flow.root", {}, drawNode(tree)));
  }

  /** @param via the line above the node that says how it is reached, if not simply in its turn */
  function drawNode(node, via = null) {
    const flow = isWorkflow(node);
    const kind = node.kind ?? node.type;
    const mark = markOf(index, node.name);
    const state = h("span.state");
    const tally = h("span.tally");
    const dots = kind === "LoopAgent" ? h("span.dots", { "aria-hidden": "true" }) : null;
    const about = h("span.about", {}, kind === "LlmAgent" && node.description ? node.description : kindWord(kind, node.type === node.name ? "" : node.type));
    const button = h(`button.node.c-${mark.colour}`, { type: "button", "aria-pressed": "false", title: describe(node), onclick: () => onPick(node.name) },
      h("span.glyph", {}, markIcon(mark)),
      h("span.label", {}, h("span.name", {}, breakable(node.name)), h("span.line", {}, about, dots, state, tally)));
    const inner = Object.entries(node.agent_tools ?? {});
    const tools = (node.tools ?? []).filter((name) => !(name in (node.agent_tools ?? {}))).map((name) => ({ name, chip: h("span.tool", {}, icon("tool"), name) }));
    const decisions = createDecisions(node.name);
    nodes.push({ node, kind, flow, button, about, dots, state, tally, tools, marks: [via, decisions].filter(Boolean) });
    const item = h(`li.agent.${flow ? "workflow" : "leaf"}`, {}, via?.element, button);
    if (tools.length) item.append(h("div.tools", {}, tools.map(({ chip }) => chip)));
    item.append(decisions.element);
    if (node.children?.length) item.append(h(`ul.flow.${kind}`, {}, node.children.map((child) => drawNode(child, routeTo(node, child)))));
    if (inner.length) item.append(h("ul.flow.agent-tools", {}, inner.map(([tool, agent]) => drawNode(agent, createToolMark(node.name, tool, agent.name)))));
    return item;
  }

  function routeTo(node, child) {
    const route = Object.entries(node.routes ?? {}).find(([, name]) => name === child.name);
    return route ? createRouteMark(node.name, route[0], child.name) : null;
  }

  /**
   * @param activity what `activityAt` gives
   * @param live whether it is happening now; a past moment is lit without a pulse
   * @param picked the agent that the list is narrowed to, or null
   * @param author who wrote the selected event, or null
   */
  function update({ activity, live, picked, author }) {
    for (const { node, kind, flow, button, about, dots, state, tally, tools, marks } of nodes) {
      const active = (activity.running.get(node.name) ?? 0) > 0;
      const seen = activity.seen.get(node.name) ?? 0;
      button.classList.toggle("active", active);
      button.classList.toggle("pulse", active && live && !flow);
      const waits = !active && !flow && activity.waiting.has(node.name);
      button.classList.toggle("waits", waits);
      button.classList.toggle("failed", activity.failed.has(node.name));
      button.classList.toggle("seen", seen > 0);
      button.classList.toggle("author", author === node.name);
      setAttribute(button, "aria-pressed", String(picked === node.name));
      setText(state, active && !flow ? doing(activity, node.name, live) : waits ? "waits for you" : activity.failed.has(node.name) ? "failed" : "");
      setText(tally, flow || !seen ? "" : String(seen));
      setAttribute(tally, "title", seen ? `${seen} events` : null);
      if (kind === "LoopAgent") drawLoop(activity.loops.get(node.name), node, about, dots);
      for (const mark of marks) mark.update(activity);
      for (const { name, chip } of tools) {
        chip.classList.toggle("active", (activity.tools.get(`${node.name}/${name}`) ?? 0) > 0);
        chip.classList.toggle("seen", (activity.toolCounts.get(`${node.name}/${name}`) ?? 0) > 0);
      }
    }
  }

  return { element, setTree, update };
}

/** A name that may break between its words: InitialWriter|Agent, initial_|writer. */
function breakable(name) {
  return name.split(/(?<=_)|(?<=[a-z0-9])(?=[A-Z])/).flatMap((word, i) => (i ? [h("wbr"), word] : [word]));
}

function doing(activity, name, live) {
  if (!live) return "here";
  const failed = activity.retrying.size > 0 && [...activity.retrying.values()].find(({ agent }) => agent === name);
  if (failed) return `try ${(failed.attempt ?? 1) + 1}`;
  const tool = [...activity.tools].find(([key, n]) => n > 0 && key.startsWith(`${name}/`));
  if (tool) return tool[0].slice(name.length + 1);
  return (activity.models.get(name) ?? 0) > 0 ? "thinking" : "at work";
}

function describe(node) {
  const model = node.model ? ` · ${node.model}` : "";
  const targets = node.transfers?.length ? `\nMay hand over to ${node.transfers.join(", ")}` : "";
  return `${node.type}${model}${node.description ? `\n${node.description}` : ""}${targets}\nClick to see only its events`;
}
