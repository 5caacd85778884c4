// @ts-check
/** The first line of an event: its author, its step, badges, what it changes, its number. */

import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { markOf } from "../log/agent_tree.js";
import { drawInjected, drawOrigin } from "../parts/badges.js";
import { drawTerm } from "../page/glossary.js";
import { laneOf, twinBlockOf } from "../rows/scopes.js";
import { clip, clock } from "../words/format.js";
import { injectedInto } from "../words/records.js";

/** @import { Actions, EventBody } from "../log/entries.d.ts" */
/** @import { Drawing, EventRow, Step } from "../rows/types.d.ts" */

/**
 * Why a model stopped, in plain words.
 * @type {Record<string, string>}
 */
const STOPS = { end_turn: "complete", tool_use: "asks for tools", max_tokens: "cut", safety: "refused", error: "failed" };

/**
 * @param {EventRow} row
 * @param {Pick<Drawing, "index">} drawing
 */
export function drawHead(row, { index }) {
  const { body } = row.entry;
  const keys = Object.keys(body.actions?.state_delta ?? {});
  const lane = laneOf(row);
  const twin = twinBlockOf(row);
  const injected = injectedInto(body);
  return h(
    "div.head",
    {},
    h("span.name", {}, row.to ? `Request to ${row.to}` : body.actions?.compaction ? "Summary" : body.author),
    body.actions?.rewind_before_invocation_id && h("span.tag", { title: "The log keeps those events" }, "went back"),
    body.actions?.compaction && h("span.tag", { title: "The log keeps those events" }, "sent instead of earlier events"),
    row.step && drawStep(row.step),
    lane && lane.agent !== body.author &&
      h(`span.tag.c-${markOf(index, lane.agent).colour}`, { title: `In the parallel branch ${body.branch}` }, lane.agent),
    twin && h("span.tag", { title: `Of ${twin.agent} as a tool` }, `call ${twin.nth}`),
    injected && drawInjected(injected),
    drawOrigin(body, row.live?.mixed),
    drawSignals(body.actions),
    drawCuts(body),
    h("span.space"),
    keys.length > 0 && !row.settings && drawDelta(keys),
    h("span.number", { title: clock(body.timestamp) }, String(row.ordinal)),
  );
}

/**
 * The step of the turn in plain words: a model call with its number and why the model stopped, or the results of tools.
 * @param {Step} step
 */
function drawStep({ word, turn, reason, plain }) {
  const why = STOPS[reason ?? ""] ?? reason;
  if (plain) return drawTerm(why, reason ?? "", { look: ".step", inRow: true });
  const label = word === "THINK" ? ["model call", turn, why && "·", why].filter(Boolean).join(" ") : "tool results";
  const told = [word, turn, reason && `(${reason})`].filter(Boolean).join(" ");
  return drawTerm(label, word, { look: ".step", inRow: true, told });
}

/** @param {Actions | undefined} actions */
function drawSignals(actions) {
  const target = actions?.transfer_to_agent;
  const exit = [icon("exit"), "ends the loop"];
  return [
    actions?.escalate && drawTerm(exit, "escalate", { look: ".tag.escalate", inRow: true }),
    target && drawTerm(`hands over to ${target}`, "transfer", { look: ".tag", inRow: true }),
  ];
}

/**
 * What an event changes in state: the key, or how many.
 * @param {string[]} keys
 */
function drawDelta(keys) {
  const label = keys.length === 1 ? `sets ${clip(keys[0], 24)}` : `sets ${keys.length} keys`;
  return drawTerm(label, "state delta", { look: ".delta", inRow: true, told: `state delta (${keys.join(", ")})` });
}

/** @param {EventBody} body */
function drawCuts({ interrupted, stop_reason: reason }) {
  return [
    interrupted && h("span.tag.warn", {}, "cut short"),
    reason === "safety" && h("span.tag.warn", {}, "blocked"),
    reason === "max_tokens" && h("span.tag.warn", {}, "cut at the token limit"),
  ];
}
