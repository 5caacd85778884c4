// @ts-check
/** How a row of the event list looks: its rail, and inside it what its type says. */

import { h } from "../../../browser/js/elements.js";
import { markOf } from "../log/agent_tree.js";
import { railOf } from "../rows/scopes.js";
import { sourcesOf } from "../words/sources.js";
import { drawBlock, drawEnd, drawForked, drawIteration, drawLoopEnd, drawNote, drawRun } from "./boundary_rows.js";
import { drawCaseRun, drawCasesTried } from "./case_rows.js";
import { drawFault, drawGiven, drawRecorded, drawRoute, drawTransfer } from "./decision_rows.js";
import { drawEvent } from "./event_row.js";
import { LONG_LINES } from "./long_text.js";
import { drawCut, drawDrift, drawLoading, drawProtocol, drawRetry } from "./model_rows.js";
import { drawPartial } from "./partial_row.js";

/** @import { Part } from "../log/entries.d.ts" */
/** @import { TreeIndex } from "../log/folds.d.ts" */
/** @import { Draw, Drawing, DrawTable, Row } from "../rows/types.d.ts" */

/** Heights in px of rows of one line, by type. */
const HEIGHTS = new Map([["card", 190], ["thumbs", 30], ["route", 72], ["end", 40]]);
const ONE_LINE = 32;

/**
 * @param {{ card: Draw<"card">; thumbs: Draw<"thumbs"> }} asking draws the rows in which a user decides
 * @returns {(row: Row, drawing: Drawing) => HTMLElement}
 */
export function createRowView({ card, thumbs }) {
  /** @type {DrawTable} */
  const table = {
    event: drawEvent,
    partial: drawPartial,
    run: drawRun,
    end: drawEnd,
    iteration: drawIteration,
    loop_end: drawLoopEnd,
    note: drawNote,
    block: drawBlock,
    route: drawRoute,
    transfer: drawTransfer,
    fault: drawFault,
    given: drawGiven,
    retry: drawRetry,
    cut: drawCut,
    loading: drawLoading,
    drift: drawDrift,
    protocol: drawProtocol,
    recorded: drawRecorded,
    forked: drawForked,
    case_run: drawCaseRun,
    cases_tried: drawCasesTried,
    card,
    thumbs,
  };
  return (row, drawing) => {
    const element = h(`div.row.${row.type}`, { role: "row", id: `row-${row.key}`, "data-key": row.key });
    const draw = /** @type {(element: HTMLElement, row: Row, drawing: Drawing) => void} */ (table[row.type]);
    draw(element, row, drawing);
    // A grid of one column: unlike an option of a list box, its cell may hold links and buttons.
    const cell = h("div.cell", { role: "gridcell" }, [...element.childNodes]);
    element.append(drawRail(row, drawing.index), cell);
    return element;
  };
}

/** Of more scopes than `MOST_LINES`, the outer ones and the inner ones have a line. */
const MOST_LINES = 16;
const OUTER_LINES = 4;

/**
 * @param {Row} row
 * @param {TreeIndex} index
 */
function drawRail(row, index) {
  const open = railOf(row);
  const scopes = open.length > MOST_LINES ? [...open.slice(0, OUTER_LINES), ...open.slice(OUTER_LINES - MOST_LINES)] : open;
  const lines = scopes.map(({ kind, agent, inside }) => {
    const colour = kind === "loop" ? "flow" : markOf(index, agent).colour;
    return h(`span.line.${kind}.${inside ? "in" : "out"}.c-${colour}`);
  });
  return h(scopes.length > 6 ? "div.rail.tight" : "div.rail", { "aria-hidden": "true" }, lines);
}

/**
 * Height in px before a row was measured: near enough that the scroll bar does not jump.
 * @param {Row} row
 */
export function guessHeight(row) {
  if (row.type === "partial") return 44;
  if (row.type !== "event") return HEIGHTS.get(row.type) ?? ONE_LINE;
  const { body } = row.entry;
  const parts = (body.content?.parts ?? []).reduce((sum, part) => sum + heightOf(part), 0);
  return 44 + parts + 22 * sourcesOf(body).length + (body.actions?.artifact_delta ? 26 : 0);
}

/** @param {Part} part */
function heightOf(part) {
  let height = 0;
  if (part.text) height += part.thought ? 24 : 20 * Math.min(LONG_LINES, Math.ceil(part.text.length / 80));
  else if (part.function_call || part.function_response) height += 26;
  if (part.inline_data || part.function_response?.parts?.length) height += 160;
  if (part.executable_code || part.code_execution_result) height += 60;
  return height;
}
