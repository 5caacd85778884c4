// @ts-check
/** The runs of a session: status, calls, tokens and the time worked, pauses left out. A fold over the log. */

import { originAfter, originOf } from "../origin.js";
import { emptySpans } from "./spans.js";

/** @import { Entry, RunStarted } from "../entries.d.ts" */
/** @import { Run } from "../folds.d.ts" */

/**
 * @param {Run[]} runs
 * @param {Entry} entry
 */
export function foldRuns(runs, { kind, seq, body }) {
  if (kind === "run_started") return startRun(runs, seq, body);
  const run = runs.at(-1);
  if (!run || (run.status !== "running" && !run.lost)) return;
  if (kind === "event") run.origin = originAfter(run.origin, body);
  else if (kind === "model_finished") {
    run.calls += 1;
    run.tokens = {
      input: (run.tokens.input ?? 0) + (body.usage?.input ?? 0),
      output: (run.tokens.output ?? 0) + (body.usage?.output ?? 0) + (body.usage?.thoughts ?? 0),
    };
  } else if (kind === "run_finished") {
    run.status = body.status;
    run.lost = false;
    run.endSeq = seq;
    run.duration = body.duration ?? (body.timestamp && run.since ? run.worked + body.timestamp - run.since : null);
    if (body.tokens) run.tokens = body.tokens; // of the whole run, before its pauses too
    if (body.calls != null) run.calls = body.calls;
    if (body.error_code) run.error = body.error_code;
  }
}

/**
 * @param {Run[]} runs
 * @param {number} seq
 * @param {RunStarted} body
 */
function startRun(runs, seq, body) {
  const last = runs.at(-1);
  if (body.resumed && last?.invocation === body.invocation_id) {
    Object.assign(last, {
      status: "running",
      since: body.timestamp,
      worked: last.duration ?? 0,
      duration: null,
      endSeq: null,
      origin: originOf(body),
    });
    return;
  }
  if (last?.status === "running") last.status = "interrupted";
  runs.push({
    number: runs.length + 1,
    invocation: body.invocation_id,
    seq,
    started: body.timestamp,
    since: body.timestamp,
    worked: 0,
    duration: null,
    earlier: last ? last.earlier + (last.duration ?? 0) : 0, // seconds that the runs before it worked
    model: body.model,
    origin: originOf(body),
    faults: body.faults ?? [],
    limit: body.max_llm_calls ?? null,
    status: "running",
    tokens: { input: 0, output: 0 },
    calls: 0,
    spans: emptySpans(body.timestamp ?? 0),
  });
}

/**
 * Seconds that a run has worked up to `now`, in seconds since the epoch; null where nothing tells.
 * @param {Run} run
 * @param {number} now
 * @returns {number | null}
 */
export function workedSeconds(run, now) {
  if (run.status !== "running") return run.duration ?? null;
  return run.since == null ? null : run.worked + Math.max(0, now - run.since);
}

/**
 * The same of all runs together; null without a run.
 * @param {Run[]} runs
 * @param {number} now
 */
export function workedInAll(runs, now) {
  const last = runs.at(-1);
  return last ? last.earlier + (workedSeconds(last, now) ?? 0) : null;
}
