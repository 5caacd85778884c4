// @ts-check
/** Trace records of one run as spans for the waterfall: agents, model calls, tools. */

/** @import { Entry, EntryOf, EventEntry, ModelFinished } from "./entries.d.ts" */
/** @import { Log, Run, Span } from "./folds.d.ts" */

/**
 * `waited` is null of a pause that did not end; `at` and `from` are when it began, without and with the pauses before it.
 * @typedef {{ at: number; from: number; waited: number | null }} Pause
 */

/**
 * Spans under way by key; `paused` may go on, `agents` are those at work by branch, `gone` are the seconds paused so far.
 * @typedef {object} Fold
 * @property {Span[]} roots
 * @property {Stacks} open
 * @property {Stacks} paused
 * @property {Stacks} agents
 * @property {Pause[]} pauses
 * @property {number} gone
 * @property {number} last
 */
/**
 * @typedef {Map<string, Span[]>} Stacks
 * @typedef {Pick<Span, "kind" | "name"> & { turn?: number | null }} Beginning
 */

/**
 * The spans of a run, each below the agent it belongs to; one that did not end ends at the last time seen. Times are in
 * seconds since the epoch, but pauses take none: what comes after one is moved up to it.
 * @param {Log} log
 * @param {Run} run
 */
export function spansOf(log, run) {
  /** @type {Fold} */
  const fold = {
    roots: [],
    open: new Map(),
    paused: new Map(),
    agents: new Map(),
    pauses: [],
    gone: 0,
    last: run.started ?? 0,
  };
  for (let i = log.places.get(run.seq) ?? 0; i < log.entries.length; i++) {
    const entry = log.entries[i];
    const { kind, body } = entry;
    if (body.invocation_id !== run.invocation) continue;
    if (kind === "run_started" && body.resumed) endPause(fold, body);
    const at = body.timestamp - fold.gone;
    if (at > fold.last) fold.last = at;
    if (kind === "run_finished") {
      if (body.status !== "paused") break;
      fold.pauses.push({ at: fold.last, from: body.timestamp, waited: null });
    } else foldSpan(fold, entry, at);
  }
  for (const stack of [...fold.open.values(), ...fold.paused.values()]) for (const span of stack) span.end = fold.last;
  return {
    spans: flattened(fold.roots),
    start: run.started ?? fold.roots[0]?.start ?? 0,
    end: fold.last,
    pauses: fold.pauses,
  };
}

/**
 * @param {Fold} fold
 * @param {{ timestamp: number }} body
 */
function endPause(fold, { timestamp }) {
  const pause = fold.pauses.at(-1);
  if (!pause || pause.waited != null) return;
  pause.waited = Math.max(0, timestamp - pause.from);
  fold.gone += pause.waited;
}

/**
 * @param {Fold} fold
 * @param {Entry} entry
 * @param {number} at
 */
function foldSpan(fold, entry, at) {
  const { kind, body } = entry;
  if (kind === "model_retry" && !body.replayed) {
    fold.open.get(modelKey(body))?.at(-1)?.retries.push({ ...body, at });
  }
  const begun = beginningOf(entry);
  if (begun) beginSpan(fold, entry, begun, at);
  else endSpan(fold, entry, at);
}

/**
 * @param {Fold} fold
 * @param {Entry} entry
 * @param {{ key: string; span: Beginning }} begun
 * @param {number} at
 */
function beginSpan(fold, { kind, seq, body }, { key, span: beginning }, at) {
  const agent = body.agent ?? "";
  const branch = body.branch ?? "";
  const again = kind === "agent_started" && body.resumed ? fold.paused.get(key)?.pop() : undefined;
  const span = again ?? newSpan(fold, beginning, { agent, branch, seq, at });
  Object.assign(span, { end: null, endSeq: null, open: true, outcome: null });
  stackOf(fold.open, key).push(span);
  if (span.kind === "agent") stackOf(fold.agents, branch).push(span);
}

/**
 * @param {Fold} fold
 * @param {Entry} entry
 * @param {number} at
 */
function endSpan(fold, entry, at) {
  const key = endKey(entry);
  const span = key === null ? undefined : fold.open.get(key)?.pop();
  if (key === null || !span) return;
  const { kind, seq, body } = entry;
  Object.assign(span, { end: at, endSeq: seq, open: false, outcome: outcomeOf(entry) });
  if (kind === "model_finished") Object.assign(span, { reason: body.stop_reason, call: body });
  if (span.kind !== "agent") return;
  const branch = body.branch ?? "";
  fold.agents.set(branch, stackOf(fold.agents, branch).filter((other) => other !== span));
  if (span.outcome === "paused") stackOf(fold.paused, key).push(span);
}

/** @param {Entry} entry */
function outcomeOf({ kind, body }) {
  if (kind === "agent_finished") return body.outcome;
  const error = kind === "model_finished" || kind === "tool_finished" ? body.error : undefined;
  return error === "cancelled" ? "stopped" : error ? "error" : "ok";
}

/**
 * @param {Fold} fold
 * @param {Beginning} beginning
 * @param {{ agent: string; branch: string; seq: number; at: number }} where
 * @returns {Span}
 */
function newSpan(fold, beginning, { agent, branch, seq, at }) {
  const parent = innermost(fold.agents, branch);
  /** @type {Span} */
  const span = {
    ...beginning,
    agent,
    depth: parent ? parent.depth + 1 : 0,
    start: at,
    end: null,
    open: true,
    seq,
    endSeq: null,
    outcome: null,
    children: [],
    retries: [],
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
      return { key: modelKey(body), span: { kind: "model", name: body.model, turn: body.turn ?? null } };
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

/** @param {{ branch?: string; agent: string }} body */
function agentKey({ branch = "", agent }) {
  return `a/${branch}/${agent}`;
}

/** @param {{ agent: string; call: number }} body */
function modelKey({ agent, call }) {
  return `m/${agent}/${call}`;
}

/** @param {{ branch?: string; call_id: string }} body */
function toolKey({ branch = "", call_id: id }) {
  return `t/${branch}/${id}`;
}

/**
 * @param {Stacks} stacks
 * @param {string} key
 */
function stackOf(stacks, key) {
  const stack = stacks.get(key) ?? [];
  stacks.set(key, stack);
  return stack;
}

/**
 * The agent at work in a branch, or in the nearest one around it.
 * @param {Stacks} agents
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
 * @returns {Span[]}
 */
function flattened(roots) {
  return roots.flatMap((span) => [span, ...flattened(span.children)]);
}

/**
 * The model call that produced an event: the latest one by its author that finished before it, in the same run.
 * @param {Log} log
 * @param {EventEntry} entry
 */
export function modelCallOf(log, entry) {
  const { invocation_id: invocation, author, branch } = entry.body;
  const place = log.places.get(entry.seq) ?? 0;
  for (let i = place + 1, step = 0; i < log.entries.length && step < 6; i++, step++) {
    // Some runtimes record the call's end right after the event it gave.
    const next = log.entries[i];
    if (next.kind === "event" || next.kind === "agent_finished" || next.kind === "model_started") break;
    if (isCall(next, invocation, author, branch)) return next.body;
  }
  for (let i = place - 1; i >= 0; i--) {
    const before = log.entries[i];
    if (before.body.invocation_id !== invocation) break;
    if (before.kind === "event" && before.body.author === author && before.body.branch === branch) break;
    if (isCall(before, invocation, author, branch)) return before.body;
  }
  return null;
}

/**
 * @param {Entry} entry
 * @param {string} invocation
 * @param {string} agent
 * @param {string | null | undefined} branch
 * @returns {entry is EntryOf<"model_finished", ModelFinished>}
 */
function isCall(entry, invocation, agent, branch) {
  const { kind, body } = entry;
  return kind === "model_finished" && body.invocation_id === invocation && body.agent === agent &&
    (body.branch ?? "") === (branch ?? "");
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
  if (seq != null) spans.forEach((span, i) => span.seq <= seq && span.seq > spans[at].seq && (at = i));
  const from = Math.max(0, Math.min(at - Math.floor(most / 2), spans.length - most));
  return { shown: spans.slice(from, from + most), before: from, after: spans.length - from - most };
}
