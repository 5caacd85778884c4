// @ts-check
/** Trace records of one run as spans for the waterfall: agents, model calls, tools. */

/** @import { Entry } from "../entries.d.ts" */
/** @import { Run, RunSpans, Span, SpanStacks } from "../folds.d.ts" */

/** @typedef {Pick<Span, "kind" | "name"> & { turn?: number | null }} Beginning */

/** Of spans that have none: what belongs to one stands below its agent, and few calls are tried again. */
const NONE = /** @type {never[]} */ ([]);

/**
 * @param {number} started when the run did
 * @returns {RunSpans}
 */
export function emptySpans(started) {
  return {
    over: false,
    roots: [],
    open: new Map(),
    paused: new Map(),
    agents: new Map(),
    pauses: [],
    gone: 0,
    last: started,
  };
}

/**
 * Takes in the next entry.
 * @param {RunSpans} fold of the run that it belongs to
 * @param {Entry} entry
 */
export function foldSpans(fold, entry) {
  const { kind, body } = entry;
  if (fold.over) return;
  if (kind === "run_started" && body.resumed) endPause(fold, body);
  const at = body.timestamp - fold.gone;
  if (at > fold.last) fold.last = at;
  if (kind !== "run_finished") foldSpan(fold, entry, at);
  else if (body.status === "paused") fold.pauses.push({ at: fold.last, from: body.timestamp, waited: null });
  else fold.over = true;
}

/**
 * The spans of a run, each below the agent it belongs to; one that did not end ends at the last time seen. Times are in
 * seconds since the epoch, but pauses take none: what comes after one is moved up to it.
 * @param {Pick<Run, "started" | "spans">} run
 */
export function spansOf({ started, spans: fold }) {
  for (const stack of [...fold.open.values(), ...fold.paused.values()]) for (const span of stack) span.end = fold.last;
  /** @type {Span[]} */
  const spans = [];
  flatten(fold.roots, spans);
  return { spans, start: started ?? spans[0]?.start ?? 0, end: fold.last, pauses: fold.pauses };
}

/**
 * @param {RunSpans} fold
 * @param {{ timestamp: number }} body
 */
function endPause(fold, { timestamp }) {
  const pause = fold.pauses.at(-1);
  if (!pause || pause.waited != null) return;
  pause.waited = Math.max(0, timestamp - pause.from);
  fold.gone += pause.waited;
}

/**
 * @param {RunSpans} fold
 * @param {Entry} entry
 * @param {number} at
 */
function foldSpan(fold, entry, at) {
  const { kind, body } = entry;
  if (kind === "model_retry" && !body.replayed) {
    const span = fold.open.get(modelKey(body))?.at(-1);
    if (span) span.retries = [...span.retries, { ...body, at }];
  }
  const begun = beginningOf(entry);
  if (begun) beginSpan(fold, entry, begun, at);
  else endSpan(fold, entry, at);
}

/**
 * @param {RunSpans} fold
 * @param {Entry} entry
 * @param {{ key: string; span: Beginning }} begun
 * @param {number} at
 */
function beginSpan(fold, { kind, seq, body }, { key, span: beginning }, at) {
  const agent = body.agent ?? "";
  const branch = body.branch ?? "";
  const again = kind === "agent_started" && body.resumed ? takeLast(fold.paused, key) : undefined;
  if (again) Object.assign(again, { end: null, endSeq: null, open: true, outcome: null });
  const span = again ?? newSpan(fold, beginning, { agent, branch, seq, at });
  put(fold.open, key, span);
  if (span.kind === "agent") put(fold.agents, branch, span);
}

/**
 * @param {RunSpans} fold
 * @param {Entry} entry
 * @param {number} at
 */
function endSpan(fold, entry, at) {
  const key = endKey(entry);
  const span = key === null ? undefined : takeLast(fold.open, key);
  if (key === null || !span) return;
  const { kind, seq, body } = entry;
  span.end = at;
  span.endSeq = seq;
  span.open = false;
  span.outcome = outcomeOf(entry);
  if (kind === "model_finished") {
    span.reason = body.stop_reason;
    span.call = body;
  }
  if (span.kind !== "agent") return;
  const branch = body.branch ?? "";
  const others = (fold.agents.get(branch) ?? []).filter((other) => other !== span);
  if (others.length) fold.agents.set(branch, others);
  else fold.agents.delete(branch);
  if (span.outcome === "paused") put(fold.paused, key, span);
}

/** @param {Entry} entry */
function outcomeOf({ kind, body }) {
  if (kind === "agent_finished") return body.outcome;
  const error = kind === "model_finished" || kind === "tool_finished" ? body.error : undefined;
  return error === "cancelled" ? "stopped" : error ? "error" : "ok";
}

/**
 * @param {RunSpans} fold
 * @param {Beginning} beginning
 * @param {{ agent: string; branch: string; seq: number; at: number }} where
 * @returns {Span}
 */
function newSpan(fold, beginning, { agent, branch, seq, at }) {
  const parent = innermost(fold.agents, branch);
  /** @type {Span} */
  const span = {
    kind: beginning.kind,
    name: beginning.name,
    turn: beginning.turn,
    agent,
    depth: parent ? parent.depth + 1 : 0,
    start: at,
    end: null,
    open: true,
    seq,
    endSeq: null,
    outcome: null,
    reason: undefined,
    call: undefined,
    children: beginning.kind === "agent" ? [] : NONE,
    retries: NONE,
  };
  (parent?.children ?? fold.roots).push(span);
  return span;
}

/**
 * The span that an entry begins, under the key that its end has too.
 * @param {Entry} entry
 * @returns {{ key: string; span: Beginning } | null}
 */
function beginningOf({ kind, body }) {
  switch (kind) {
    case "agent_started":
      return { key: agentKey(body), span: { kind: "agent", name: body.agent } };
    case "model_started":
      return { key: modelKey(body), span: { kind: "model", name: body.model ?? "", turn: body.turn ?? null } };
    case "tool_started":
      return { key: toolKey(body), span: { kind: "tool", name: body.tool } };
    default:
      return null;
  }
}

/** @param {Entry} entry */
function endKey({ kind, body }) {
  switch (kind) {
    case "agent_finished":
      return agentKey(body);
    case "model_finished":
      return modelKey(body);
    case "tool_finished":
      return toolKey(body);
    default:
      return null;
  }
}

/** @param {{ branch?: string | null; agent: string }} body */
function agentKey({ branch, agent }) {
  return `a/${branch ?? ""}/${agent}`;
}

/** @param {{ agent: string; call: number }} body */
function modelKey({ agent, call }) {
  return `m/${agent}/${call}`;
}

/** @param {{ branch?: string | null; call_id: string }} body */
function toolKey({ branch, call_id: id }) {
  return `t/${branch ?? ""}/${id}`;
}

/**
 * @param {SpanStacks} stacks
 * @param {string} key
 * @param {Span} span
 */
function put(stacks, key, span) {
  const stack = stacks.get(key);
  if (stack) stack.push(span);
  else stacks.set(key, [span]);
}

/**
 * @param {SpanStacks} stacks
 * @param {string} key
 */
function takeLast(stacks, key) {
  const stack = stacks.get(key);
  if (stack?.length === 1) stacks.delete(key);
  return stack?.pop();
}

/**
 * The agent at work in a branch, or in the nearest one around it.
 * @param {SpanStacks} agents
 * @param {string} branch
 */
function innermost(agents, branch) {
  for (let at = branch;; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const agent = agents.get(at)?.at(-1);
    if (agent || !at) return agent ?? null;
  }
}

/**
 * @param {Span[]} roots
 * @param {Span[]} into
 */
function flatten(roots, into) {
  for (const span of roots) {
    into.push(span);
    flatten(span.children, into);
  }
}

/**
 * At most `most` spans around the one that holds `seq`, and how many are left out on either side.
 * @param {Span[]} spans
 * @param {number | null} seq
 * @param {number} most
 */
export function windowOf(spans, seq, most) {
  if (spans.length <= most) return { shown: spans, before: 0, after: 0 };
  let at = seq == null ? spans.length - 1 : 0;
  for (let i = 0; seq != null && i < spans.length; i++) if (spans[i].seq <= seq && spans[i].seq > spans[at].seq) at = i;
  const from = Math.max(0, Math.min(at - Math.floor(most / 2), spans.length - most));
  return { shown: spans.slice(from, from + most), before: from, after: spans.length - from - most };
}
