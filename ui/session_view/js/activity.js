/** Who works on what: agents, their model calls and tools, loops, routes, handovers. A fold over the log; knows no page. */

import { requestTo } from "./branches.js";

/** The error that ends a run at its limit of model calls: an end, not a failure of the agent. */
export const CALLS_LIMIT = "LLM_CALLS_LIMIT_EXCEEDED";

export function emptyActivity() {
  return {
    running: new Map(), seen: new Map(), models: new Map(), tools: new Map(), toolCounts: new Map(), loops: new Map(),
    routes: new Map(), // "agent/name" or "model/name" -> {key, failed, counts: {key: times chosen}}
    transfers: new Map(), // "from>to" -> times
    handed: null, // the latest of them in this run
    waiting: new Set(), // agents that wait for a person
    retrying: new Map(), // "agent/call" -> the last try of a model call that failed, while another one is made
    loading: new Map(), // models that are being loaded -> how far that is, from 0 to 1
    failed: new Set(), fresh: [], // who failed in this run, and who of them since the last event
  };
}

const bump = (map, key, by) => map.set(key, Math.max(0, (map.get(key) ?? 0) + by));

export function foldActivity(activity, { kind, body }) {
  const agent = body.agent;
  switch (kind) {
    case "event":
      foldEvent(activity, body);
      break;
    case "run_started":
      if (body.resumed) break;
      activity.loops.clear();
      activity.failed.clear();
      activity.waiting.clear();
      activity.handed = null;
      for (const [key, route] of activity.routes) activity.routes.set(key, { ...route, key: null, failed: [] });
      clearWork(activity);
      break;
    case "run_finished":
      clearWork(activity, body.status === "paused");
      break;
    case "agent_started":
      bump(activity.running, agent, 1);
      activity.waiting.delete(agent);
      break;
    case "agent_finished":
      bump(activity.running, agent, -1);
      if (body.outcome === "paused") activity.waiting.add(agent);
      else if (body.outcome === "error") fail(activity, agent);
      break;
    case "loop_iteration":
      activity.loops.set(agent, { iteration: body.iteration, max: body.max_iterations ?? null, open: true });
      break;
    case "loop_finished": {
      const loop = activity.loops.get(agent) ?? { iteration: body.iterations, max: null };
      activity.loops.set(agent, { ...loop, open: false, reason: body.reason });
      break;
    }
    case "model_started":
      bump(activity.models, agent, 1);
      break;
    case "model_finished":
      bump(activity.models, agent, -1);
      activity.retrying.delete(`${agent}/${body.call}`);
      break;
    case "model_retry":
      if (!body.replayed) activity.retrying.set(`${agent}/${body.call}`, { agent, model: body.model, attempt: body.attempt, delay: body.delay, code: body.code, at: body.timestamp });
      break;
    case "model_loading":
      activity.loading.set(body.model, body.progress ?? null);
      break;
    case "model_loaded":
      activity.loading.delete(body.model);
      break;
    case "tool_started":
      bump(activity.tools, `${agent}/${body.tool}`, 1);
      break;
    case "tool_finished":
      bump(activity.tools, `${agent}/${body.tool}`, -1);
      break;
    case "route_decided":
      foldRoute(activity, body);
      break;
    case "transfer":
      activity.handed = `${agent}>${body.to}`;
      bump(activity.transfers, activity.handed, 1);
      break;
  }
}

function foldEvent(activity, body) {
  if (!requestTo(body)) bump(activity.seen, body.author, 1);
  if (body.error_code === CALLS_LIMIT) for (const agent of activity.fresh) activity.failed.delete(agent);
  else if (body.error_code || body.error_message) activity.failed.add(body.author);
  if (activity.fresh.length) activity.fresh = [];
  for (const { function_call: call } of body.content?.parts ?? []) if (call) bump(activity.toolCounts, `${body.author}/${call.name}`, 1);
}

function fail(activity, agent) {
  if (!activity.failed.has(agent)) activity.fresh = [...activity.fresh, agent];
  activity.failed.add(agent);
}

function foldRoute(activity, { level, agent, router, key, failed }) {
  const name = `${level === "model" ? "model" : "agent"}/${agent || router}`;
  const counts = { ...activity.routes.get(name)?.counts };
  if (key != null) counts[key] = (counts[key] ?? 0) + 1;
  activity.routes.set(name, { key: key ?? null, failed: failed ?? [], counts });
}

/** A run that pauses keeps its place in its loops. */
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
