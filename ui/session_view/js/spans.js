/** Trace records of one run as spans for the waterfall: agents, model calls, tools. Pure. */

/**
 * @returns {{spans: Array<{kind, name, agent, depth, start, end, open, seq, endSeq, outcome}>, start: number, end: number, pauses: Array<{at, waited}>}}
 *   Spans below the agent they belong to, of model calls with their `call` (the `model_finished`) and the `retries` before; an unfinished one ends at the last time seen. Times are in seconds since the
 *   epoch, but pauses take none: what comes after one is moved up to it. A pause that did not end has no `waited`.
 */
export function spansOf(log, run) {
  const fold = { roots: [], open: new Map(), paused: new Map(), agents: new Map(), pauses: [], gone: 0, last: run.started ?? 0 };
  for (let i = log.places.get(run.seq) ?? 0; i < log.entries.length; i++) {
    const { kind, seq, body } = log.entries[i];
    if (body.invocation_id !== run.invocation) continue;
    if (kind === "run_started" && body.resumed) endPause(fold, body);
    const at = body.timestamp - fold.gone;
    if (at > fold.last) fold.last = at;
    if (kind === "run_finished") {
      if (body.status !== "paused") break;
      fold.pauses.push({ at: fold.last, from: body.timestamp, waited: null });
    } else foldSpan(fold, kind, seq, body, at);
  }
  for (const stack of [...fold.open.values(), ...fold.paused.values()]) for (const span of stack) span.end = fold.last;
  return { spans: flattened(fold.roots), start: run.started ?? fold.roots[0]?.start ?? 0, end: fold.last, pauses: fold.pauses };
}

function endPause(fold, { timestamp }) {
  const pause = fold.pauses.at(-1);
  if (!pause || pause.waited != null) return;
  pause.waited = Math.max(0, timestamp - pause.from);
  fold.gone += pause.waited;
}

function foldSpan(fold, kind, seq, body, at) {
  if (kind === "model_retry" && !body.replayed) fold.open.get(spanKey("model_finished", body).key)?.at(-1)?.retries.push({ ...body, at });
  const made = spanKey(kind, body);
  if (!made) return;
  const branch = body.branch ?? "";
  if (made.begins) {
    const span = (body.resumed && fold.paused.get(made.key)?.pop()) || newSpan(fold, made.begins, body, seq, at);
    Object.assign(span, { end: null, endSeq: null, open: true, outcome: null });
    stackOf(fold.open, made.key).push(span);
    if (span.kind === "agent") stackOf(fold.agents, branch).push(span);
    return;
  }
  const span = fold.open.get(made.key)?.pop();
  if (!span) return;
  Object.assign(span, { end: at, endSeq: seq, open: false, outcome: body.outcome ?? (body.error ? (body.error === "cancelled" ? "stopped" : "error") : "ok"), reason: body.stop_reason, ...(span.kind === "model" && { call: body }) });
  if (span.kind !== "agent") return;
  fold.agents.set(branch, stackOf(fold.agents, branch).filter((other) => other !== span));
  if (body.outcome === "paused") stackOf(fold.paused, made.key).push(span);
}

function newSpan(fold, begins, { agent, branch }, seq, at) {
  const parent = innermost(fold.agents, branch ?? "");
  const span = { ...begins, agent, depth: parent ? parent.depth + 1 : 0, start: at, seq, children: [], retries: [] };
  (parent?.children ?? fold.roots).push(span);
  return span;
}

function spanKey(kind, body) {
  const branch = body.branch ?? "";
  switch (kind) {
    case "agent_started": return { key: `a/${branch}/${body.agent}`, begins: { kind: "agent", name: body.agent } };
    case "agent_finished": return { key: `a/${branch}/${body.agent}` };
    case "model_started": return { key: `m/${body.agent}/${body.call}`, begins: { kind: "model", name: body.model, turn: body.turn ?? null } };
    case "model_finished": return { key: `m/${body.agent}/${body.call}` };
    case "tool_started": return { key: `t/${branch}/${body.call_id}`, begins: { kind: "tool", name: body.tool } };
    case "tool_finished": return { key: `t/${branch}/${body.call_id}` };
    default: return null;
  }
}

function stackOf(map, key) {
  if (!map.has(key)) map.set(key, []);
  return map.get(key);
}

/** The agent at work in a branch, or in the nearest one around it. */
function innermost(agents, branch) {
  for (let at = branch; ; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const agent = agents.get(at)?.at(-1);
    if (agent || !at) return agent ?? null;
  }
}

function flattened(roots) {
  const all = [];
  const walk = (spans) => {
    for (const span of spans) {
      all.push(span);
      walk(span.children);
    }
  };
  walk(roots);
  return all;
}

/** The model call that produced an event: the latest one by its author that finished before it, in the same run. */
export function modelCallOf(log, entry) {
  const { invocation_id: invocation, author, branch } = entry.body;
  for (let i = log.places.get(entry.seq) + 1, step = 0; i < log.entries.length && step < 6; i++, step++) {
    // Some runtimes record the call's end right after the event it gave.
    const next = log.entries[i];
    if (next.kind === "event" || next.kind === "agent_finished" || next.kind === "model_started") break;
    if (isCall(next, invocation, author, branch)) return next.body;
  }
  for (let i = log.places.get(entry.seq) - 1; i >= 0; i--) {
    const before = log.entries[i];
    if (before.body.invocation_id !== invocation) break;
    if (before.kind === "event" && before.body.author === author && before.body.branch === branch) break;
    if (isCall(before, invocation, author, branch)) return before.body;
  }
  return null;
}

function isCall({ kind, body }, invocation, agent, branch) {
  return kind === "model_finished" && body.invocation_id === invocation && body.agent === agent && (body.branch ?? "") === (branch ?? "");
}

/** At most `most` spans around the one that holds `seq`, and how many are left out on either side. */
export function windowOf(spans, seq, most) {
  if (spans.length <= most) return { shown: spans, before: 0, after: 0 };
  let at = seq == null ? spans.length - 1 : 0;
  if (seq != null) spans.forEach((span, i) => span.seq <= seq && span.seq > spans[at].seq && (at = i));
  const from = Math.max(0, Math.min(at - Math.floor(most / 2), spans.length - most));
  return { shown: spans.slice(from, from + most), before: from, after: spans.length - from - most };
}
