// @ts-check
/** Who works on what: agents, their model calls and tools, loops, routes, handovers. A fold over the log. */

import { requestTo } from "../branches.js";
import { CALLS_LIMIT, hasError } from "../failures.js";

/** @import { Entry, EventBody, RouteDecided } from "../entries.d.ts" */
/** @import { Activity } from "../folds.d.ts" */

/** @returns {Activity} */
export function emptyActivity() {
  return {
    running: new Map(),
    seen: new Map(),
    models: new Map(),
    tools: new Map(),
    toolCounts: new Map(),
    loops: new Map(),
    routes: new Map(),
    transfers: new Map(),
    handed: null,
    waiting: new Set(),
    retrying: new Map(),
    loading: new Map(),
    failed: new Set(),
    fresh: [],
  };
}

/**
 * @param {Map<string, number>} map
 * @param {string} key
 * @param {number} by
 */
const bump = (map, key, by) => map.set(key, Math.max(0, (map.get(key) ?? 0) + by));

/**
 * @param {Activity} activity
 * @param {Entry} entry
 */
export function foldActivity(activity, entry) {
  const { kind, body } = entry;
  switch (kind) {
    case "event":
      return foldEvent(activity, body);
    case "run_started":
      return body.resumed ? undefined : startRun(activity);
    case "run_finished":
      return clearWork(activity, body.status === "paused");
    case "route_decided":
      return foldRoute(activity, body);
    case "transfer":
      activity.handed = `${body.agent}>${body.to}`;
      return bump(activity.transfers, activity.handed, 1);
    default:
      foldAgent(activity, entry);
      foldCall(activity, entry);
  }
}

/** @param {Activity} activity */
function startRun(activity) {
  activity.loops.clear();
  activity.failed.clear();
  activity.waiting.clear();
  activity.handed = null;
  for (const [key, route] of activity.routes) activity.routes.set(key, { ...route, key: null, failed: [] });
  clearWork(activity);
}

/**
 * Agents and their loops.
 * @param {Activity} activity
 * @param {Entry} entry
 */
function foldAgent(activity, { kind, body }) {
  switch (kind) {
    case "agent_started":
      bump(activity.running, body.agent, 1);
      activity.waiting.delete(body.agent);
      break;
    case "agent_finished":
      bump(activity.running, body.agent, -1);
      if (body.outcome === "paused") activity.waiting.add(body.agent);
      else if (body.outcome === "error") fail(activity, body.agent);
      else if (body.node) activity.failed.delete(body.agent); // it was run again
      break;
    case "loop_iteration":
      activity.loops.set(body.agent, { iteration: body.iteration, max: body.max_iterations ?? null, open: true });
      break;
    case "loop_finished": {
      const loop = activity.loops.get(body.agent) ?? { iteration: body.iterations, max: null };
      activity.loops.set(body.agent, { ...loop, open: false, reason: body.reason });
    }
  }
}

/**
 * Calls of models and tools.
 * @param {Activity} activity
 * @param {Entry} entry
 */
function foldCall(activity, { kind, body }) {
  switch (kind) {
    case "model_started":
      bump(activity.models, body.agent, 1);
      break;
    case "model_finished":
      bump(activity.models, body.agent, -1);
      activity.retrying.delete(`${body.agent}/${body.call}`);
      break;
    case "model_retry": {
      const { agent, model, attempt, delay, code, timestamp: at } = body;
      if (!body.replayed) activity.retrying.set(`${agent}/${body.call}`, { agent, model, attempt, delay, code, at });
      break;
    }
    case "model_loading":
      activity.loading.set(body.model, body.progress ?? null);
      break;
    case "model_loaded":
      activity.loading.delete(body.model);
      break;
    case "tool_started":
      bump(activity.tools, `${body.agent}/${body.tool}`, 1);
      break;
    case "tool_finished":
      bump(activity.tools, `${body.agent}/${body.tool}`, -1);
  }
}

/**
 * @param {Activity} activity
 * @param {EventBody} body
 */
function foldEvent(activity, body) {
  if (!requestTo(body)) bump(activity.seen, body.author, 1);
  if (body.error_code === CALLS_LIMIT) { for (const agent of activity.fresh) activity.failed.delete(agent); }
  else if (hasError(body)) activity.failed.add(body.author);
  if (activity.fresh.length) activity.fresh = [];
  for (const route of [body.actions?.route ?? []].flat()) {
    foldRoute(activity, { level: "agent", agent: body.author, key: String(route) });
  }
  for (const { function_call: call } of body.content?.parts ?? []) {
    if (call) bump(activity.toolCounts, `${body.author}/${call.name}`, 1);
  }
}

/**
 * @param {Activity} activity
 * @param {string} agent
 */
function fail(activity, agent) {
  if (!activity.failed.has(agent)) activity.fresh = [...activity.fresh, agent];
  activity.failed.add(agent);
}

/**
 * @param {Activity} activity
 * @param {Pick<RouteDecided, "level" | "agent" | "router" | "key" | "failed">} decision
 */
function foldRoute(activity, { level, agent, router, key, failed }) {
  const name = `${level === "model" ? "model" : "agent"}/${agent || router}`;
  const counts = { ...activity.routes.get(name)?.counts };
  if (key != null) counts[key] = (counts[key] ?? 0) + 1;
  activity.routes.set(name, { key: key ?? null, failed: failed ?? [], counts });
}

/**
 * A run that pauses keeps its place in its loops.
 * @param {Activity} activity
 * @param {boolean} pausing
 */
export function clearWork(activity, pausing = false) {
  activity.running.clear();
  activity.models.clear();
  activity.tools.clear();
  activity.retrying.clear();
  activity.loading.clear();
  if (pausing) return;
  activity.waiting.clear();
  for (const [agent, loop] of activity.loops) if (loop.open) activity.loops.set(agent, { ...loop, open: false });
}
