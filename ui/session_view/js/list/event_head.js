// @ts-check
/** The first line of an event: its author, its step, badges, what it changes, its number. */

import { h } from "../dom/elements.js";
import { icon } from "../dom/icons.js";
import { markOf } from "../log/agent_tree.js";
import { drawInjected, drawOrigin } from "../parts/badges.js";
import { laneOf, twinBlockOf } from "../rows/scopes.js";
import { clock } from "../words/format.js";
import { injectedInto } from "../words/records.js";

/** @import { Actions, EventBody } from "../log/entries.d.ts" */
/** @import { Drawing, EventRow, Step } from "../rows/types.d.ts" */

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
    h("span.name", {}, row.to ? `Request to ${row.to}` : body.author),
    row.step && drawStep(row.step),
    lane && lane.agent !== body.author &&
      h(`span.tag.c-${markOf(index, lane.agent).colour}`, { title: `In the parallel branch ${body.branch}` }, lane.agent),
    twin && h("span.tag", { title: `Of ${twin.agent} as a tool` }, `call ${twin.nth}`),
    injected && drawInjected(injected),
    drawOrigin(body, row.live?.mixed),
    drawSignals(body.actions),
    drawCuts(body),
    h("span.space"),
    keys.length > 0 && !row.settings && h("span.delta", { title: `Changes ${keys.join(", ")}` }, `+${keys.length} state`),
    h("span.number", { title: clock(body.timestamp) }, String(row.ordinal)),
  );
}

/**
 * THINK, with its number in the turn and why the model stopped, or OBSERVE.
 * @param {Step} step
 */
function drawStep({ word, turn, reason, plain }) {
  if (plain) return h("span.step", { title: "Why the model stopped" }, reason);
  const title = word === "THINK"
    ? `The model was asked${turn ? ` for the ${turn}. time in this turn` : ""}, and stopped: ${reason}`
    : "What the calls gave, for the model to think on";
  return h("span.step", { title }, [word, turn, reason && "·", reason].filter(Boolean).join(" "));
}

/** @param {Actions | undefined} actions */
function drawSignals(actions) {
  const target = actions?.transfer_to_agent;
  return [
    actions?.escalate && h("span.tag.escalate", { title: "Ends the nearest loop" }, icon("exit"), "escalates"),
    target && h("span.tag", { title: "Hands over" }, `to ${target}`),
  ];
}

/** @param {EventBody} body */
function drawCuts({ interrupted, stop_reason: reason }) {
  return [
    interrupted && h("span.tag.warn", {}, "cut short"),
    reason === "safety" && h("span.tag.warn", {}, "blocked"),
    reason === "max_tokens" && h("span.tag.warn", {}, "cut at the token limit"),
  ];
}
