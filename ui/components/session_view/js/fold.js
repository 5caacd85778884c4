/**
 * The log folded into what it means: state with its writers, runs, who is at work, where each loop stands.
 * Everything here is a function of a prefix of the log. Knows nothing of the page, the socket or the wording.
 */

/** So many entries are folded in a few milliseconds. */
export const SNAPSHOT_EVERY = 2048;

/** An empty log; `append` fills it. */
export function emptyLog() {
  return {
    entries: [],
    places: new Map(), // seq -> place in entries
    ordinals: new Map(), // seq -> 1-based number among the events
    lastSeq: 0,
    events: 0,
    runs: [],
    state: new Map(),
    activity: emptyActivity(),
    writing: [], // the entries that write to state
    snapshots: [], // copies of the activity, one every so many entries
  };
}

/** Adds entries in order and returns those that were new: an entry seen before changes nothing. */
export function append(log, entries) {
  const added = [];
  for (const entry of entries) {
    if (!(entry.seq > log.lastSeq)) continue;
    log.places.set(entry.seq, log.entries.length);
    log.entries.push(entry);
    log.lastSeq = entry.seq;
    if (entry.kind === "event") log.ordinals.set(entry.seq, ++log.events);
    if (writes(entry).length) log.writing.push(entry);
    foldState(log.state, entry);
    foldActivity(log.activity, entry);
    if (log.entries.length % SNAPSHOT_EVERY === 0) log.snapshots.push(structuredClone(log.activity));
    foldRuns(log.runs, entry);
    added.push(entry);
  }
  return added;
}

export function entryAt(log, seq) {
  const place = log.places.get(seq);
  return place === undefined ? null : log.entries[place];
}

/** What an entry writes to state, as [key, value] pairs. */
export function writes(entry) {
  const { kind, body } = entry;
  const delta =
    kind === "event" ? body.actions?.state_delta : kind === "session_created" ? body.state : kind === "run_started" ? body.shared : null;
  return Object.entries(delta ?? {}).filter(([key]) => !key.startsWith("temp:"));
}

function foldState(state, entry) {
  for (const [key, value] of writes(entry)) {
    const held = state.get(key);
    // A run repeats what it saw of the shared scopes: only a difference means that another session wrote it.
    if (entry.kind === "run_started" && held && sameJson(held.value, value)) continue;
    state.set(key, { value, seq: entry.seq, author: entry.kind === "event" ? entry.body.author : "", kind: entry.kind });
  }
}

export function sameJson(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/**
 * State after the entry `seq` (null: after the last one), and what that entry changed.
 * @returns {{state: Map, changes: Array<{key, before, after, had, same}>}}
 */
export function stateAt(log, seq) {
  if (seq == null) return { state: log.state, changes: [] };
  const state = new Map();
  let changes = [];
  for (const entry of log.writing) {
    if (entry.seq > seq) break;
    if (entry.seq === seq && entry.kind === "event") {
      changes = writes(entry).map(([key, after]) => {
        const held = state.get(key);
        return { key, before: held?.value, after, had: held !== undefined, same: held !== undefined && sameJson(held.value, after) };
      });
    }
    foldState(state, entry);
  }
  return { state, changes };
}

/** State keys by scope, sorted: `[{scope: "session" | "user" | "app", items: [{key, name, ...held}]}]`. */
export function byScope(state) {
  const groups = { session: [], user: [], app: [] };
  for (const [key, held] of state) {
    const scope = key.startsWith("user:") ? "user" : key.startsWith("app:") ? "app" : "session";
    groups[scope].push({ key, name: scope === "session" ? key : key.slice(scope.length + 1), ...held });
  }
  return Object.entries(groups).map(([scope, items]) => ({ scope, items: items.sort((a, b) => (a.name < b.name ? -1 : 1)) }));
}

/** Who works on what: agents, their model calls and tools, and the loops' positions. */
export function emptyActivity() {
  return { running: new Map(), seen: new Map(), models: new Map(), tools: new Map(), toolCounts: new Map(), loops: new Map(), failed: new Set() };
}

/** The activity after the entry `seq`; null gives the latest. */
export function activityAt(log, seq) {
  if (seq == null) return log.activity;
  const known = Math.floor(((log.places.get(seq) ?? -1) + 1) / SNAPSHOT_EVERY);
  const activity = known ? structuredClone(log.snapshots[known - 1]) : emptyActivity();
  for (let i = known * SNAPSHOT_EVERY; i < log.entries.length && log.entries[i].seq <= seq; i++) foldActivity(activity, log.entries[i]);
  return activity;
}

const bump = (map, key, by) => map.set(key, Math.max(0, (map.get(key) ?? 0) + by));

function foldActivity(activity, { kind, body }) {
  const agent = body.agent;
  switch (kind) {
    case "event":
      bump(activity.seen, body.author, 1);
      if (body.error_code || body.error_message) activity.failed.add(body.author);
      for (const { function_call: call } of body.content?.parts ?? []) if (call) bump(activity.toolCounts, `${body.author}/${call.name}`, 1);
      break;
    case "run_started":
      activity.loops.clear();
      activity.failed.clear();
      clearWork(activity);
      break;
    case "run_finished":
      clearWork(activity);
      break;
    case "agent_started":
      bump(activity.running, agent, 1);
      break;
    case "agent_finished":
      bump(activity.running, agent, -1);
      if (body.outcome === "error") activity.failed.add(agent);
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
      break;
    case "tool_started":
      bump(activity.tools, `${agent}/${body.tool}`, 1);
      break;
    case "tool_finished":
      bump(activity.tools, `${agent}/${body.tool}`, -1);
      break;
  }
}

function clearWork(activity) {
  activity.running.clear();
  activity.models.clear();
  activity.tools.clear();
  for (const [agent, loop] of activity.loops) if (loop.open) activity.loops.set(agent, { ...loop, open: false });
}

function foldRuns(runs, { kind, seq, body }) {
  if (kind === "run_started") {
    const open = runs.at(-1);
    if (open && open.status === "running") open.status = "interrupted";
    runs.push({
      number: runs.length + 1, invocation: body.invocation_id, seq, started: body.timestamp,
      model: body.model, simulated: Boolean(body.simulated), status: "running", tokens: { input: 0, output: 0 }, calls: 0,
    });
  }
  const run = runs.at(-1);
  if (!run) return;
  if (kind === "model_finished" && run.status === "running") {
    run.calls += 1;
    run.tokens.input += body.usage?.input ?? 0;
    run.tokens.output += body.usage?.output ?? 0;
  } else if (kind === "run_finished" && run.status === "running") {
    run.status = body.status;
    run.endSeq = seq;
    run.duration = body.duration ?? (body.timestamp && run.started ? body.timestamp - run.started : null);
    if (body.tokens) run.tokens = body.tokens;
    if (body.calls != null) run.calls = body.calls;
  }
}

/** "idle" before the first run, else the last run's status: running, completed, stopped, failed, interrupted. */
export function runStatus(log) {
  return log.runs.at(-1)?.status ?? "idle";
}

/** The run that an entry belongs to, or null. */
export function runOf(log, entry) {
  const invocation = entry?.body.invocation_id;
  return log.runs.findLast((run) => run.invocation === invocation) ?? null;
}
