// @ts-check
/** The edges of a graph: which of its nodes stand side by side, and what comes after them. */

import { h, setText } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { isWorkflow } from "../log/agent_tree.js";
import { times } from "./marks.js";

/** @import { AgentNode, Edges } from "../log/folds.d.ts" */
/** @import { NodeMark } from "./marks.js" */

const DEFAULT = "__DEFAULT__";
const MOST_NAMED = 6;

/**
 * The nodes of a graph in their order; those that stand between the same nodes, and run at once, in one group.
 * @param {AgentNode} graph
 * @returns {AgentNode[][]}
 */
export function groupsOf({ children = [], edges = {} }) {
  /** @type {Map<string, string>} */
  const before = new Map();
  for (const [from, nexts] of Object.entries(edges)) {
    for (const [to, routes] of nexts) before.set(to, `${before.get(to) ?? ""}${JSON.stringify([from, routes])}`);
  }
  /** @param {AgentNode} node */
  const place = (node) => isWorkflow(node) ? node.name : JSON.stringify([before.get(node.name), edges[node.name]]);
  /** @type {AgentNode[][]} */
  const groups = [];
  for (const child of children) {
    const last = groups.at(-1);
    if (last && place(last[0]) === place(child)) last.push(child);
    else groups.push([child]);
  }
  return groups;
}

/**
 * The lines below nodes: where their edges lead, by which route, and which one was taken. None where the next ones are
 * simply those that are drawn next.
 * @param {string} name
 * @param {Edges} edges
 * @param {AgentNode[]} following
 * @returns {NodeMark[]}
 */
export function createNext(name, edges, following) {
  const plain = edges.filter(([, routes]) => !routes.length).map(([to]) => to);
  const routed = edges.flatMap(([to, routes]) => routes.map((route) => ({ to, key: String(route) })));
  const known = new Set(routed.map(({ key }) => key));
  const marks = routed.map(({ to, key }) => createRoute(name, key, to, known));
  const isDrawnNext = plain.join() === following.map((node) => node.name).join();
  if (isDrawnNext && edges.length) return marks;
  return plain.length || !edges.length ? [...marks, createPlain(plain)] : marks;
}

/**
 * @param {string[]} names
 * @returns {NodeMark}
 */
function createPlain(names) {
  const few = names.length <= MOST_NAMED
    ? names
    : [...names.slice(0, MOST_NAMED - 1), `${names.length - MOST_NAMED + 1} more`];
  const text = names.length ? `then → ${few.join(", ")}` : "end";
  const title = names.length ? `then → ${names.join(", ")}` : "Nothing comes after it";
  return { element: h("div.via.next", { title }, h("span.reach", {}, text)), update: () => {} };
}

/**
 * @param {string} name
 * @param {string} key
 * @param {string} to
 * @param {Set<string>} known the routes of all edges: any other one takes the default
 * @returns {NodeMark}
 */
function createRoute(name, key, to, known) {
  const state = h("b.state");
  const tally = h("span.tally");
  const said = key === DEFAULT ? "any other" : key;
  const title = `${name} leads to ${to} by ${key === DEFAULT ? "any other route" : `the route ${key}`}`;
  const element = h("div.via.next", { title }, icon("choice"), h("span.reach", {}, `${said} → ${to}`), state, tally);
  /** @param {string} taken */
  const isIt = (taken) => taken === key || (key === DEFAULT && !known.has(taken));
  return {
    element,
    update({ routes }) {
      const { key: latest = null, counts = {} } = routes.get(`agent/${name}`) ?? {};
      const chosen = latest !== null && isIt(latest);
      element.dataset.look = chosen ? "chosen" : "";
      setText(state, chosen ? "✓" : "");
      const n = Object.entries(counts).reduce((sum, [taken, count]) => isIt(taken) ? sum + count : sum, 0);
      setText(tally, times(n));
    },
  };
}
