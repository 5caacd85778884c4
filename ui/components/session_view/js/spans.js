/** Trace records of one run as spans for the waterfall: agents, model calls, tools. Pure. */

/**
 * @returns {{spans: Array<{kind, name, agent, depth, start, end, open, seq, endSeq, outcome}>, start: number, end: number}}
 *   Spans below the agent they belong to; times in seconds since the epoch; an unfinished one ends at the last time seen.
 */
export function spansOf(log, run) {
  const roots = [];
  const open = new Map(); // key -> spans begun and not ended
  const agents = new Map(); // branch -> agents at work in it, outermost first
  let last = run.started ?? 0;
  for (let i = log.places.get(run.seq) ?? 0; i < log.entries.length; i++) {
    const { kind, seq, body } = log.entries[i];
    if (body.invocation_id !== run.invocation) continue;
    if (body.timestamp > last) last = body.timestamp;
    if (kind === "run_finished") break;
    const made = spanKey(kind, body);
    if (!made) continue;
    const branch = body.branch ?? "";
    if (made.begins) {
      const parent = innermost(agents, branch);
      const span = { ...made.begins, agent: body.agent, depth: parent ? parent.depth + 1 : 0, start: body.timestamp, end: null, open: true, outcome: null, seq, endSeq: null, children: [] };
      (parent?.children ?? roots).push(span);
      stackOf(open, made.key).push(span);
      if (span.kind === "agent") stackOf(agents, branch).push(span);
    } else {
      const span = open.get(made.key)?.pop();
      if (!span) continue;
      Object.assign(span, { end: body.timestamp, endSeq: seq, open: false, outcome: body.outcome ?? (body.error ? "error" : "ok"), usage: body.usage, firstToken: body.first_token });
      if (span.kind === "agent") agents.set(branch, stackOf(agents, branch).filter((other) => other !== span));
    }
  }
  for (const stack of open.values()) for (const span of stack) span.end = last;
  return { spans: flattened(roots), start: run.started ?? roots[0]?.start ?? 0, end: last };
}

function spanKey(kind, body) {
  const branch = body.branch ?? "";
  switch (kind) {
    case "agent_started": return { key: `a/${branch}/${body.agent}`, begins: { kind: "agent", name: body.agent } };
    case "agent_finished": return { key: `a/${branch}/${body.agent}` };
    case "model_started": return { key: `m/${body.agent}/${body.call}`, begins: { kind: "model", name: body.model } };
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
