/**
 * The log as the rows of the event list: events, decisions, run and loop boundaries, cards of calls that wait, each with
 * the scopes that it stands in. Grows with the log; a row stays as it was made, but for what is `live` in it (a pause that
 * ended, a call that was answered, an agent at work as a tool), whose `version` then grows. Knows neither the page nor
 * row heights.
 */

import { lastSegment, parentOf, requestTo, toolBranches } from "./branches.js";
import { writes } from "./fold.js";
import { emptyJudged, foldJudged } from "./judging.js";
import { isRealAnswer, isSimulatedEvent, originOf } from "./origin.js";
import { emptyPending, foldPending, waitingCalls } from "./pending.js";
import { closeAll, closeScope, openBlocks, openLane, openLanes, openScope } from "./scopes.js";
import { stepOf } from "./steps.js";

/** Kinds that have no row of their own: the graph and the timeline show them. */
const QUIET = new Set(["session_created", "agent_started", "agent_finished", "model_started", "model_finished", "tool_started", "tool_finished", "loop_escalated"]);
const STOPS = new Set(["event", "end", "note", "route", "transfer", "fault", "given", "retry", "cut", "loading", "drift", "protocol"]);
const NAMED = {
  route_decided: "route", transfer: "transfer", fault_injected: "fault", playbook_given: "given",
  model_retry: "retry", replay_drifted: "drift", tool_protocol: "protocol",
};

export function emptyRows() {
  return {
    rows: [], scopes: [], held: [], escalation: null, error: null, runs: 0, ordinal: 0,
    pending: emptyPending(),
    judged: emptyJudged(), // answers, and what a person said of each
    carded: new Set(), // calls that have a card
    pause: null, // the last pause, until the run goes on or is given up
    limit: null, // model calls that the run may make
    turns: new Map(), // branch/agent -> which THINK of its turn came last
    settings: new Map(), // state key -> its last value
    blocks: new Map(), calls: new Map(), // agents at work as tools: by branch, and how often each was called in this run
    callers: new Map(), // branch -> who last called a tool there
    origin: { mixed: false, version: 0 }, // of this run: whether its answers are not all simulated
    loading: new Map(), // model -> how its loading stands, in this run
  };
}

/** The rows of a log's last entries alone, when the log holds so many events. Loops that began before are not known. */
export function rowsOfTail(entries, events) {
  const book = emptyRows();
  book.ordinal = Math.max(0, events - entries.filter((entry) => entry.kind === "event").length);
  extendRows(book, entries);
  return book;
}

/** Adds the rows of new entries, in order. */
export function extendRows(book, entries) {
  for (const entry of entries) addEntry(book, entry);
}

function addEntry(book, entry) {
  const { kind, body } = entry;
  const branch = body.branch ?? "";
  if (branch) openBlocks(book, branch, (block) => pushBlock(book, entry, block));
  foldPending(book.pending, entry);
  switch (kind) {
    case "event":
      addEvent(book, entry, branch);
      break;
    case "run_started":
      startRun(book, entry);
      break;
    case "run_finished":
      finishRun(book, entry);
      break;
    case "agent_started":
      if (branch && lastSegment(branch) === body.agent) openLane(book, branch);
      break;
    case "agent_finished":
      finishAgent(book, body, branch);
      break;
    case "model_started":
      if (body.turn) book.turns.set(`${branch}/${body.agent}`, body.turn);
      break;
    case "model_finished":
      if (body.error === "cancelled") push(book, entry, "cut", branch);
      break;
    case "model_loading":
    case "model_loaded":
      addLoading(book, entry, branch);
      break;
    case "tool_started":
      book.callers.set(branch, body.agent);
      break;
    case "loop_iteration":
      addIteration(book, entry, branch);
      break;
    case "loop_finished":
      push(book, entry, "loop_end", branch, { escalation: body.reason === "escalated" ? book.escalation : null });
      closeScope(book, (s) => s.kind === "loop" && s.agent === body.agent && s.branch === branch);
      break;
    default:
      if (!QUIET.has(kind)) push(book, entry, NAMED[kind] ?? "note", branch);
  }
  noteSettings(book, entry);
}

function push(book, entry, type, branch, more = {}) {
  const row = { key: entry.seq, seq: entry.seq, type, entry, branch, scopes: book.scopes, ordinal: book.ordinal, runs: book.runs };
  book.rows.push(Object.assign(row, more));
}

/** The first row of an agent at work as a tool, before the entry that shows it to be. */
function pushBlock(book, entry, block) {
  const parent = parentOf(block.branch);
  const key = entry.seq - 0.5 + toolBranches(block.branch).length / 100;
  push(book, entry, "block", parent, { key, live: block, caller: book.callers.get(parent) ?? "" });
}

function addEvent(book, entry, branch) {
  const { body } = entry;
  openLanes(book, branch);
  noteEscalation(book, body);
  for (const path of toolBranches(branch)) {
    const block = book.blocks.get(path);
    block.events += 1;
    block.version += 1;
  }
  book.error = body.error_code ?? null;
  book.ordinal += 1;
  if (!book.origin.mixed && isRealAnswer(body)) Object.assign(book.origin, { mixed: true, version: book.origin.version + 1 });
  const step = stepOf(body, book.turns.get(`${branch}/${body.author}`) ?? null);
  push(book, entry, "event", branch, { step, calls: book.pending.calls, limit: book.limit, to: requestTo(body), settings: settingsOf(book, entry), ...(isSimulatedEvent(body) && { live: book.origin }) });
  const answer = foldJudged(book.judged, entry);
  if (answer) push(book, entry, "thumbs", branch, { key: entry.seq + 0.25, live: answer });
}

/** What a person changed without saying anything: `[{key, before, after}]`; null for any other event. */
function settingsOf(book, { body }) {
  if (body.author !== "user" || body.branch || body.content?.parts?.length) return null;
  const changed = Object.entries(body.actions?.state_delta ?? {});
  return changed.length ? changed.map(([key, after]) => ({ key, before: book.settings.get(key), after })) : null;
}

function noteSettings(book, entry) {
  for (const [key, value] of writes(entry)) book.settings.set(key, value);
}

function startRun(book, entry) {
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
  book.limit = body.max_llm_calls ?? null;
  push(book, entry, "run", "", { number: book.runs });
}

function finishRun(book, entry) {
  const { body } = entry;
  const paused = body.status === "paused";
  for (const live of book.loading.values()) if (live.seconds == null) Object.assign(live, { over: true, version: live.version + 1 });
  book.loading.clear();
  book.held = paused ? book.scopes : [];
  if (paused) book.scopes = [];
  else closeAll(book);
  const waiting = paused ? waitingCalls(book.pending) : [];
  waiting.filter((call) => !book.carded.has(call.id)).forEach((call, i, all) => {
    book.carded.add(call.id);
    push(book, entry, "card", "", { key: entry.seq - 0.5 + i / (2 * all.length), live: call, call });
  });
  if (paused) book.pause = { at: body.timestamp, waiting: waiting.length, waited: null, over: false, version: 0 };
  const told = body.error_code !== undefined && body.error_code === book.error;
  push(book, entry, "end", "", { told, limit: book.limit, ...(paused && { live: book.pause }) });
}

function finishAgent(book, { agent, outcome }, branch) {
  if (!branch || outcome === "paused") return;
  const segment = lastSegment(branch);
  if (segment === agent) closeScope(book, (s) => s.kind === "lane" && s.branch === branch);
  else if (segment.startsWith(`${agent}:`)) {
    const block = book.blocks.get(branch);
    if (block) block.failed = outcome === "error";
    closeScope(book, (s) => s.kind === "tool" && s.branch === branch);
  }
}

/** A model that is loaded: one row from its beginning to its end, however many calls wait for it. */
function addLoading(book, { kind, seq, body }, branch) {
  const { model, seconds, bytes, progress } = body;
  const before = book.loading.get(model);
  if (kind === "model_loaded" && before?.seconds === (seconds ?? 0)) return; // another call waited for the same
  const begun = before && before.seconds == null && !before.over;
  const live = begun ? before : { model, seconds: null, bytes: null, progress: null, over: false, version: 0 };
  if (!begun) push(book, { kind, seq, body }, "loading", branch, { live });
  book.loading.set(model, live);
  Object.assign(live, { bytes: bytes ?? live.bytes, progress: progress ?? live.progress, version: live.version + 1 });
  if (kind === "model_loaded") live.seconds = seconds ?? 0;
}

/** A pass; a run that goes on may name the one again in which it paused. */
function addIteration(book, entry, branch) {
  const { agent, iteration } = entry.body;
  const open = book.scopes.find((s) => s.kind === "loop" && s.agent === agent && s.branch === branch);
  if (open?.at.iteration === iteration) return;
  if (open) open.at.iteration = iteration;
  else openScope(book, { kind: "loop", agent, branch, at: { iteration } });
  push(book, entry, "iteration", branch);
}

/** Remembers who asked a loop to end, and through which tool, so that the loop's end can say so. */
function noteEscalation(book, event) {
  if (!event.actions?.escalate) return;
  const answered = (event.content?.parts ?? []).find((part) => part.function_response);
  book.escalation = { author: event.author, tool: answered?.function_response.name ?? null };
}

/** Whether a person steps onto this row with the keyboard. */
export function isStop(row) {
  return STOPS.has(row.type);
}
