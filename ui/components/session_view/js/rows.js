/**
 * The log as the rows of the event list: events, run and loop boundaries, each with the loops and parallel branches
 * that it stands in. Grows with the log; a row never changes once made. Knows neither the page nor row heights.
 */

/** Kinds that have no row of their own: the graph and the timeline show them. */
const QUIET = new Set(["session_created", "agent_started", "agent_finished", "model_started", "model_finished", "tool_started", "tool_finished"]);

export function emptyRows() {
  return { rows: [], scopes: [], snapshot: [], escalation: null, error: null, runs: 0, ordinal: 0 };
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
  switch (kind) {
    case "event":
      openLanes(book, branch);
      noteEscalation(book, body);
      book.error = body.error_code ?? null;
      book.ordinal += 1;
      push(book, entry, "event", branch);
      break;
    case "run_started":
      closeAll(book);
      book.runs += 1;
      push(book, entry, "run", "", { number: book.runs });
      break;
    case "run_finished":
      closeAll(book);
      push(book, entry, "end", "", { told: body.error_code !== undefined && body.error_code === book.error });
      break;
    case "agent_started":
      if (branch && lastSegment(branch) === body.agent) openLane(book, branch);
      break;
    case "agent_finished":
      if (branch && lastSegment(branch) === body.agent) closeScope(book, (s) => s.kind === "lane" && s.branch === branch);
      break;
    case "loop_iteration":
      if (!book.scopes.some((s) => s.kind === "loop" && s.agent === body.agent && s.branch === branch)) {
        openScope(book, { kind: "loop", agent: body.agent, branch });
      }
      push(book, entry, "iteration", branch);
      break;
    case "loop_finished":
      push(book, entry, "loop_end", branch, { escalation: body.reason === "escalated" ? book.escalation : null });
      closeScope(book, (s) => s.kind === "loop" && s.agent === body.agent && s.branch === branch);
      break;
    default:
      if (!QUIET.has(kind)) push(book, entry, "note", branch);
  }
}

function push(book, entry, type, branch, more = {}) {
  book.rows.push({ key: entry.seq, seq: entry.seq, type, entry, branch, scopes: book.snapshot, ordinal: book.ordinal, runs: book.runs, ...more });
}

/** Remembers who asked a loop to end, and through which tool, so that the loop's end can say so. */
function noteEscalation(book, event) {
  if (!event.actions?.escalate) return;
  const answered = (event.content?.parts ?? []).find((part) => part.function_response);
  book.escalation = { author: event.author, tool: answered?.function_response.name ?? null };
}

function openScope(book, scope) {
  book.scopes = [...book.scopes, scope];
  book.snapshot = book.scopes;
}

function closeScope(book, matches) {
  const found = book.scopes.findLast(matches);
  if (!found) return;
  const open = book.scopes.some((scope) => scope !== found && scope.kind === "lane" && parentOf(scope) === parentOf(found));
  // A lane that ended keeps its place while its sisters go on, so that their rows do not move sideways.
  if (found.kind === "lane" && open) book.scopes = book.scopes.map((scope) => (scope === found ? { ...found, kind: "gap" } : scope));
  else book.scopes = book.scopes.filter((scope) => scope !== found && !(scope.kind === "gap" && found.kind === "lane" && parentOf(scope) === parentOf(found)));
  book.snapshot = book.scopes;
}

function parentOf({ branch }) {
  return branch.slice(0, Math.max(0, branch.lastIndexOf(".")));
}

function closeAll(book) {
  if (book.scopes.length) book.scopes = book.snapshot = [];
}

function openLane(book, branch) {
  if (!book.scopes.some((s) => s.kind === "lane" && s.branch === branch)) {
    openScope(book, { kind: "lane", agent: lastSegment(branch), branch });
  }
}

/** An event in a branch that no agent was seen to open still gets its lane. */
function openLanes(book, branch) {
  if (branch && !book.scopes.some((s) => s.kind === "lane" && contains(s.branch, branch))) openLane(book, branch);
}

function lastSegment(branch) {
  return branch.slice(branch.lastIndexOf(".") + 1);
}

/** Whether `branch` is `outer` or lies below it, by dotted segments. "" is everything. */
export function contains(outer, branch) {
  return outer === "" || branch === outer || branch.startsWith(outer + ".");
}

/** The scopes of a row as its rail: every open loop and lane, and whether the row stands inside it. */
export function railOf(row) {
  return row.scopes.map((scope) => ({ ...scope, inside: scope.kind !== "gap" && contains(scope.branch, row.branch) }));
}

/** The innermost parallel branch of a row, or null. */
export function laneOf(row) {
  return row.scopes.findLast((scope) => scope.kind === "lane" && contains(scope.branch, row.branch)) ?? null;
}

/** Why a loop ended, in words. */
export function loopEnding({ reason, by, iterations }, escalation) {
  if (reason === "escalated") {
    const who = by ?? escalation?.author ?? "an agent";
    const tool = escalation && (!by || escalation.author === by) ? escalation.tool : null;
    return tool ? `${who} called ${tool}` : `${who} escalated`;
  }
  if (reason === "max_iterations") return `${iterations} ${iterations === 1 ? "iteration" : "iterations"} reached`;
  if (reason === "empty") return "it has no agents to run";
  return reason && reason !== "ended" ? reason : "nothing left to do";
}

/** "iteration 2 of 5", or without the end where there is none. */
export function iterationLabel({ iteration, max_iterations: most }) {
  return most ? `iteration ${iteration} of ${most}` : `iteration ${iteration}`;
}

/** Rows by the agents in `names` (null: all), with only those boundaries that still have something under them. */
export function filterRows(rows, names) {
  if (!names) return rows;
  const kept = [];
  let waiting = [];
  for (const row of rows) {
    if (row.type === "event" ? names.has(row.entry.body.author) : row.type === "note" && names.has(row.entry.body.agent)) {
      kept.push(...waiting, row);
      waiting = [];
    } else if (row.type === "run") waiting = [row];
    else if (row.type === "iteration") {
      waiting = waiting.filter((other) => other.type === "run" || other.entry.body.agent !== row.entry.body.agent);
      waiting.push(row);
    }
  }
  return kept;
}

/** Whether a person steps onto this row with the keyboard. */
export function isStop(row) {
  return row.type === "event" || row.type === "end" || row.type === "note";
}
