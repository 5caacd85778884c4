// @ts-check
/**
 * The log as the rows of the event list: events, decisions, run and loop boundaries, cards of calls that wait, each with
 * the scopes that it stands in. Grows with the log; a row stays as it was made, but for what is `live` in it (a pause that
 * ended, a call that was answered, an agent at work as a tool), whose `version` then grows.
 */

import { lastSegment, parentOf, requestTo, toolBranches } from "../log/branches.js";
import { foldPending } from "../log/folds/pending.js";
import { writes } from "../log/folds/state.js";
import { foldJudged } from "../log/folds/verdicts.js";
import { isRealAnswer, isSimulatedEvent } from "../log/origin.js";
import { emptyBook, pushRow } from "./book.js";
import { foldOutcome } from "./outcome.js";
import { addLoading, finishRun, startRun } from "./run_rows.js";
import { closeScope, openBlocks, openLane, openLanes, openScope } from "./scopes.js";
import { stepOf } from "./steps.js";

/** @import { Entry, EventBody, EventEntry, RecordEntry } from "../log/entries.d.ts" */
/** @import { AgentFinished, AgentStarted } from "../log/records.d.ts" */
/** @import { Block, Book, Row, Setting, StoredRow } from "./types.d.ts" */

/** Kinds that have no row of their own: the graph and the timeline show them. */
/** @type {Set<string>} */
const QUIET = new Set([
  "session_created",
  "imported",
  "agent_started",
  "agent_finished",
  "agent_callback",
  "model_started",
  "model_finished",
  "tool_started",
  "tool_finished",
  "loop_escalated",
]);
/** @type {Set<string>} */
const STOPS = new Set([
  "event",
  "end",
  "note",
  "route",
  "transfer",
  "fault",
  "given",
  "retry",
  "cut",
  "loading",
  "drift",
  "protocol",
  "recorded",
  "forked",
  "case_run",
  "cases_tried",
]);
/** @type {Record<string, StoredRow["type"]>} */
const NAMED = {
  route_decided: "route",
  transfer: "transfer",
  fault_injected: "fault",
  playbook_given: "given",
  model_retry: "retry",
  replay_drifted: "drift",
  tool_protocol: "protocol",
  tool_recorded: "recorded",
  forked: "forked",
  case_run: "case_run",
  cases_tried: "cases_tried",
};

/**
 * The rows of a log's last entries alone, when `events` is the number of the last event in them. Loops that began before
 * are not known.
 * @param {Entry[]} entries
 * @param {number} events
 */
export function rowsOfTail(entries, events) {
  const book = emptyBook();
  book.ordinal = Math.max(0, events - entries.filter((entry) => entry.kind === "event").length);
  extendRows(book, entries);
  return book;
}

/**
 * Adds the rows of new entries, in order.
 * @param {Book} book
 * @param {Entry[]} entries
 */
export function extendRows(book, entries) {
  for (const entry of entries) addEntry(book, entry);
}

/**
 * @param {Book} book
 * @param {Entry} entry
 */
function addEntry(book, entry) {
  const { kind, body } = entry;
  const branch = body.branch ?? "";
  if (branch) openBlocks(book, branch, (block) => pushBlock(book, entry, block));
  foldPending(book.pending, entry);
  foldOutcome(book, entry);
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
      startAgent(book, body, branch);
      break;
    case "agent_finished":
      finishAgent(book, body, branch);
      break;
    case "model_started":
      if (body.turn) book.turns.set(`${branch}/${body.agent}`, body.turn);
      break;
    case "model_finished":
      if (body.error === "cancelled") pushRow(book, entry, "cut", branch);
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
      pushRow(book, entry, "loop_end", branch, { escalation: body.reason === "escalated" ? book.escalation : null });
      closeScope(book, (s) => s.kind === "loop" && s.agent === body.agent && s.branch === branch);
      break;
    default:
      if (!QUIET.has(kind)) pushRow(book, entry, NAMED[kind] ?? "note", branch);
  }
  noteSettings(book, entry);
}

/**
 * The first row of an agent at work as a tool, before the entry that shows it to be.
 * @param {Book} book
 * @param {Entry} entry
 * @param {Block} block
 */
function pushBlock(book, entry, block) {
  const parent = parentOf(block.branch);
  const key = entry.seq - 0.5 + toolBranches(block.branch).length / 100;
  pushRow(book, entry, "block", parent, { key, live: block, caller: book.callers.get(parent) ?? "" });
}

/**
 * @param {Book} book
 * @param {EventEntry} entry
 * @param {string} branch
 */
function addEvent(book, entry, branch) {
  const { body } = entry;
  openLanes(book, branch);
  noteEscalation(book, body);
  for (const path of toolBranches(branch)) {
    const block = book.blocks.get(path);
    if (block) Object.assign(block, { events: block.events + 1, version: block.version + 1 });
  }
  book.error = body.error_code ?? null;
  book.ordinal += 1;
  if (!book.origin.mixed && isRealAnswer(body)) {
    Object.assign(book.origin, { mixed: true, version: book.origin.version + 1 });
  }
  const step = stepOf(body, book.turns.get(`${branch}/${body.author}`) ?? null);
  pushRow(book, entry, "event", branch, {
    step,
    calls: book.pending.calls,
    limit: book.limit,
    to: requestTo(body),
    settings: settingsOf(book, entry),
    ...(isSimulatedEvent(body) && { live: book.origin }),
  });
  const answer = foldJudged(book.judged, entry);
  if (answer) pushRow(book, entry, "thumbs", branch, { key: entry.seq + 0.25, live: answer });
}

/**
 * What a user changed without saying anything: `[{key, before, after}]`; null for any other event.
 * @param {Book} book
 * @param {EventEntry} entry
 * @returns {Setting[] | null}
 */
function settingsOf(book, { body }) {
  if (body.author !== "user" || body.branch || body.content?.parts?.length) return null;
  const changed = Object.entries(body.actions?.state_delta ?? {});
  return changed.length ? changed.map(([key, after]) => ({ key, before: book.settings.get(key), after })) : null;
}

/**
 * @param {Book} book
 * @param {Entry} entry
 */
function noteSettings(book, entry) {
  for (const [key, value] of writes(entry)) book.settings.set(key, value);
}

/**
 * @param {Book} book
 * @param {AgentStarted} body
 * @param {string} branch
 */
function startAgent(book, { agent, node }, branch) {
  if (node) book.nodes.set(branch, (book.nodes.get(branch) ?? 0) + 1);
  const segment = lastSegment(branch);
  if (branch && (segment === agent || (node && !segment.includes(":")))) openLane(book, branch);
}

/**
 * @param {Book} book
 * @param {AgentFinished} body
 * @param {string} branch
 */
function finishAgent(book, { agent, outcome, node }, branch) {
  const others = node ? (book.nodes.get(branch) ?? 1) - 1 : 0;
  if (node) book.nodes.set(branch, others);
  if (!branch || outcome === "paused") return;
  const segment = lastSegment(branch);
  // A node's branch goes on with the nodes after it, and may hold a graph with nodes of its own.
  if (segment === agent || (node && !others)) closeScope(book, (s) => s.kind === "lane" && s.branch === branch);
  else if (segment.startsWith(`${agent}:`)) {
    const block = book.blocks.get(branch);
    if (block) block.failed = outcome === "error";
    closeScope(book, (s) => s.kind === "tool" && s.branch === branch);
  }
}

/**
 * A pass; a run that goes on may name the one again in which it paused.
 * @param {Book} book
 * @param {RecordEntry<"loop_iteration">} entry
 * @param {string} branch
 */
function addIteration(book, entry, branch) {
  const { agent, iteration } = entry.body;
  const open = book.scopes.filter((s) => s.kind === "loop").find((s) => s.agent === agent && s.branch === branch);
  if (open?.at.iteration === iteration) return;
  if (open) open.at.iteration = iteration;
  else openScope(book, { kind: "loop", agent, branch, at: { iteration } });
  pushRow(book, entry, "iteration", branch);
}

/**
 * Remembers who asked a loop to end, and through which tool, so that the loop's end can say so.
 * @param {Book} book
 * @param {EventBody} event
 */
function noteEscalation(book, event) {
  if (!event.actions?.escalate) return;
  const answered = (event.content?.parts ?? []).find((part) => part.function_response);
  book.escalation = { author: event.author, tool: answered?.function_response?.name ?? null };
}

/**
 * Whether a user steps onto this row with the keyboard.
 * @param {Row} row
 * @returns {row is StoredRow}
 */
export function isStop(row) {
  return STOPS.has(row.type);
}
