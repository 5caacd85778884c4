// @ts-check
/** Rows of what belongs to a run as a whole: its beginning, its end, the cards of a pause, models that are loaded. */

import { waitingCalls } from "../log/folds/pending.js";
import { originOf } from "../log/origin.js";
import { pushRow } from "./book.js";
import { emptyOutcome } from "./outcome.js";
import { closeAll } from "./scopes.js";

/** @import { Entry, RecordEntry } from "../log/entries.d.ts" */
/** @import { Book, Loading } from "./types.d.ts" */

/**
 * @param {Book} book
 * @param {RecordEntry<"run_started">} entry
 */
export function startRun(book, entry) {
  const { body } = entry;
  const { pause } = book;
  const { simulated, partly } = originOf(body);
  book.origin = { mixed: partly || !simulated, version: 0 };
  book.pause = null;
  if (body.resumed) {
    if (pause) Object.assign(pause, { waited: Math.max(0, body.timestamp - pause.at), version: pause.version + 1 });
    book.scopes = book.held;
    return;
  }
  if (pause) Object.assign(pause, { over: true, version: pause.version + 1 });
  closeAll(book);
  book.held = [];
  book.calls.clear();
  book.runs += 1;
  book.outcome = emptyOutcome();
  book.limit = body.max_llm_calls ?? null;
  pushRow(book, entry, "run", "", { number: book.runs });
}

/**
 * @param {Book} book
 * @param {RecordEntry<"run_finished">} entry
 */
export function finishRun(book, entry) {
  const { body } = entry;
  const paused = body.status === "paused";
  for (const live of book.loading.values()) {
    if (live.seconds == null) Object.assign(live, { over: true, version: live.version + 1 });
  }
  book.loading.clear();
  book.held = paused ? book.scopes : [];
  if (paused) book.scopes = [];
  else closeAll(book);
  const waiting = paused ? waitingCalls(book.pending) : [];
  waiting.filter((call) => !book.carded.has(call.id)).forEach((call, i, all) => {
    book.carded.add(call.id);
    pushRow(book, entry, "card", "", { key: entry.seq - 0.5 + i / (2 * all.length), live: call, call });
  });
  if (paused) book.pause = { at: body.timestamp, waiting: waiting.length, waited: null, over: false, version: 0 };
  const told = body.error_code !== undefined && body.error_code === book.error;
  const calls = [...book.pending.calls.values()].filter(({ invocation }) => invocation === body.invocation_id);
  pushRow(book, entry, "end", "", {
    told,
    limit: book.limit,
    live: book.pause ?? undefined,
    outcome: book.outcome,
    calls,
    waits: waiting,
  });
}

/**
 * A model that is loaded: one row from its beginning to its end, however many calls wait for it.
 * @param {Book} book
 * @param {RecordEntry<"model_loading"> | RecordEntry<"model_loaded">} entry
 * @param {string} branch
 */
export function addLoading(book, entry, branch) {
  const { kind, body } = entry;
  const { model } = body;
  const before = book.loading.get(model);
  if (kind === "model_loaded" && before?.seconds === (body.seconds ?? 0)) return; // another call waited for the same
  const begun = before !== undefined && before.seconds == null && !before.over;
  /** @type {Loading} */
  const live = begun ? before : { model, seconds: null, bytes: null, progress: null, over: false, version: 0 };
  if (!begun) pushRow(book, /** @type {Entry} */ (entry), "loading", branch, { live });
  book.loading.set(model, live);
  live.version += 1;
  live.bytes = body.bytes ?? live.bytes;
  if (kind === "model_loaded") live.seconds = body.seconds ?? 0;
  else live.progress = body.progress ?? live.progress;
}
