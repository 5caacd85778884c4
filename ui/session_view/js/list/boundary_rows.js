// @ts-check
/** Rows of one line: where runs, passes and agents at work as tools begin and end. */

import { h } from "../../../browser/js/elements.js";
import { icon, markIcon } from "../dom/icons.js";
import { markOf } from "../log/agent_tree.js";
import { hasError } from "../log/failures.js";
import { isReplay, modelsOf, originOf, shownModel } from "../log/origin.js";
import { drawInjected, drawReplays } from "../parts/badges.js";
import { drawError } from "../parts/errors.js";
import { argumentsLine, clip, clock, duration, plural } from "../words/format.js";
import {
  endWords,
  forkWords,
  iterationLabel,
  loopEnding,
  pauseWords,
  plannedFault,
  teamWords,
  transcriptNoteWords,
} from "../words/records.js";
import { coloured, fill } from "./lines.js";
import { drawOutcome } from "./outcome_view.js";

/** @import { Entry, TranscriptNote } from "../log/entries.d.ts" */
/** @import { Draw } from "../rows/types.d.ts" */

/** @type {Record<string, string>} */
const ENDINGS = {
  completed: "check",
  stopped: "stop",
  failed: "cross_out",
  interrupted: "bolt",
  paused: "pause",
  limit: "stop",
};

/** @type {Record<string, string>} */
const NOTE_SIGNS = { unread: "alert", error: "alert", went_back: "again" };

/** @type {Draw<"run">} */
export function drawRun(element, { entry: { body }, number }, { index }) {
  const faults = (body.faults ?? []).map(plannedFault);
  const { own } = modelsOf(body);
  const model = shownModel(body);
  const { simulated, partly, replays } = originOf(body);
  const team = teamWords(body.team_revision, index.revision);
  const line = h(
    "div.rule",
    {},
    h("span.title", {}, `Run ${number}`),
    model && !isReplay(model) && h("span.quiet", {}, model),
    drawReplays(replays),
    simulated && (partly || model !== "simulated") && h("span.tag.simulated", {}, partly ? "partly simulated" : "simulated"),
    h("span.stroke"),
    h("span.quiet", {}, clock(body.timestamp)),
  );
  const planned = faults.length > 0 &&
    h("div.planned", {}, drawInjected("Faults that somebody asked for"), h("span", {}, faults.join("; ")));
  const models = own.map(([agent, name]) => h("span", {}, coloured(index, agent), ` asks ${name}`));
  const about = (own.length > 0 || team) && h("div.planned.own-models", {}, models, team && h("span", {}, team));
  const asked = own.map(([agent, name]) => `${agent} asks ${name}`);
  const said = [`Run ${number}`, model, ...asked, team, faults.length && `injected: ${faults.join("; ")}`];
  fill(element, said.filter(Boolean).join(", "), h("div.body", {}, line, about, planned));
}

/** @type {Draw<"end">} */
export function drawEnd(element, row, drawing) {
  const { entry: { body }, told, limit, live } = row;
  const used = (body.tokens?.input ?? 0) + (body.tokens?.output ?? 0);
  const facts = [
    body.calls != null && plural(body.calls, "model call"),
    used > 0 && plural(used, "token"),
    duration(body.duration),
  ].filter(Boolean);
  const { title, look } = endWords(body, limit, told);
  const pause = live && pauseWords(live);
  const injected = body.error_code === "INJECTED_FAULT";
  element.classList.add(look);
  const line = h(
    "div.rule",
    {},
    h("span.ending", {}, icon(ENDINGS[look] ?? "stop"), pause ? `run ${title}` : title),
    pause && h("span.pause", {}, pause),
    injected && drawInjected("The error was asked for"),
    h("span.quiet", {}, facts.join(" · ")),
    h("span.stroke"),
  );
  // The event right above may have told the same error already.
  const why = !told && look !== "limit" && hasError(body) ? drawError(body.error_code, body.error_message) : null;
  const hint = body.status === "interrupted" && !why
    ? h("div.hint", {}, "The server went away during this run. What is above was kept; run it again to go on.")
    : null;
  const outcome = drawOutcome(row, drawing);
  fill(
    element,
    `Run ${title}${pause ? `: ${pause}` : ""}. ${facts.join(", ")}. ${body.error_message ?? ""} ${outcome?.spoken ?? ""}`,
    h("div.body", {}, line, why, hint, outcome?.element),
  );
}

/** @type {Draw<"iteration">} */
export function drawIteration(element, { entry: { body } }) {
  fill(
    element,
    `${body.agent}, ${iterationLabel(body)}`,
    h("div.rule", {}, h("span.title", {}, iterationLabel(body)), h("span.quiet", {}, body.agent)),
  );
}

/** @type {Draw<"loop_end">} */
export function drawLoopEnd(element, { entry: { body }, escalation }) {
  const why = `ended: ${loopEnding(body, escalation)}`;
  fill(element, `${body.agent} ${why}`, h("div.rule", {}, h("span.title", {}, why), h("span.quiet", {}, body.agent)));
}

/** @type {Draw<"forked">} */
export function drawForked(element, { entry }) {
  const words = forkWords(entry.body);
  const sign = icon("again");
  fill(element, words, h("div.body", {}, h("div.rule.wraps", {}, sign, h("span.title", {}, clip(words, 300)))));
}

/** @type {Draw<"note">} */
export function drawNote(element, { entry }) {
  if (entry.kind === "transcript_note") drawTranscriptNote(element, entry.body);
  else drawAnyNote(element, entry);
}

/**
 * @param {HTMLElement} element
 * @param {TranscriptNote} body
 */
function drawTranscriptNote(element, body) {
  const words = transcriptNoteWords(body);
  const sign = icon(NOTE_SIGNS[body.note] ?? "file");
  fill(element, words, h("div.body", {}, h("div.rule.wraps", {}, sign, h("span.quiet", { dir: "auto" }, words))));
}

/**
 * A record of a kind that is not known here.
 * @param {HTMLElement} element
 * @param {Entry} entry
 */
function drawAnyNote(element, { kind, body }) {
  const { invocation_id: _i, agent, branch: _b, timestamp: _t, ...rest } = body;
  const facts = argumentsLine(rest, 200);
  const name = kind.replaceAll("_", " ");
  fill(
    element,
    `${name} ${agent ?? ""}`,
    h(
      "div.rule",
      {},
      h("span.title", {}, name),
      agent && h("span.quiet", {}, agent),
      facts && h("span.quiet.facts", {}, facts),
    ),
  );
}

/** @type {Draw<"block">} */
export function drawBlock(element, { live, caller }, { index, folded, onFold }) {
  const { agent, nth, events, open, failed } = live;
  const closed = folded(live.branch);
  const state = [open ? "at work" : failed ? "failed" : "", plural(events, "event")].filter(Boolean).join(" · ");
  const button = h(
    `button.fold-block.c-${markOf(index, agent).colour}`,
    {
      type: "button",
      "aria-expanded": String(!closed),
      "data-takes-focus": true,
      title: caller ? `Called by ${caller}` : null,
      onclick: () => onFold(live.branch),
    },
    icon("chevron", "icon turn"),
    markIcon(markOf(index, agent)),
    h("b", {}, agent),
    h("span.quiet", {}, `as a tool${nth > 1 ? `, call ${nth}` : ""}`),
  );
  element.classList.toggle("folded", closed);
  element.classList.toggle("open", open);
  fill(
    element,
    `${agent} as a tool${caller ? ` of ${caller}` : ""}${nth > 1 ? `, call ${nth}` : ""}`,
    h("div.rule", {}, button, h("span.quiet.tally", {}, state), h("span.stroke")),
  );
}
