// @ts-check
/** The agent tree as lookups: each agent's stable colour and shape, its place, the agents below it. */

/** @import { AgentNode, Mark, TreeIndex } from "./folds.d.ts" */

const COLOURS = 10;
export const SHAPES = ["circle", "diamond", "up", "square", "down", "hexagon", "star", "pentagon", "cross"];

/**
 * @param {AgentNode | null} tree
 * @returns {TreeIndex} Agents by name in depth-first order. A name used twice keeps its first place.
 */
export function indexTree(tree) {
  const nodes = new Map();
  let leaves = 0;
  /**
   * @param {AgentNode} node
   * @param {number} depth
   * @param {string | null} parent
   */
  const walk = (node, depth, parent) => {
    const leaf = !isWorkflow(node);
    if (!nodes.has(node.name)) {
      const mark = leaf ? leaves++ : null;
      nodes.set(node.name, { node, depth, parent, leaf, mark });
    }
    for (const child of below(node)) walk(child, depth + 1, node.name);
  };
  if (tree) walk(tree, 0, null);
  const truthKey = [...nodes.values()].find(({ node }) => node.truth_key)?.node.truth_key ?? null;
  return { nodes, order: [...nodes.keys()], strangers: new Map(), leaves, truthKey, revision: tree?.revision ?? null };
}

/**
 * The agents below one: its own and those that it uses as tools.
 * @param {AgentNode} node
 * @returns {AgentNode[]}
 */
function below(node) {
  return [...(node.children ?? []), ...Object.values(node.agent_tools ?? {})];
}

/**
 * Workflow agents order others and say nothing themselves; they are drawn as what holds their children.
 * @param {AgentNode} node
 */
export function isWorkflow(node) {
  return ["SequentialAgent", "LoopAgent", "ParallelAgent", "RoutedAgent", "Workflow"].includes(node.kind ?? node.type);
}

/**
 * Colour (number) and shape (name) of an author. One that the tree does not know gets the next free pair, for good.
 * @param {TreeIndex} index
 * @param {string} name
 * @returns {Mark}
 */
export function markOf(index, name) {
  if (name === "user") return { colour: "user", shape: "person" };
  const known = index.nodes.get(name);
  if (known && known.mark == null) return { colour: "flow", shape: known.node.kind ?? known.node.type };
  const mark = known?.mark ?? strangersMark(index, name);
  // An agent that is not a model is code: its shape is drawn as an outline.
  return {
    colour: mark % COLOURS,
    shape: SHAPES[mark % SHAPES.length],
    hollow: known !== undefined && (known.node.kind ?? known.node.type) !== "LlmAgent",
  };
}

/**
 * @param {TreeIndex} index
 * @param {string} name
 */
function strangersMark({ strangers, leaves }, name) {
  const mark = strangers.get(name) ?? leaves + strangers.size;
  strangers.set(name, mark);
  return mark;
}

/**
 * An agent's own name and those of every agent below it.
 * @param {TreeIndex} index
 * @param {string} name
 */
export function namesUnder(index, name) {
  const names = new Set([name]);
  /** @param {AgentNode} node */
  const walk = (node) => {
    names.add(node.name);
    for (const child of below(node)) walk(child);
  };
  const found = index.nodes.get(name);
  if (found) walk(found.node);
  return names;
}

/**
 * @param {AgentNode | null} a
 * @param {AgentNode | null} b
 */
export function sameTree(a, b) {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
