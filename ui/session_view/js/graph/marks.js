// @ts-check
/** What stands beside a node of the agent graph: passes of a loop, routes, handovers. */

import { h, replace, setText } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";

/** @import { Activity, AgentNode, Loop, Route } from "../log/folds.d.ts" */
/** @typedef {{ element: HTMLElement; update: (activity: Activity) => void }} NodeMark */

/**
 * How often, as it stands beside a name.
 * @param {number} n
 */
export function times(n) {
  return n > 0 ? `${n}×` : "";
}

/**
 * @param {Loop | undefined} loop
 * @param {AgentNode} node
 * @param {HTMLElement} about
 * @param {HTMLElement} dots
 */
export function drawLoop(loop, node, about, dots) {
  const most = loop ? loop.max : node.max_iterations ?? null;
  setText(about, loop ? `iteration ${loop.iteration}${most ? ` / ${most}` : ""}` : most ? `loop, at most ${most}` : "loop");
  const shown = most && most <= 12 ? most : 0;
  if (dots.children.length !== shown) dots.replaceChildren(...Array.from({ length: shown }, () => h("i")));
  [...dots.children].forEach((dot, i) => {
    dot.className = !loop || i >= loop.iteration ? "" : loop.open && i === loop.iteration - 1 ? "now" : "done";
  });
}

/**
 * The line above an agent that a router may choose: its key, whether it is the one, how often it was.
 * @param {string} router
 * @param {string} key
 * @param {string} child
 * @returns {NodeMark}
 */
export function createRouteMark(router, key, child) {
  const state = h("b.state");
  const tally = h("span.tally");
  const element = h(
    "div.via.route",
    { title: `${router} may choose ${child} by the key ${key}` },
    icon("choice"),
    h("span.reach", {}, key === child ? "route" : key),
    state,
    tally,
  );
  return {
    element,
    update({ routes }) {
      const route = routes.get(`agent/${router}`);
      const look = route?.key === key ? "chosen" : route?.failed.includes(key) ? "failed" : "";
      element.dataset.look = look;
      setText(state, look === "chosen" ? "✓ chosen" : look === "failed" ? "✕ failed" : "");
      setText(tally, times(route?.counts[key] ?? 0));
    },
  };
}

/**
 * The line above an agent that another one uses as a tool: how often it was called.
 * @param {string} owner
 * @param {string} tool
 * @param {string} agent
 * @returns {NodeMark}
 */
export function createToolMark(owner, tool, agent) {
  const tally = h("span.tally");
  const element = h(
    "div.via.as-tool",
    { title: `${owner} calls ${agent} as a tool` },
    icon("tool"),
    h("span.reach", {}, tool === agent ? "as a tool" : `as the tool ${tool}`),
    h("b.state"),
    tally,
  );
  return { element, update: ({ toolCounts }) => setText(tally, times(toolCounts.get(`${owner}/${tool}`) ?? 0)) };
}

/**
 * Below an agent: to whom it handed over, and which of several models its router chose.
 * @param {string} name
 * @returns {NodeMark}
 */
export function createDecisions(name) {
  const element = h("div.decisions");
  let drawn = "";
  return {
    element,
    update({ transfers, handed, routes }) {
      const chips = [...transfersOf(name, transfers, handed), ...modelsOf(routes.get(`model/${name}`))];
      const stamp = JSON.stringify(chips);
      if (stamp === drawn) return;
      drawn = stamp;
      replace(
        element,
        chips.map(({ sign, text, n, look, title }) =>
          h(`span.decision${look ? `.${look}` : ""}`, { title }, icon(sign), text, h("span.tally", {}, times(n)))
        ),
      );
    },
  };
}

/**
 * @param {string} name
 * @param {Map<string, number>} transfers
 * @param {string | null} handed
 */
function transfersOf(name, transfers, handed) {
  const found = [];
  for (const [key, n] of transfers) {
    const [from, to] = key.split(">");
    if (from === name) {
      found.push({
        sign: "handover",
        text: to,
        n,
        look: key === handed ? "latest" : "",
        title: `Handed over to ${to}, ${times(n)}${key === handed ? ", latest" : ""}`,
      });
    }
  }
  return found;
}

/** @param {Route | undefined} route */
function modelsOf(route) {
  if (!route) return [];
  return [...new Set([...Object.keys(route.counts), ...route.failed])].map((key) => {
    const failed = route.failed.includes(key);
    const said = key === route.key ? "chosen" : failed ? "failed" : "chosen before";
    return {
      sign: key === route.key ? "choice" : failed ? "cross_out" : "choice",
      text: key,
      n: route.counts[key] ?? 0,
      look: key === route.key ? "latest" : failed ? "failed" : "",
      title: `Model ${key}, ${said}`,
    };
  });
}
